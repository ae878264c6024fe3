import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { failureWarnings } from '../../src/messages/side-tasks.ts'
import { type SigningContext, signRecord } from '../../src/request/signed-record.ts'
import { sayOfEarlier } from '../../src/thread/say.ts'
import type { Session } from '../../src/thread/session.ts'
import { Thread } from '../../src/thread/thread.ts'
import {
  IDENTITY,
  type RecordFields,
  recordOf,
  reportedWith,
  requestRecordOf,
  withJob,
} from '../request/helpers.ts'
import { forgeOf } from '../trigger/helpers.ts'

const signing: SigningContext = { keys: ['test-key'], projectId: 'docs', repositoryId: 1, thread: 12 }
const running = { state: 'running', ...withJob('j_1', '', 'active') } as const
const reported = reportedWith('j_1')

/** A thread in which these records stand already, in comments of a bot unless they name another author. */
async function setUp(records: readonly (RecordFields & { readonly by?: string })[] = []) {
  const clock = simulatedClock()
  const emulator = createEmulator(clock)
  emulator.github.addIssue({ number: 12 })
  for (const { by = 'github-actions[bot]', ...fields } of records) {
    const record = recordOf(fields as RecordFields)
    emulator.github.addComment(12, { login: by, body: `Words\n\n${signRecord(record, signing)}` })
  }
  const forge = await forgeOf(emulator, clock)
  const warnings = failureWarnings({ warning: () => {}, debug: () => {} }, { owner: 'octo', repo: 'app' })
  const more = {
    deps: { ...clock, monotonic: clock.passed, secrets: [] },
    forge,
    warnings,
    scope: signing,
    commentMode: 'recreate',
  }
  const session = more as unknown as Session
  const thread = new Thread(12)
  await thread.read(session)
  const bodies = () => emulator.github.comments(12).map(({ body }) => body.split('\n')[0])
  return { emulator, session, thread, bodies }
}

test('3.3 two refusals that were written at the same time become one', async () => {
  const { thread, session, bodies } = await setUp([
    { state: 'refusal' },
    { state: 'refusal', writtenAt: 2, key: 'another' },
  ])
  await thread.refuse(session, IDENTITY, 'Not you')
  expect(bodies()).toEqual(['Not you'])
})

test('5.1 a result that another bot repeats with its record takes the result of the action from no one', async () => {
  const { thread, session, bodies } = await setUp([{ ...reported, by: 'echo[bot]' }, reported])
  await thread.keepOne(session, IDENTITY)
  expect(bodies()).toEqual(['Words', 'Words'])
})

test('5.1 a record is newer than every other, whatever the clock of the runner says', async () => {
  const future = Date.UTC(2100, 0)
  const { thread, session } = await setUp([{ ...running, writtenAt: future }])
  expect(thread.nextWrittenAt(session)).toBeGreaterThan(future)
})

test('3.13 8.1 a change of another request’s record leaves its run as long as it had', async () => {
  const { emulator, session, thread } = await setUp([reported])
  const writtenAt = emulator.settings.now() - 20_000
  const record = requestRecordOf({ ...reported, writtenAt, waitsMs: 60_000 })
  await sayOfEarlier(session, thread, { record, body: 'Words' }, { what: 'line', words: 'A line' })
  const [now] = thread.historyOf(IDENTITY)?.ownComments ?? []
  expect((now?.record.writtenAt ?? 0) + (now?.record.waitsMs ?? 0)).toBe(writtenAt + 60_000)
})

test('3.13 a change of another request’s comment does not bring back what people deleted', async () => {
  const { emulator, session, thread, bodies } = await setUp([reported])
  const own = thread.historyOf(IDENTITY)?.own
  if (own === undefined) throw new Error('no comment of the request')
  emulator.github.deleteComment(own.id)
  expect(await sayOfEarlier(session, thread, own, { what: 'line', words: 'A line' })).toEqual({ url: '' })
  expect(bodies()).toEqual([])
})

test.each([
  ['of the same round stays', 0, 'Words'],
  ['of the round that failed does not', 1, 'New words'],
])('5.2 in place of a deleted comment, a result %s', async (_, round, words) => {
  const { emulator, session, thread, bodies } = await setUp([running])
  const own = thread.historyOf(IDENTITY)?.own
  if (own === undefined) throw new Error('no comment of the request')
  emulator.github.deleteComment(own.id)
  const theirs = signRecord(recordOf(reported), signing)
  emulator.github.addComment(12, { login: 'github-actions[bot]', body: `Words\n\n${theirs}` })
  const written = await thread.write(session, 'result', { ...own.record, round }, 'New words')
  expect(written.existing?.record.state).toBe(round === 0 ? 'reported' : undefined)
  expect(bodies()).toEqual([words])
})

test('5.4 5.6 a comment that GitHub took without an answer is found, and goes', async () => {
  const { emulator, session, thread, bodies } = await setUp()
  const match = { host: 'github', path: /\/comments$/ } as const
  const fault = { kind: 'status', status: 502, when: 'after' } as const
  const away = emulator.faults.add({ match, times: Number.POSITIVE_INFINITY, fault })
  const write = () => thread.write(session, 'result', requestRecordOf(reported), 'Words')
  expect((await write()).failure).toBeDefined()
  away.remove()
  expect((await write()).failure).toBeUndefined()
  await thread.keepOne(session, IDENTITY)
  expect(bodies()).toEqual(['Words'])
})

test('5.4 8.2 where a sweep reports while a limit holds the run up, one result stays', async () => {
  const { emulator, session, thread, bodies } = await setUp()
  const match = { host: 'github', method: 'POST', path: /\/comments$/ } as const
  const theirs = `Theirs\n\n${signRecord(recordOf(reported), signing)}`
  const call = () => void emulator.github.addComment(12, { login: 'github-actions[bot]', body: theirs })
  emulator.faults.add({ match, fault: { kind: 'call', call } })
  emulator.faults.add({ match, fault: { kind: 'status', status: 429, headers: { 'retry-after': '300' } } })
  await thread.write(session, 'result', requestRecordOf({ ...reported, writtenAt: 2000 }), 'Ours')
  expect(bodies()).toEqual(['Theirs', 'Ours'])
  await thread.keepOne(session, IDENTITY)
  expect(bodies()).toHaveLength(1)
})
