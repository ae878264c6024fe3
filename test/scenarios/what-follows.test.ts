import { expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import type { ActionRun } from '../../emulator/runner.ts'
import { SAYS } from '../helpers/phrases.ts'
import { expectOutcome, IN_BUNDLE, ownWorld, type Said, type World } from '../helpers/world.ts'

// Contract 5.6: what follows the result is done once, whichever process comes to it.

const INPUTS = { reviewers: 'dora, requester', labels: 'docs' }
/** The status comment is the first one. */
const COMMENT: FaultMatch = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ }
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
