import { expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import type { ActionRun } from '../../emulator/runner.ts'
import {
  expectOutcome,
  IN_BUNDLE,
  ownWorld,
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
  'the next sweep': async (emulator: World) => void (await emulator.collect()),
}
const BY = Object.entries(OTHERS)
const post = (by: string): Partial<ActionRun> => ({ post: by === 'the post step' })

/** All that follows was done, and nothing of it a second time. */
function expectDone(emulator: World, said: Said) {
  const { github } = emulator
  expect(emulator.bodies()).toEqual([expect.stringContaining('opened')])
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

test.skipIf(IN_BUNDLE).each(BY)(
  '5.6 GitHub is away right after the result: %s does the rest',
  async (by, comes) => {
    const emulator = peopled()
    const away = by === 'the post step' ? 3 * MINUTE : 6 * MINUTE
    awayAfter(emulator, COMMENT, away, { host: 'github' }, 1)
    const { said, ...result } = await emulator.ask('/docs explain', { inputs: INPUTS, ...post(by) })
    expectOutcome(result, 'pull-request')
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
