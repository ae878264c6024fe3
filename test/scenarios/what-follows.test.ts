import { expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import type { ActionRun } from '../../emulator/runner.ts'
import { SAYS } from '../helpers/phrases.ts'
import {
  CREATE,
  expectOutcome,
  IN_BUNDLE,
  ownWorld,
  READ,
  type Said,
  SCHEDULE,
  type World,
  world,
} from '../helpers/world.ts'

// Contract 5.6: what follows the result is done once, whichever process comes to it.

const INPUTS = { reviewers: 'dora, requester', labels: 'docs' }
/** The status comment is the first one. */
const COMMENT: FaultMatch = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ }
const THREAD: FaultMatch = { host: 'github', method: 'GET', path: /\/issues\/\d+\/comments$/ }
const MINUTE = 60_000

function peopled(emulator = ownWorld()) {
  emulator.github.setPermission('dora', 'write')
  return emulator
}

/** From such a request on, once it is processed, the others get no answer for so long. */
function awayAfter({ faults, settings }: World, match: FaultMatch, ms: number, of: FaultMatch, skip = 0) {
  const call = () => {
    const from = settings.now()
    faults.add({ match: of, between: [from, from + ms], fault: { kind: 'reset' } })
  }
  faults.add({ match, skip, fault: { kind: 'call', when: 'after', call } })
}

/** Who does it. */
const OTHERS = {
  'the post step': async () => {},
  'a re-run': async (emulator: World, said: Said) => void (await emulator.act(said, { attempt: 2 })),
  'the next sweep': async (emulator: World) => {
    // A run does what follows its result itself, as long as it may be alive.
    await emulator.pass(MINUTE)
    await emulator.collect()
  },
}
const BY = Object.entries(OTHERS).filter(([by]) => !(IN_BUNDLE && by === 'the next sweep'))
const post = (by: string): Partial<ActionRun> => ({ post: by === 'the post step' })

/** All that follows was done, and nothing of it a second time. */
function expectDone(emulator: World, said: Said) {
  const { github } = emulator
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
  expect(emulator.bodies(77)).toEqual([expect.stringContaining('answers octo/app#12')])
  expect(github.pull(77).requestedReviewers).toEqual(['dora', 'alice'])
  expect(github.repo().issues.get(77)?.labels).toEqual(['docs'])
  expect(emulator.reactions(said.id)).toEqual(['rocket'])
  const asked = emulator.requests.filter(
    ({ path, status }) => path.endsWith('/requested_reviewers') && status === 201,
  )
  expect(asked).toHaveLength(1)
}

async function expectNothingLeft(emulator: World) {
  if (!IN_BUNDLE) await emulator.pass(MINUTE)
  emulator.clearRequests()
  await emulator.collect()
  expect(emulator.calls()).toEqual(['GET /repos/octo/app/issues/comments'])
}

test.each(BY)('5.6 killed right after the result: %s does the rest', async (by, comes) => {
  const emulator = peopled()
  const said = emulator.say('/docs explain')
  const run = emulator.given(said, { inputs: INPUTS, ...post(by) })
  let between = ''
  const look = () => {
    between = emulator.lastWords()
  }
  emulator.faults.add({ match: COMMENT, skip: 1, fault: { kind: 'call', when: 'after', call: look } })
  await emulator.interrupted(run, COMMENT, { skip: 1, when: 'after' })
  expect(between).toContain('reply here with')
  await comes(emulator, said)
  expectDone(emulator, said)
  await expectNothingLeft(emulator)
})

const REVIEW_ASKED: FaultMatch = { method: 'POST', path: /\/requested_reviewers$/ }

test.each(BY)(
  '4.11 5.6 killed right after the reviewers were asked, one of whom answers: %s asks none of them again',
  async (by, comes) => {
    const emulator = peopled()
    emulator.github.access.teams.add('writers')
    const inputs = { ...INPUTS, reviewers: 'Dora, requester, octo/writers' }
    const said = emulator.say('/docs explain')
    const run = emulator.given(said, { inputs, ...post(by) })
    const answer = () => void emulator.github.addReview(77, { login: 'dora', body: 'Fine.' })
    emulator.faults.add({ match: REVIEW_ASKED, fault: { kind: 'call', when: 'after', call: answer } })
    await emulator.interrupted(run, REVIEW_ASKED, { when: 'after' })
    await comes(emulator, said)
    const { requestedReviewers, requestedTeams } = emulator.github.pull(77)
    expect({ requestedReviewers, requestedTeams }).toEqual({
      requestedReviewers: ['alice'],
      requestedTeams: ['writers'],
    })
    expect(emulator.github.repo().issues.get(77)?.labels).toEqual(['docs'])
    expect(emulator.calls().filter((call) => /^POST .*\/requested_reviewers$/.test(call))).toHaveLength(1)
    await expectNothingLeft(emulator)
  },
)

test.skipIf(IN_BUNDLE).each(BY)(
  '5.6 GitHub is away right after the result: %s does the rest',
  async (by, comes) => {
    const emulator = peopled()
    const away = by === 'the post step' ? 3 * MINUTE : 6 * MINUTE
    awayAfter(emulator, COMMENT, away, { host: 'github' }, 1)
    const { said, ...result } = await emulator.ask('/docs explain', { inputs: INPUTS, ...post(by) })
    expectOutcome(result, 'pull-request')
    expect(result.annotations).toMatchObject([{ message: expect.stringContaining('collect tries again') }])
    await emulator.pass(6 * MINUTE)
    await comes(emulator, said)
    expectDone(emulator, said)
    await expectNothingLeft(emulator)
  },
)

/** A re-run that is cancelled while it reads the thread. */
function cancelledReRun(emulator: World, event: ActionRun['event'], more: Partial<ActionRun> = {}) {
  emulator.faults.add({ match: THREAD, fault: { kind: 'delay', ms: 100 } })
  const run = emulator.given(event, { attempt: 2, post: false, ...more })
  return emulator.interrupted(run, THREAD, { signal: 'SIGINT' })
}

test.each<[string, (emulator: World, said: Said) => Promise<unknown>]>([
  ['is cancelled', cancelledReRun],
  ['is a dry run', (emulator, said) => emulator.act(said, { attempt: 2, inputs: { 'dry-run': 'true' } })],
])('5.3 5.6 a re-run that %s gives the result of the one before no other reaction', async (_, reRun) => {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  await emulator.interrupted(emulator.given(said, { post: false }), COMMENT, { skip: 1, when: 'after' })
  await reRun(emulator, said)
  await emulator.collect()
  expect(emulator.reactions(said.id)).toEqual(['rocket'])
  expect(emulator.bodies(77)).toHaveLength(1)
})

test('3.9 5.6 a re-run that is cancelled takes no refresh back that the tracking issue does not show yet', async () => {
  const emulator = world()
  const run = { inputs: { prompt: 'Refresh.', 'issue-title': 'Docs refresh' }, runId: 1 }
  const match = { method: 'POST', path: /\/issues\/\d+\/comments$/ }
  const first = emulator.given(SCHEDULE, { ...run, post: false })
  await emulator.interrupted(first, match, { skip: 1, when: 'after' })
  await cancelledReRun(emulator, SCHEDULE, run)
  await emulator.collect()
  const [issue] = [...emulator.github.repo().issues.values()].filter(({ title }) => title === 'Docs refresh')
  expect(issue?.body).toMatch(/^Last refresh: .*, opened \[octo\/docs#77\]/m)
})

const DELETION: FaultMatch = { host: 'github', method: 'DELETE', path: /\/issues\/comments\/\d+$/ }

test.skipIf(IN_BUNDLE).each(BY)(
  '5.4 5.6 the status comment cannot be deleted for minutes: %s deletes it, and asks for no second review',
  async (by, comes) => {
    // The result says all that it ever will, so it is written once.
    const emulator = peopled(world({ tokenCoversDocs: true }))
    awayAfter(emulator, COMMENT, 3 * MINUTE, DELETION, 1)
    const { said } = await emulator.ask('/docs explain', { inputs: { reviewers: 'dora' }, ...post(by) })
    await emulator.pass(MINUTE)
    await comes(emulator, said)
    expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
    expect(emulator.calls().filter((call) => /^POST .*\/requested_reviewers$/.test(call))).toHaveLength(1)
  },
)

test('5.4 6.1 cancelled while GitHub takes seconds for each answer: the post step leaves one comment', async () => {
  const emulator = ownWorld()
  emulator.service.everyTurn = { ending: 'active-forever' }
  const slow = { kind: 'delay', ms: 3000 } as const
  emulator.faults.add({ match: { host: 'github' }, times: Number.POSITIVE_INFINITY, fault: slow })
  const said = emulator.say('/docs explain')
  await emulator.interrupted(emulator.given(said), READ, { signal: 'SIGINT' })
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.cancelled)])
  expect(emulator.reactions(said.id)).toEqual(['confused'])
})

test.skipIf(IN_BUNDLE)(
  '5.3 5.6 an error whose reaction GitHub does not take for minutes: the post step adds it',
  async () => {
    const emulator = ownWorld()
    emulator.faults.add({ match: CREATE, fault: { kind: 'status', status: 402 } })
    awayAfter(emulator, COMMENT, 3 * MINUTE, { method: 'POST', path: /\/reactions$/ }, 1)
    const { said } = await emulator.ask('/docs explain')
    expect(emulator.reactions(said.id)).toEqual(['confused'])
    expect(emulator.bodies()).toHaveLength(1)
  },
)

test.each<[string, FaultMatch, number]>([
  ['the comment on the pull request', { method: 'POST', path: /\/issues\/77\/comments$/ }, 0],
  ['the reviewers', { path: /\/requested_reviewers$/ }, 0],
  ['the reaction', { method: 'POST', path: /\/reactions$/ }, 1],
  ['the deletion', { method: 'DELETE', path: /\/issues\/comments\/\d+$/ }, 0],
])('5.6 8.2 a sweep between a result and %s does nothing a second time', async (_, match, skip) => {
  const emulator = peopled()
  const call = async () => void (await emulator.collect())
  emulator.faults.add({ match, skip, fault: { kind: 'call', call } })
  const { said } = await emulator.ask('/docs explain', { inputs: INPUTS })
  expectDone(emulator, said)
})

test('4.11 authors whom an earlier run asked, and who answered, are not asked again', async () => {
  const emulator = ownWorld()
  emulator.github.setPermission('dora', 'write')
  emulator.github.addPullRequest({ number: 30, user: 'dora' })
  const said = emulator.say('/docs explain', { on: 30 })
  const match = { method: 'POST', path: /\/requested_reviewers$/ } as const
  const run = emulator.given(said, { inputs: { reviewers: 'authors' }, post: false })
  const answer = () => void emulator.github.addReview(77, { login: 'dora', body: 'Fine.' })
  emulator.faults.add({ match, fault: { kind: 'call', when: 'after', call: answer } })
  await emulator.interrupted(run, match, { when: 'after' })
  await emulator.act(said, { attempt: 2, inputs: { reviewers: 'authors' } })
  expect(emulator.calls().filter((call) => /^POST .*\/requested_reviewers$/.test(call))).toHaveLength(1)
})
