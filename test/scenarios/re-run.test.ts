import { describe, expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import { userOf } from '../../emulator/github/model.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { SAYS } from '../helpers/phrases.ts'
import {
  CREATE,
  DISPATCH,
  expectOutcome,
  ISSUE,
  type More,
  ownWorld,
  READ,
  type Said,
  type World,
} from '../helpers/world.ts'

const COMMENTS = { host: 'github', method: 'GET', path: /\/issues\/12\/comments$/ } as const

/** An attempt that gets the signal while it reads the thread, before it has a plan. */
function endedAttempt(emulator: World, said: Said, attempt: number, signal: NodeJS.Signals) {
  const post = signal === 'SIGKILL'
  // The permission is known by then: before that, a run writes nothing. The answer comes after the signal.
  const fault = { kind: 'delay', ms: 3000 } as const
  return emulator.interrupted(emulator.given(said, { attempt, post }), COMMENTS, { signal, fault })
}

const cancelledAttempt = (emulator: World, said: Said, attempt: number) =>
  endedAttempt(emulator, said, attempt, 'SIGINT')

test('5.2 one job for a thread in which two requests found none, and the first is run again before the second', async () => {
  const emulator = ownWorld()
  emulator.faults.add({ match: CREATE, times: 2, fault: { kind: 'html', status: 502 } })
  const first = await emulator.ask('/docs explain')
  const second = await emulator.ask('/docs shorten it', { runId: 2 })
  for (const result of [first, second]) expectOutcome(result, 'error', 'creation-uncertain')
  const { outputs } = await emulator.act(first.said, { attempt: 2 })
  expect(outputs['job-action']).toBe('created')
  const last = await emulator.act(second.said, { attempt: 2, runId: 2 })
  expect(last.outputs).toMatchObject({ 'job-action': 'continued', 'job-id': outputs['job-id'] })
})

test.each([402, 401, 422])(
  '5.2 what may be under way is still unknown after a re-run that the service refused with %s',
  async (status) => {
    const emulator = ownWorld()
    const said = emulator.say('/docs explain')
    emulator.faults.add({ match: CREATE, fault: { kind: 'reset', when: 'after' } })
    expectOutcome(await emulator.act(said), 'error', 'creation-uncertain')
    const [body] = emulator.bodies()
    emulator.faults.add({ match: CREATE, fault: { kind: 'status', status } })
    const { outputs } = await emulator.act(said, { attempt: 2 })
    expect(outputs).toMatchObject({
      outcome: 'error',
      reason: expect.not.stringContaining('creation-uncertain'),
    })
    expect(emulator.bodies()).toEqual([body])
    await emulator.ask('/docs status', { by: 'bob', runId: 2 })
    expect(emulator.lastWords()).not.toContain('has no job')
  },
)

test('5.2 what may be under way is still unknown after a re-run that is cancelled before it asks', async () => {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  emulator.faults.add({ match: CREATE, fault: { kind: 'reset', when: 'after' } })
  await emulator.act(said)
  const bodies = emulator.bodies()
  expectOutcome(await cancelledAttempt(emulator, said, 2), 'cancelled')
  expect(emulator.bodies()).toEqual(bodies)
})

/** The first attempt, whose runner is lost at this request, after the server has processed it. */
const lostAttempt = (emulator: World, said: Said, match: FaultMatch) =>
  emulator.interrupted(emulator.given(said, { post: false }), match, { when: 'after' })

test('5.2 6.1 a re-run that is cancelled before its plan leaves the job that an earlier attempt started', async () => {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  const first = await lostAttempt(emulator, said, READ)
  const id = first.outputs['job-id']
  const second = await cancelledAttempt(emulator, said, 2)
  expect(second.outputs).toMatchObject({ outcome: 'cancelled', 'job-id': id })
  const third = await emulator.act(said, { attempt: 3 })
  expect(third.outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'resumed', 'job-id': id })
  expect(emulator.promptCounts()).toEqual([1])
  expect(emulator.bodies()).toHaveLength(1)
})

test('5.2 what was under way when an earlier attempt died is still unknown after a cancelled one', async () => {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  await lostAttempt(emulator, said, CREATE)
  const second = await cancelledAttempt(emulator, said, 2)
  expect(second.outputs).toMatchObject({ outcome: 'error', reason: 'creation-uncertain' })
  expect(emulator.bodies().join()).toContain("Look for the job in Mintlify's dashboard")
  // People were asked to look.
  const third = await emulator.act(said, { attempt: 3 })
  expect(third.outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'created' })
  expect(emulator.promptCounts()).toEqual([1, 1])
  expect(emulator.bodies()).toHaveLength(1)
})

test('6.2 the post step of a re-run that was killed before its plan tells what an earlier attempt left', async () => {
  const tell = async (match: FaultMatch) => {
    const emulator = ownWorld()
    const said = emulator.say('/docs explain')
    await lostAttempt(emulator, said, match)
    const { post } = await endedAttempt(emulator, said, 2, 'SIGKILL')
    return [emulator.bodies(), post?.log]
  }
  // Its job has ended meanwhile.
  const opened = expect.stringContaining('The docs agent opened')
  expect(await tell(READ)).toEqual([[opened], opened])
  const isUnknown = expect.stringContaining(SAYS.uncertain)
  expect(await tell(CREATE)).toEqual([[isUnknown], isUnknown])
})

test('5.2 8.1 a request that was under way is not known after a sweep either: that says so, and a re-run asks', async () => {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  await emulator.interrupted(emulator.given(said, { post: false }), CREATE, { when: 'after' })
  await emulator.pass(60 * 60_000)
  await emulator.collect()
  expect(emulator.lastWords()).toContain(SAYS.uncertain)
  expectOutcome(await emulator.act(said, { attempt: 2 }), 'pull-request')
  expect(emulator.promptCounts()).toEqual([1, 1])
})

describe('5.2 a re-run of a request whose job failed', () => {
  async function failed(inputs: Record<string, string> = {}) {
    const emulator = ownWorld()
    emulator.service.script.push({ ending: 'failed' })
    const { said, ...result } = await emulator.ask('/docs explain', { inputs })
    expectOutcome(result, 'failed')
    return { emulator, said }
  }
  const words = ({ bodies }: World) => bodies().map((body) => body.split('\n')[0])

  test.each(['confused', 'eyes', 'rocket'] as const)(
    '5.3 the %s of somebody else stays',
    async (reaction) => {
      const { emulator, said } = await failed()
      const [comment] = emulator.github.comments(ISSUE).filter(({ id }) => id === said.id)
      if (comment !== undefined) emulator.github.react(comment, reaction, userOf('mallory'))
      await emulator.act(said, { attempt: 2 })
      expect(emulator.reactions(said.id).toSorted()).toEqual([reaction, 'rocket'].toSorted())
    },
  )

  test('asks again, with a new job, and its result takes the place of the first', {
    tags: 'bundle',
  }, async () => {
    const { emulator, said } = await failed()
    const [first] = emulator.records()
    const { outputs } = await emulator.act(said, { attempt: 2 })
    expect(outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'created' })
    expect(emulator.promptCounts()).toEqual([1, 1])
    expect(words(emulator)).toEqual([expect.stringContaining('opened')])
    expect(emulator.lastWords()).toContain('The job of an earlier attempt failed')
    expect(emulator.records()).toMatchObject([
      { requestedAt: first?.requestedAt, job: { id: outputs['job-id'] } },
    ])
    expect(emulator.reactions(said.id)).toEqual(['rocket'])
    const third = await emulator.act(said, { attempt: 3 })
    expect(third.outputs).toMatchObject({ 'job-action': 'resumed', 'job-id': outputs['job-id'] })
    expect(emulator.promptCounts()).toEqual([1, 1])
  })

  test.each([
    ['before the job is created', CREATE, { fault: { kind: 'reset' } } as const, [1, 1]],
    ['after it', CREATE, { when: 'after' } as const, [1, 1, 1]],
    ['while it works', READ, { skip: 1, when: 'after' } as const, [1, 1]],
  ])(
    'that is killed %s creates none twice: the next one goes on, or asks people to look',
    async (at, match, interruption, counts) => {
      const { emulator, said } = await failed()
      await emulator.interrupted(emulator.given(said, { attempt: 2, post: false }), match, interruption)
      expect(words(emulator).at(-1)).toContain('is working')
      const third = await emulator.act(said, { attempt: 3 })
      if (at === 'while it works') {
        expect(third.outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'resumed' })
      } else {
        expectOutcome(third, 'error', 'creation-uncertain')
        expectOutcome(await emulator.act(said, { attempt: 4 }), 'pull-request')
      }
      expect(emulator.promptCounts()).toEqual(counts)
      expect(emulator.bodies()).toHaveLength(1)
    },
  )
})

test('5.2 on a thread that cannot be read a re-run sends nothing', async () => {
  const emulator = ownWorld()
  const { said } = await emulator.ask('/docs explain')
  const fault = { kind: 'status', status: 403 } as const
  const unread = async (more: More) => {
    const refusal = emulator.faults.add({ match: COMMENTS, times: Number.POSITIVE_INFINITY, fault })
    const result = await emulator.act(said, more)
    refusal.remove()
    return result
  }
  expectOutcome(await unread({ attempt: 2 }), 'error', 'creation-uncertain')
  expectOutcome(await unread({ attempt: 3, inputs: { 'dry-run': 'true' } }), 'skipped', 'dry-run')
  expect(emulator.promptCounts()).toEqual([1])
})

test('5.2 a re-run whose prompt was computed anew finds its job, sends nothing, and shows no other one', async () => {
  const emulator = ownWorld()
  const said = emulator.say('A comment.')
  const inputs = { prompt: 'Refresh, as of 06:17.', wait: 'false' }
  const first = await emulator.act(said, { inputs })
  const again = await emulator.act(said, { attempt: 2, inputs: { prompt: 'Refresh, as of 09:00.' } })
  expect(again.outputs).toMatchObject({ 'job-id': first.outputs['job-id'], 'job-action': 'resumed' })
  expect(emulator.promptCounts()).toEqual([1])
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
  expect(emulator.bodies().join()).not.toContain('as of 09:00')
})

test('5.2 5.4 a re-run goes on with all that the record knows: who asked first, and what for', async () => {
  const emulator = ownWorld()
  emulator.github.setPermission('dora', 'write')
  const inputs = {
    'issue-number': '12',
    prompt: 'Explain retries.',
    reviewers: 'dora, requester',
    labels: 'docs',
  }
  await emulator.interrupted(emulator.given(DISPATCH, { inputs, post: false }), READ, { when: 'after' })
  // Somebody else starts it again, with a workflow that asks for less.
  const event = { ...DISPATCH, payload: { sender: { login: 'bob', type: 'User' } } }
  const again = await emulator.act(event, { attempt: 2, inputs: { ...inputs, reviewers: '', labels: '' } })
  expect(again.outputs, again.log).toMatchObject({ outcome: 'pull-request', 'job-action': 'resumed' })
  expect(emulator.bodies()).toEqual([expect.stringMatching(/for @alice\./)])
  expect(emulator.github.pull(77).requestedReviewers).toEqual(['dora', 'alice'])
  expect(emulator.github.repo().issues.get(77)?.labels).toEqual(['docs'])
})

test('4.9 5.2 a re-run of an older request never becomes the one to continue', async () => {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  await lostAttempt(emulator, said, READ)
  await emulator.ask('/docs new other', { runId: 2 })
  await emulator.act(said, { attempt: 2 })
  await emulator.ask('/docs more', { runId: 3 })
  expect(emulator.promptCounts()).toEqual([1, 2])
})

test('5.2 a re-run whose job a sweep reported meanwhile ends with that outcome, and leaves the thread alone', async () => {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  const first = await lostAttempt(emulator, said, READ)
  await emulator.pass(51 * 60_000)
  await emulator.collect()
  const before = [emulator.bodies(), emulator.reactions(said.id)]
  emulator.clearRequests()
  const { outputs } = await emulator.act(said, { attempt: 2 })
  const known = { 'job-id': first.outputs['job-id'], 'job-action': 'resumed' }
  expect(outputs).toMatchObject({ outcome: 'pull-request', ...known })
  expect([emulator.bodies(), emulator.reactions(said.id)]).toEqual(before)
  expect(emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  expect(emulator.calls('service')).toEqual([])
})

test('5.4 a re-run that follows the job, and then loses it, says so over its own status', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ ending: 'active-forever' })
  const { said, outputs } = await emulator.ask('/docs explain', { inputs: { 'timeout-minutes': '0.05' } })
  expect(outputs.outcome).toBe('timed-out')
  emulator.faults.add({ match: READ, skip: 1, times: 1, fault: { kind: 'status', status: 401 } })
  expectOutcome(await emulator.act(said, { attempt: 2 }), 'error', 'unauthorized')
  expect(emulator.bodies()).toEqual([expect.stringContaining('whether the key has expired')])
  expect(emulator.reactions(said.id)).toEqual(['confused'])
})

test('H1 5.2 a re-run of an earlier request makes a new job: the next request goes there, not to the job that failed', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ ending: 'failed' }, { ending: 'failed' })
  const { said } = await emulator.ask('/docs explain', { runId: 1 })
  expectOutcome(await emulator.ask('/docs try retries again', { by: 'bob', runId: 2 }), 'failed')
  expectOutcome(await emulator.act(said, { runId: 1, attempt: 2 }), 'pull-request')
  const { outputs } = await emulator.ask('/docs shorten', { runId: 3 })
  expect(outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'continued' })
  expect(emulator.promptCounts()).toEqual([2, 2])
})

test.each<[string, Turn, string]>([
  ['reports the end', {}, 'pull-request'],
  ['follows the job', { ending: 'active-forever' }, 'timed-out'],
  ['finds that nothing came of it', { pr: 'none' }, 'no-pull-request'],
])(
  'H7 5.2 a re-run that %s says nothing of an issue that was edited since: the agent got its text',
  async (_, turn, outcome) => {
    const emulator = ownWorld()
    emulator.service.script.push(turn)
    const inputs = { 'timeout-minutes': '0.05' }
    const { said } = await emulator.ask('/docs explain', { inputs })
    emulator.github.editIssue(ISSUE, { body: 'Something else.' })
    const { outputs, log, summary } = await emulator.act(said, { attempt: 2, inputs })
    expect(outputs).toMatchObject({ outcome, 'job-action': 'resumed' })
    for (const text of [log, summary, ...emulator.bodies()])
      expect(text).not.toContain('did not get the text')
  },
)
