import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { failureWarnings } from '../../src/github/warn-on-failure.ts'
import type { RequestState } from '../../src/request/lifecycle.ts'
import { type SigningContext, signRecord, verifyRecord } from '../../src/request/record.ts'
import { Thread, type ThreadOptions } from '../../src/thread/thread.ts'
import { IDENTITY, type RecordFields, recordOf, withJob } from '../request/helpers.ts'
import { forgeOf } from '../trigger/helpers.ts'

const signing: SigningContext = { apiKey: 'test-key', projectId: 'docs', repositoryId: 7, thread: 12 }
const identity = { ...IDENTITY, run: '1.2', requestedAt: 5, comment: '' }
const running = { state: 'running', ...withJob('j_1', '', 'active') } as const
const detached = { ...running, state: 'detached' } as const
const reported = { ...running, state: 'reported' } as const

/** A thread in which these records stand already, in comments of a bot unless they name another author. */
async function setUp(
  records: readonly (RecordFields & { readonly by?: string })[] = [],
  more: Partial<ThreadOptions> = {},
) {
  const clock = simulatedClock()
  const { now, sleep } = clock
  const emulator = createEmulator({ now, sleep })
  emulator.github.addIssue({ number: 12 })
  for (const { by = 'github-actions[bot]', ...fields } of records) {
    const record = recordOf({ run: '1.2', requestedAt: 5, writtenAt: 1, ...fields } as RecordFields)
    emulator.github.addComment(12, { login: by, body: `Words\n\n${signRecord(record, signing)}` })
  }
  const forge = await forgeOf(emulator, clock)
  const warned: string[] = []
  const warnings = failureWarnings({ warning: (line) => void warned.push(line), debug: () => {} })
  const options = { signing, mode: 'recreate', identity, secrets: [] } as const
  const thread = new Thread({ forge, warnings, now, ...options, ...more })
  const bodies = () => emulator.github.comments(12).map(({ body }) => body.split('\n')[0])
  const calls = () => emulator.requests.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)
  return { emulator, thread, bodies, warned, calls }
}

test('3.3 two refusals that were written at the same time become one', async () => {
  const { thread, bodies } = await setUp([
    { state: 'refusal' },
    { state: 'refusal', writtenAt: 2, key: 'another' },
  ])
  await thread.read()
  await thread.refuse('Not you')
  expect(bodies()).toEqual(['Not you'])
})

test('5.4 what an earlier attempt left beside the status comment goes with an ending that is reported in place', async () => {
  const { thread, bodies } = await setUp([running, { state: 'unknown', jobId: '', writtenAt: 2 }])
  await thread.read()
  await thread.report(detached, 'Still working')
  await thread.tidy()
  expect(bodies()).toEqual(['Still working'])
})

test('5.1 a result that another bot repeats with its record takes the result of the action from no one', async () => {
  const { thread, bodies } = await setUp([{ ...reported, by: 'echo[bot]' }, reported])
  await thread.read()
  await thread.report(reported, 'Once more')
  expect(bodies()).toEqual(['Words', 'Words'])
})

test('6.2 an ending that is reported in place never takes the place of a result', async () => {
  const { thread, bodies } = await setUp([reported])
  await thread.read()
  const { existing } = await thread.report(detached, 'Cancelled')
  expect(existing).toMatchObject({ job: { id: 'j_1' } })
  expect(bodies()).toEqual(['Words'])
})

test('5.4 recreate: the result is a new comment, and the status comment goes after it is there', async () => {
  const { thread, bodies, calls } = await setUp()
  await thread.read()
  await thread.writeStatus({ state: 'sending', jobId: '' }, 'At work')
  await thread.writeStatus(running, 'At work on j_1')
  expect(bodies()).toEqual(['At work on j_1'])
  const { url } = await thread.report(reported, 'Done')
  expect(bodies()).toEqual(['At work on j_1', 'Done'])
  await thread.tidy()
  expect(bodies()).toEqual(['Done'])
  expect(url).toMatch(/^https:/)
  expect(calls().filter((call) => call.startsWith('POST'))).toHaveLength(2)
})

test('5.4 update: the status comment becomes the result', async () => {
  const { thread, bodies, calls } = await setUp([], { mode: 'update' })
  await thread.read()
  await thread.writeStatus({ state: 'sending', jobId: '' }, 'At work')
  await thread.report(reported, 'Done')
  await thread.tidy()
  expect(bodies()).toEqual(['Done'])
  expect(calls().filter((call) => call.startsWith('POST'))).toHaveLength(1)
})

test.each<readonly [string, Partial<ThreadOptions>]>([
  ['comment: off', { mode: 'off' }],
  ['no thread', { signing: undefined }],
])('5.4 with %s nothing is written', async (_, more) => {
  const { thread, bodies } = await setUp([], more)
  await thread.read()
  await thread.writeStatus(running, 'At work')
  expect(await thread.report(reported, 'Done')).toEqual({ url: '' })
  expect(await thread.refuse('Not you')).toBe('')
  expect([bodies(), thread.remembers]).toEqual([[], false])
})

test('5.7 a comment whose creation got no answer is not created again', async () => {
  const { emulator, thread, bodies } = await setUp()
  emulator.faults.add({ match: { method: 'POST' }, fault: { kind: 'reset', when: 'after' } })
  expect((await thread.report(reported, 'Done')).url).toMatch(/^https:/)
  expect(bodies()).toEqual(['Done'])
})

test.each(['null', '', '<html>', '[{"id":'])(
  '5.2 a list of comments that reads %j is no empty thread, but one that cannot be read',
  async (body) => {
    const { emulator, thread, warned } = await setUp([running])
    const fault = { kind: 'wrongType', body } as const
    emulator.faults.add({ match: { method: 'GET' }, times: Number.POSITIVE_INFINITY, fault })
    expect(await thread.read()).toBeUndefined()
    expect(warned).toHaveLength(1)
  },
)

test.each<RecordFields>([
  { ...detached, run: '1.1' },
  { state: 'sending', jobId: '', run: '1.1' },
])(
  '5.2 $state, of an earlier attempt, is not written over by a run that has sent nothing',
  async (fields) => {
    const { thread, bodies } = await setUp([fields])
    const { existing } = await thread.report({ state: 'notSent' }, 'Cancelled')
    expect(existing).toMatchObject({ state: fields.state, run: '1.1' })
    expect(bodies()).toEqual(['Words'])
  },
)

test('5.2 what this run itself was about to send, and did not, is written over', async () => {
  const { thread, bodies } = await setUp([{ state: 'sending', jobId: '' }])
  await thread.report({ state: 'notSent' }, 'Refused')
  await thread.tidy()
  expect(bodies()).toEqual(['Refused'])
})

test.each([
  ['alice', undefined],
  ['renovate[bot]', 'j_1'],
  ['github-actions[bot]', 'j_1'],
])('5.1 a record that %s posted counts: %s', async (by, job) => {
  const { thread } = await setUp([{ ...reported, by }])
  const own = (await thread.read())?.own?.record
  expect(own !== undefined && 'job' in own ? own.job.id : undefined).toBe(job)
})

test('2.3 secrets do not reach a comment, wherever they stand in its text', async () => {
  const { thread, emulator } = await setUp([], { secrets: ['test-key', 'test-token'] })
  await thread.writeStatus(running, 'Explain test-key')
  await thread.report(reported, 'test-token was in `test-key`, and in test-tokens')
  const [status, result] = emulator.github.comments(12).map(({ body }) => body)
  expect(status).toMatch(/^Explain \*\*\*\n/)
  expect(result).toMatch(/^\*\*\* was in `\*\*\*`, and in \*\*\*s\n/)
})

test('5.1 a record is newer than every other, whatever the clock of the runner says', async () => {
  const future = Date.UTC(2100, 0)
  const { thread } = await setUp([{ ...running, writtenAt: future }])
  await thread.read()
  await thread.report({ ...detached } satisfies RequestState, 'Cancelled')
  expect((await thread.read())?.newest).toBeGreaterThan(future)
})

test('5.2 a record tells the run that wrote it and when, also where an earlier attempt left the state', async () => {
  const left = recordOf({ ...running, run: '1.1', writtenAt: 5, command: '/old', eyes: 9 }) as RequestState
  const { thread, emulator } = await setUp()
  await thread.writeStatus(left, 'At work')
  const [comment] = emulator.github.comments(12)
  const record = verifyRecord(comment?.body ?? '', signing)
  expect(record).toMatchObject({
    state: 'running',
    run: '1.2',
    command: '/docs',
    eyes: 0,
    job: { id: 'j_1' },
  })
  expect(record?.writtenAt).toBeGreaterThan(5)
})
