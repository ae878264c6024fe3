import { expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import type { ActionRun } from '../../emulator/runner.ts'
import { SAYS } from '../helpers/phrases.ts'
import { expectOutcome, ownWorld, READ, type Said, type World } from '../helpers/world.ts'

// Contract 5.6: where a run is killed, or GitHub is away, right beside its result, whoever comes next does all that follows
// once more, and people see it once.

const MINUTE = 60_000
const INPUTS = { reviewers: 'dora, requester', labels: 'docs' }
/** The status comment is the first one. */
const COMMENT: FaultMatch = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ }
const REVIEWERS: FaultMatch = { method: 'POST', path: /\/requested_reviewers$/ }

function peopled() {
  const emulator = ownWorld()
  emulator.github.setPermission('dora', 'write')
  return emulator
}

/** From now on, such requests get no answer for so long. */
function away({ faults, settings }: World, match: FaultMatch, ms: number): void {
  const from = settings.now()
  const fault = { kind: 'status', status: 502 } as const
  faults.add({ match, times: Number.POSITIVE_INFINITY, between: [from, from + ms], fault })
}

/** Who does it. */
const OTHERS = {
  'the post step': async () => {},
  'a re-run': async (emulator: World, said: Said) => void (await emulator.act(said, { attempt: 2 })),
  'the next sweep': async (emulator: World) => {
    // A run does what follows its result itself, as long as it may be alive.
    await emulator.pass(51 * MINUTE)
    await emulator.collect()
  },
}
const BY = Object.entries(OTHERS)
const post = (by: string): Partial<ActionRun> => ({ post: by === 'the post step' })

/** All that follows was done, and people see each of it once. */
function expectDone(emulator: World, said: Said) {
  const { github } = emulator
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
  expect(emulator.bodies(77)).toEqual([expect.stringContaining('answers octo/app#12')])
  expect(github.pull(77).requestedReviewers).toEqual(['dora', 'alice'])
  expect(github.repo().issues.get(77)?.labels).toEqual(['docs'])
  expect(emulator.reactions(said.id)).toEqual(['rocket'])
  expect(emulator.promptCounts()).toEqual([1])
}

async function expectNothingLeft(emulator: World) {
  await emulator.pass(51 * MINUTE)
  emulator.clearRequests()
  await emulator.collect()
  expect(emulator.calls()).toEqual(['GET /repos/octo/app/issues/comments'])
}

const PLACES: readonly (readonly [string, FaultMatch, number, 'before' | 'after'])[] = [
  ['before the reviewers are asked', REVIEWERS, 0, 'before'],
  ['right after the result', COMMENT, 1, 'after'],
]

test.each(PLACES.flatMap((place) => BY.map((by) => [...place, ...by] as const)))(
  '5.6 killed %s: %5$s does the rest',
  async (_, match, skip, when, by, comes) => {
    const emulator = peopled()
    const said = emulator.say('/docs explain')
    await emulator.interrupted(emulator.given(said, { inputs: INPUTS, ...post(by) }), match, { skip, when })
    await comes(emulator, said)
    expectDone(emulator, said)
    await expectNothingLeft(emulator)
  },
)

test.each(BY)(
  '5.6 GitHub is away for two minutes right beside the result: %s does the rest',
  async (by, comes) => {
    const emulator = peopled()
    const call = () => away(emulator, { host: 'github' }, 2 * MINUTE)
    emulator.faults.add({ match: COMMENT, skip: 1, fault: { kind: 'call', when: 'after', call } })
    const { said, ...result } = await emulator.ask('/docs explain', { inputs: INPUTS, ...post(by) })
    expectOutcome(result, 'pull-request')
    await emulator.pass(6 * MINUTE)
    await comes(emulator, said)
    expectDone(emulator, said)
    await expectNothingLeft(emulator)
  },
)

test.each(
  ['dora', 'DORA', 'Dora\nocto/Writers'].flatMap((reviewers) => BY.map((by) => [reviewers, ...by] as const)),
)(
  '4.11 with reviewers %j, dora reviews before the result comes: %s asks for no other review',
  async (reviewers, by, comes) => {
    const emulator = peopled()
    emulator.github.access.teams.add('Writers')
    const said = emulator.say('/docs explain')
    const run = emulator.given(said, { inputs: { reviewers }, ...post(by) })
    const review = () => void emulator.github.addReview(77, { login: 'dora', body: 'Fine.' })
    emulator.faults.add({ match: REVIEWERS, fault: { kind: 'call', when: 'after', call: review } })
    await emulator.interrupted(run, COMMENT, { skip: 1, fault: { kind: 'status', status: 502 } })
    await comes(emulator, said)
    expect(emulator.lastWords()).toContain(SAYS.opened)
    expect(emulator.github.pull(77).requestedReviewers).toEqual([])
    expect(emulator.calls().filter((call) => /^POST .*requested_reviewers$/.test(call))).toHaveLength(1)
  },
)

test('5.2 a re-run that cannot read the thread says nothing over what it does not know', async () => {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  await emulator.interrupted(emulator.given(said, { post: false }), READ, { when: 'after' })
  away(emulator, { method: 'GET', path: /\/issues\/12\/comments$/ }, 3 * MINUTE)
  expectOutcome(await emulator.act(said, { attempt: 2 }), 'error', 'github-unavailable')
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.works)])
  await emulator.pass(3 * MINUTE)
  expectOutcome(await emulator.act(said, { attempt: 3 }), 'pull-request')
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
  expect(emulator.promptCounts()).toEqual([1])
})

test('5.7 4.13 an endpoint that fails before the agent is asked: thread, reaction and commit status say the end', async () => {
  const emulator = ownWorld({
    permissions: { issues: 'write', pull_requests: 'write', contents: 'read', statuses: 'write' },
  })
  emulator.github.addPullRequest({ number: 30, user: 'alice' })
  await emulator.ask('/docs explain', { on: 30 })
  away(emulator, { method: 'GET', path: /\/pulls\/77$/ }, 3 * MINUTE)
  const inputs = { 'commit-status': 'docs' }
  const { said, ...result } = await emulator.ask('/docs more', { on: 30, inputs })
  expectOutcome(result, 'error', 'github-unavailable')
  expect(emulator.promptCounts()).toEqual([1])
  expect(emulator.lastWords(30)).toMatch(/^\*\*❌ /)
  expect(emulator.reactions(said.id)).toEqual(['confused'])
  const statuses = emulator.github.statuses(emulator.github.pull(30).head.sha)
  expect(statuses.at(-1)).toMatchObject({ state: 'error' })
})
