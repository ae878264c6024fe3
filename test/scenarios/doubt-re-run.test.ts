import { describe, expect, test } from 'vitest'
import { type ActionRun, runAction } from '../../emulator/runner.ts'
import { CODE, codeWorld, DELIVERED, INPUTS, pulled, saidOf } from '../helpers/code-world.ts'
import { CREATE, expectOutcome, type World } from '../helpers/world.ts'

// Contract 3.13, 5.2, H1: a person's re-run of any run about a doubt asks, once.

const HOUR = 3_600_000
const WITHOUT_ANSWER = { kind: 'reset', when: 'after' } as const

const act = (emulator: World, action: string, runId: number, attempt = 1, by = 'alice') =>
  emulator.act(pulled(emulator, action), {
    ...{ runId, attempt, inputs: INPUTS },
    env: { GITHUB_TRIGGERING_ACTOR: by },
  })

/** Run 1 is in doubt, and runs 2 and 3, about the same changes, leave it to a person. */
async function doubted(isLost = false) {
  const emulator = codeWorld()
  emulator.github.setPermission('tina', 'triage')
  if (isLost) {
    const run = emulator.given(pulled(emulator, 'opened'), { runId: 1, post: false, inputs: INPUTS })
    await emulator.interrupted(run, CREATE)
    await emulator.pass(HOUR)
    await emulator.collect()
  } else {
    emulator.faults.add({ match: CREATE, fault: WITHOUT_ANSWER })
    expectOutcome(await act(emulator, 'opened', 1), 'error', 'creation-uncertain')
  }
  for (const runId of [2, 3]) expectOutcome(await act(emulator, 'labeled', runId), 'skipped', 'no-changes')
  emulator.clearRequests()
  return emulator
}

const sent = ({ requests }: World): number =>
  requests.filter(({ host, method }) => host === 'service' && method === 'POST').length

describe.each([1, 2, 3])('a re-run of run %i', (runId) => {
  test('H1 3.13 by a person asks, once, and ends the doubt for the others', async () => {
    const emulator = await doubted()
    expectOutcome(await act(emulator, 'labeled', runId, 2, 'bob'), 'pull-request')
    expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
    for (const other of [1, 2, 3].filter((one) => one !== runId))
      expect((await act(emulator, 'labeled', other, 2)).outputs.outcome).not.toBe('error')
    expect(sent(emulator)).toBe(1)
  })

  test.each([
    ['a bot', 'renovate[bot]', 'bot'],
    ['a person with triage', 'tina', 'permission-denied'],
    ['a stranger', 'mallory', 'permission-denied'],
    ['an account that is not known', '', 'permission-denied'],
  ])('H3 3.13 by %s asks nothing', async (_, by, reason) => {
    const emulator = await doubted()
    expectOutcome(await act(emulator, 'labeled', runId, 2, by), 'skipped', reason)
    expect(sent(emulator)).toBe(0)
    expectOutcome(await act(emulator, 'labeled', runId, 3), 'pull-request')
  })

  test('H1 3.13 whose own answer is lost is a doubt again, which the next re-run asks', async () => {
    const emulator = await doubted()
    emulator.faults.add({ match: CREATE, fault: WITHOUT_ANSWER })
    expectOutcome(await act(emulator, 'labeled', runId, 2), 'error', 'creation-uncertain')
    expectOutcome(await act(emulator, 'labeled', 4), 'skipped', 'no-changes')
    expectOutcome(await act(emulator, 'labeled', (runId % 3) + 1, 2), 'pull-request')
    expect(sent(emulator)).toBe(2)
  })
})

test.each([
  ['answers', 0, 1],
  ['loses its first answer', 1, 1],
  ['answers late', 2, 1],
])('H1 3.13 five re-runs at once, where the service %s, ask once', async (_, kind, times) => {
  const emulator = await doubted()
  for (const runId of [4, 5]) await act(emulator, 'labeled', runId)
  if (kind === 1) emulator.faults.add({ match: CREATE, fault: WITHOUT_ANSWER })
  if (kind === 2) emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 20_000 } })
  const all = [1, 2, 3, 4, 5].map((runId) => act(emulator, 'labeled', runId, 2, runId % 2 ? 'alice' : 'bob'))
  await Promise.all(all)
  expect(sent(emulator)).toBe(times)
})

test.each<[string, readonly string[], number]>([
  ['a person among bots and strangers', ['renovate[bot]', 'mallory', 'alice', 'tina', ''], 1],
  ['people and bots', ['bob', 'renovate[bot]', 'alice', 'renovate[bot]', 'bob'], 1],
  ['bots', ['renovate[bot]', 'renovate[bot]', 'dependabot[bot]', 'Copilot[bot]', 'renovate[bot]'], 0],
  ['people without the permission', ['mallory', 'tina', 'mallory', '', 'tina'], 0],
])('H1 H3 3.13 five re-runs at once, by %s', async (_, by, times) => {
  const emulator = await doubted()
  for (const runId of [4, 5]) await act(emulator, 'labeled', runId)
  await Promise.all(by.map((login, at) => act(emulator, 'labeled', at + 1, 2, login)))
  expect(sent(emulator)).toBe(times)
  expect(saidOf(emulator).at(-1)).toMatch(times === 1 ? DELIVERED : /^error: It is not known/)
})

test.each([1, 2, 3])(
  '5.2 of a run that was lost as it asked, a sweep has said so: a re-run of run %i asks',
  async (runId) => {
    const emulator = await doubted(true)
    expectOutcome(await act(emulator, 'labeled', runId, 2), 'pull-request')
    expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
    expect(sent(emulator)).toBe(1)
  },
)

const ASKED: readonly (readonly [string, (emulator: World) => (attempt: number) => ActionRun])[] = [
  [
    'an event',
    (emulator) => {
      const event = pulled(emulator, 'opened')
      return (attempt) => emulator.given(event, { runId: 1, attempt, post: false, inputs: INPUTS })
    },
  ],
  [
    'a command',
    (emulator) => {
      const said = emulator.say('/docs explain')
      return (attempt) => emulator.given(said, { runId: 1, attempt, post: false })
    },
  ],
  [
    'a command about a pull request',
    (emulator) => {
      const said = emulator.say('/docs explain', { on: CODE })
      return (attempt) =>
        emulator.given(said, { runId: 1, attempt, post: false, inputs: { 'commit-status': 'docs' } })
    },
  ],
]

test.each(ASKED)(
  '5.2 of a run of %s that was lost as it asked, and of which nobody has said so, a re-run says what the next one does',
  async (_, asks) => {
    const emulator = codeWorld()
    const attempt = asks(emulator)
    await emulator.interrupted(attempt(1), CREATE)
    await emulator.pass(HOUR)
    const says = await runAction(attempt(2))
    expectOutcome(says, 'error', 'creation-uncertain')
    expect(says.log).toContain('the next re-run asks')
    expectOutcome(await runAction(attempt(3)), 'pull-request')
  },
)
