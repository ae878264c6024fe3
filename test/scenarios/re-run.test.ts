import { expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import {
  CREATE,
  DISPATCH,
  expectOutcome,
  IN_BUNDLE,
  ownWorld,
  READ,
  type Said,
  SCHEDULE,
  type World,
} from '../helpers/world.ts'

const COMMENTS = { host: 'github', method: 'GET', path: /\/issues\/12\/comments$/ } as const

/** An attempt that gets the signal while it reads the thread, before it has a plan. */
function endedAttempt(emulator: World, said: Said, attempt: number, signal: NodeJS.Signals) {
  // The permission is known by then: before that, a run writes nothing.
  emulator.faults.add({ match: COMMENTS, fault: { kind: 'delay', ms: 100 } })
  const post = signal === 'SIGKILL'
  return emulator.interrupted(emulator.given(said, { attempt, post }), COMMENTS, { signal })
}

const cancelledAttempt = (emulator: World, said: Said, attempt: number) =>
  endedAttempt(emulator, said, attempt, 'SIGINT')

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
  expect(emulator.bodies().join()).toContain('Look at the dashboard first')
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
  const goesOn = expect.stringMatching(/The run was cancelled; the job \S+ goes on/)
  expect(await tell(READ)).toEqual([[goesOn], goesOn])
  const isUnknown = expect.stringContaining('It is not known whether a job was started')
  expect(await tell(CREATE)).toEqual([[isUnknown], isUnknown])
})

test('6.2 it adds nothing to what an earlier attempt told', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ ending: 'active-forever' })
  const { said } = await emulator.ask('/docs explain', { inputs: { 'timeout-minutes': '0.05' } })
  const told = emulator.bodies()
  expect(told).toEqual([expect.stringContaining('Still working')])
  const { post } = await endedAttempt(emulator, said, 2, 'SIGKILL')
  expect([emulator.bodies(), post?.log]).toEqual([told, ''])
})

test('5.5 a re-run adds the way back from the pull request that a killed run could not leave', async () => {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  const match = { method: 'POST', path: /\/issues\/77\/comments$/ }
  await emulator.interrupted(emulator.given(said, { post: false }), match, { fault: { kind: 'reset' } })
  expect(emulator.bodies(77)).toEqual([])
  await emulator.act(said, { attempt: 2 })
  expect(emulator.bodies(77)).toHaveLength(1)
})

test('5.2 on a thread that cannot be read a re-run sends nothing', async () => {
  const emulator = ownWorld()
  const { said } = await emulator.ask('/docs explain')
  const fault = { kind: 'status', status: 403 } as const
  emulator.faults.add({ match: COMMENTS, times: Number.POSITIVE_INFINITY, fault })
  expectOutcome(await emulator.act(said, { attempt: 2 }), 'error', 'creation-uncertain')
  const dry = await emulator.act(said, { attempt: 3, inputs: { 'dry-run': 'true' } })
  expectOutcome(dry, 'skipped', 'dry-run')
  expect(emulator.promptCounts()).toEqual([1])
})

test.skipIf(IN_BUNDLE)('5.3 6.2 a re-run that is cancelled changes nothing about a result', async () => {
  const emulator = ownWorld()
  const { said } = await emulator.ask('/docs explain')
  const before = [emulator.bodies(), emulator.reactions(said.id)]
  const { outputs } = await cancelledAttempt(emulator, said, 2)
  expect(outputs.outcome).toBe('cancelled')
  expect([emulator.bodies(), emulator.reactions(said.id)]).toEqual(before)
  expect(emulator.promptCounts()).toEqual([1])
})

test('5.2 a re-run whose prompt was computed anew finds its job, sends nothing, and shows what the job got', async () => {
  const emulator = ownWorld()
  const said = emulator.say('A comment.')
  const inputs = { prompt: 'Refresh, as of 06:17.', wait: 'false' }
  const first = await emulator.act(said, { inputs })
  const again = await emulator.act(said, { attempt: 2, inputs: { prompt: 'Refresh, as of 09:00.' } })
  expect(again.outputs).toMatchObject({ 'job-id': first.outputs['job-id'], 'job-action': 'resumed' })
  expect(emulator.promptCounts()).toEqual([1])
  expect(emulator.bodies()).toEqual([expect.stringContaining('as of 06:17.')])
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

test('3.10 5.2 a re-run names the merged pull requests that its request covers, and later ones are left to the next', async () => {
  const emulator = ownWorld()
  for (const title of ['First change', 'Second change']) emulator.merge({ title })
  const inputs = { prompt: 'Refresh.', 'issue-title': 'Docs refresh', 'changes-since': 'last-run' }
  const run = emulator.given(SCHEDULE, { inputs, runId: 1, post: false })
  await emulator.interrupted(run, READ, { when: 'after' })
  emulator.merge({ title: 'Third change', days: 0 })
  await emulator.act(SCHEDULE, { inputs, runId: 1, attempt: 2 })
  const [issue] = [...emulator.github.repo().issues.values()].filter(({ title }) => title === 'Docs refresh')
  expect(issue?.body).toMatch(/^Last refresh: .*, 2 merged pull requests\.$/m)
  const next = await emulator.act(SCHEDULE, { inputs, runId: 2 })
  expectOutcome(next, 'pull-request')
  expect(emulator.prompts().at(-1)).toContain('Third change')
  expect(emulator.prompts().at(-1)).not.toContain('Second change')
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

test.skipIf(IN_BUNDLE)(
  '4.9 5.2 a re-run goes on with the latest request, also where the clock of its first attempt was behind',
  async () => {
    const emulator = ownWorld()
    await emulator.ask('/docs explain')
    emulator.setWallClock(-3_600_000)
    const said = emulator.say('/docs new other')
    await cancelledAttempt(emulator, said, 1)
    await emulator.act(said, { attempt: 2 })
    await emulator.ask('/docs more', { runId: 3 })
    expect(emulator.promptCounts()).toEqual([1, 2])
  },
)

test('5.2 two calls of one reusable workflow are two requests', async () => {
  const emulator = ownWorld()
  const said = emulator.say('A comment.')
  for (const prompt of ['Explain retries.', 'Explain pauses.']) {
    await emulator.act(said, { inputs: { prompt, conversation: 'new' } })
  }
  expect(emulator.service.jobs().map(({ prompts }) => prompts.join())).toEqual([
    expect.stringContaining('Explain retries.'),
    expect.stringContaining('Explain pauses.'),
  ])
  expect(emulator.bodies()).toHaveLength(2)
})

test.skipIf(IN_BUNDLE)(
  '5.2 a re-run whose job a sweep reported meanwhile ends with that outcome, and leaves the thread alone',
  async () => {
    const emulator = ownWorld()
    const said = emulator.say('/docs explain')
    const first = await lostAttempt(emulator, said, READ)
    await emulator.pass(31 * 60_000)
    await emulator.collect()
    const before = [emulator.bodies(), emulator.reactions(said.id)]
    emulator.clearRequests()
    const { outputs } = await emulator.act(said, { attempt: 2 })
    const known = { 'job-id': first.outputs['job-id'], 'job-action': 'resumed' }
    expect(outputs).toMatchObject({ outcome: 'pull-request', ...known })
    expect([emulator.bodies(), emulator.reactions(said.id)]).toEqual(before)
    expect(emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([])
    expect(emulator.calls('service')).toEqual([])
  },
)
