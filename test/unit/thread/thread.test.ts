import { expect, test } from 'vitest'
import { simulatedClock } from '../../../emulator/clock.ts'
import { createEmulator } from '../../../emulator/emulator.ts'
import { cancellation } from '../../../src/core/cancellation.ts'
import { type Marker, type MarkerScope, writeMarker } from '../../../src/core/marker.ts'
import { forgiving } from '../../../src/github/attempt.ts'
import { githubClient } from '../../../src/github/octokit.ts'
import { openThread } from '../../../src/thread/thread.ts'

const scope: MarkerScope = { apiKey: 'test-key', projectId: 'docs', repository: 'octo/app', thread: 12 }
const request = { key: 'mine', run: '1.2', from: 5, asker: 'alice', comment: '' }

/** A thread in which these markers stand already. */
function setUp(markers: readonly Partial<Marker>[]) {
  const { now, sleep } = simulatedClock()
  const emulator = createEmulator({ now, sleep })
  emulator.github.addIssue({ number: 12 })
  for (const marker of markers) {
    const whole = {
      ...request,
      job: '',
      status: '',
      pr: '',
      until: 0,
      messaged: 0,
      eyes: 0,
      at: 1,
      state: 'open',
      ...marker,
    } as const
    emulator.github.addComment(12, {
      login: 'github-actions[bot]',
      body: `Words\n\n${writeMarker(whole, scope)}`,
    })
  }
  const deps = {
    fetch: emulator.fetch,
    sleep,
    now,
    cancellation: cancellation(() => new Promise(() => {})),
  }
  const github = githubClient(deps, { apiUrl: emulator.githubUrl, token: 'test-token' })
  const attempt = forgiving({ annotate: () => {} })
  const thread = openThread({ github, attempt, now }, { scope, mode: 'recreate', request })
  return {
    emulator,
    thread,
    bodies: () => emulator.github.comments(12).map(({ body }) => body.split('\n')[0]),
  }
}

test('3.3 two refusals that were written at the same time become one', async () => {
  const { thread, bodies } = setUp([{ state: 'refusal' }, { state: 'refusal', at: 2, key: 'another' }])
  await thread.refuse('Not you')
  expect(bodies()).toEqual(['Not you'])
})

test('5.4 what an earlier attempt left beside the status comment goes with an ending that is told in place', async () => {
  const { thread, bodies } = setUp([
    { state: 'open', job: 'j_1' },
    { state: 'uncertain', at: 2 },
  ])
  await thread.recall()
  await thread.report({ state: 'parted', job: 'j_1' }, 'Still working')
  expect(bodies()).toEqual(['Still working'])
})

test('6.2 an ending that is told in place never takes the place of a result', async () => {
  const { thread, bodies } = setUp([{ state: 'reported', job: 'j_1' }])
  await thread.recall()
  const told = await thread.report({ state: 'parted', job: 'j_1' }, 'Cancelled')
  expect(told.stands?.job).toBe('j_1')
  expect(bodies()).toEqual(['Words'])
})

test('5.7 a comment is tried four times in all, whatever goes wrong between', async () => {
  const { emulator, thread } = setUp([])
  const match = { method: 'POST', path: /comments$/ }
  emulator.faults.add({ match, fault: { kind: 'reset' } })
  const limited = { kind: 'status', status: 429, headers: { 'retry-after': '1' } } as const
  emulator.faults.add({ match, times: Number.POSITIVE_INFINITY, fault: limited })
  await thread.note({ state: 'sending' }, 'At work')
  expect(emulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(4)
})

test.each(['null', '', '<html>', '[{"id":'])(
  '5.2 a list of comments that reads %j is no empty thread, but one that cannot be read',
  async (body) => {
    const { emulator, thread } = setUp([{ state: 'open', job: 'j_1' }])
    emulator.faults.add({ match: { method: 'GET' }, fault: { kind: 'wrongType', body } })
    expect(await thread.recall()).toBeUndefined()
  },
)

test.each([
  { state: 'parted', job: 'j_1', run: '1.1' },
  { state: 'sending', run: '1.1' },
] as const)('5.2 %o is not written over by a run that has sent nothing', async (marker) => {
  const { thread, bodies } = setUp([marker])
  const told = await thread.report({ state: 'unsent' }, 'Cancelled')
  expect(told.stands).toMatchObject(marker)
  expect(bodies()).toEqual(['Words'])
})

test('5.2 what this run itself was about to send, and did not, is written over', async () => {
  const { thread, bodies } = setUp([{ state: 'sending' }])
  await thread.report({ state: 'unsent' }, 'Refused')
  expect(bodies()).toEqual(['Refused'])
})
