import { describe, expect, test } from 'vitest'
import type { ActionRun, RunResult } from '../../emulator/runner.ts'
import { CODE, closes, codeWorld, happens, SECOND_PUSH } from '../helpers/code-world.ts'
import { pushTo } from '../helpers/push.ts'
import { CREATE, expectOutcome, ISSUE, type World } from '../helpers/world.ts'

// Contract 3.8, 3.13: the push of a merge and the `closed` of its pull request are one request, in whichever workflows.

const APART = [0, 50, 150, 300, 1000, 3000]
const REFUSED = { kind: 'status', status: 402 } as const

const prompts = (emulator: World) => emulator.promptCounts().reduce((sum, count) => sum + count, 0)
const shaOf = ({ github }: World) => github.pull(CODE).mergeCommitSha ?? ''

const merge = ({ github }: World) => github.closePullRequest(CODE, { merged: true })
const push = (emulator: World, more: Partial<ActionRun> = {}) =>
  pushTo(emulator, shaOf(emulator), {}, { workflow: 'Merged', runId: 5000, ...more })
const closed = (emulator: World, more: Partial<ActionRun> = {}) =>
  happens(emulator, 'closed', { runId: 6000, ...more })

/** Both runs, the one after the other so many ms. */
async function both(
  emulator: World,
  [first, second]: readonly (typeof push)[],
  apartMs: number,
): Promise<readonly RunResult[]> {
  merge(emulator)
  const begun = first?.(emulator)
  await emulator.pass(apartMs)
  return (await Promise.all([begun, second?.(emulator)])).flatMap((result) => result ?? [])
}

/** What the agent lacks of the merge. */
const LACKS: readonly (readonly [string, (emulator: World) => Promise<unknown>])[] = [
  ['all', async () => undefined],
  [
    'the last push, which was refused',
    async (emulator) => {
      await happens(emulator, 'opened')
      emulator.github.push(CODE, SECOND_PUSH)
      emulator.faults.add({ match: { host: 'service', method: 'POST' }, fault: REFUSED })
      expectOutcome(await happens(emulator, 'synchronize'), 'error', 'payment-required')
    },
  ],
  [
    'the only push, which was refused',
    async (emulator) => {
      emulator.faults.add({ match: CREATE, fault: REFUSED })
      expectOutcome(await happens(emulator, 'opened'), 'error', 'payment-required')
    },
  ],
  [
    'all, because its job failed',
    async (emulator) => {
      emulator.service.script.push({ ending: 'failed' })
      expectOutcome(await happens(emulator, 'opened'), 'failed')
    },
  ],
]

const ORDERS = [
  ['push first', [push, closed]],
  ['closed first', [closed, push]],
] as const

describe.each(LACKS)('3.8 3.13 where the agent lacks %s', (_, comes) => {
  for (const [order, runs] of ORDERS)
    for (const apartMs of APART)
      test(`${order}, the other one ${apartMs} ms later: one of them asks`, async () => {
        const emulator = codeWorld()
        await comes(emulator)
        const asked = prompts(emulator)
        const results = await both(emulator, runs, apartMs)
        expect(results.map(({ outputs }) => outputs.outcome).sort()).toEqual(['pull-request', 'skipped'])
        expect(prompts(emulator) - asked).toBe(1)
        expect(emulator.records(CODE).filter(({ state }) => state === 'sending')).toEqual([])
      })

  test('a workflow that does not listen to `closed`: the push asks', async () => {
    const emulator = codeWorld()
    await comes(emulator)
    const asked = prompts(emulator)
    merge(emulator)
    expectOutcome(await push(emulator), 'pull-request')
    expect(prompts(emulator) - asked).toBe(1)
  })
})

test.each(APART)(
  '3.8 3.13 the service is slow, and the other run comes %i ms later: one asks',
  async (ms) => {
    const emulator = codeWorld()
    emulator.faults.add({ match: { host: 'service', method: 'POST' }, fault: { kind: 'delay', ms: 45_000 } })
    const results = await both(emulator, [push, closed], ms)
    expect(results.map(({ outputs }) => outputs.outcome).sort()).toEqual(['pull-request', 'skipped'])
    expect(prompts(emulator)).toBe(1)
  },
)

test.each([0, 150, 3000])(
  '3.8 3.13 the first of the two is refused, the other one comes %i ms later: nothing is lost, and nothing asked twice',
  async (apartMs) => {
    const emulator = codeWorld()
    emulator.faults.add({ match: CREATE, fault: REFUSED })
    const results = await both(emulator, [closed, push], apartMs)
    // Both may have begun before the refusal; then the second one asks.
    expect(results.some(({ outputs }) => outputs.reason === 'payment-required')).toBe(true)
    expectOutcome(await push(emulator, { attempt: 2 }), 'pull-request')
    expect(prompts(emulator)).toBe(1)
  },
)

test.each(APART.slice(0, 4))(
  '3.8 3.13 each with a new conversation, the other one %i ms later, and comments take a while: one of them asks',
  async (apartMs) => {
    for (const [, runs] of ORDERS) {
      const emulator = codeWorld()
      const match = { method: 'POST', path: /\/issues\/30\/comments$/ }
      emulator.faults.add({ match, times: 2, fault: { kind: 'delay', ms: 2000 } })
      const fresh = runs.map((run) => (one: World) => run(one, { inputs: { conversation: 'new' } }))
      const results = await both(emulator, fresh, apartMs)
      expect(results.map(({ outputs }) => outputs.outcome).sort()).toEqual(['pull-request', 'skipped'])
      expect(prompts(emulator)).toBe(1)
    }
  },
)

describe.each(LACKS.slice(0, 3))(
  'H1 3.13 where the agent lacks %s, and may have got the merge',
  (_, comes) => {
    for (const [order, [first, second]] of ORDERS)
      test(`${order}: a person's re-run of the other one asks, once, and a bot's nothing`, async () => {
        const emulator = codeWorld()
        await comes(emulator)
        merge(emulator)
        const match = { host: 'service', method: 'POST' } as const
        emulator.faults.add({ match, fault: { kind: 'reset', when: 'after' } })
        expectOutcome(await first(emulator), 'error', 'creation-uncertain')
        expectOutcome(await second(emulator), 'skipped', 'no-changes')
        const asked = prompts(emulator)
        for (const [attempt, by] of [
          [2, 'renovate[bot]'],
          [3, 'mallory'],
        ] as const) {
          await second(emulator, { attempt, env: { GITHUB_TRIGGERING_ACTOR: by } })
          expect(prompts(emulator)).toBe(asked)
        }
        expectOutcome(await second(emulator, { attempt: 4 }), 'pull-request')
        await first(emulator, { attempt: 2 })
        expect(prompts(emulator) - asked).toBe(1)
      })
  },
)

describe('H1 3.13 where it is not known whether the agent got the merge', () => {
  const lost = { kind: 'reset', when: 'after' } as const

  for (const [order, [first, second]] of ORDERS)
    test(`${order}: the other one asks nothing, and a person's re-run of either asks, once`, async () => {
      const emulator = codeWorld()
      merge(emulator)
      emulator.faults.add({ match: CREATE, fault: lost })
      expectOutcome(await first(emulator), 'error', 'creation-uncertain')
      const other = await second(emulator)
      expectOutcome(other, 'skipped', 'no-changes')
      expect(other.summary).toContain('It is not known whether the docs agent got the changes')
      expect(prompts(emulator)).toBe(1)
      const again = await Promise.all([second(emulator, { attempt: 2 }), first(emulator, { attempt: 2 })])
      expect(again.map(({ outputs }) => outputs.outcome).sort()).toEqual(['pull-request', 'skipped'])
      expect(prompts(emulator)).toBe(2)
      const { summary } = await emulator.ask('/docs status', { on: CODE, runId: 7000 })
      expect(summary).not.toContain('not known whether')
    })

  for (const [order, [first, second]] of ORDERS)
    test(`${order}: a re-run by a bot, or by a person who may not, asks nothing`, async () => {
      const emulator = codeWorld()
      merge(emulator)
      emulator.faults.add({ match: CREATE, fault: lost })
      await first(emulator)
      for (const GITHUB_TRIGGERING_ACTOR of ['renovate[bot]', 'mallory'])
        await second(emulator, { attempt: 2, env: { GITHUB_TRIGGERING_ACTOR } })
      expect(prompts(emulator)).toBe(1)
    })
})

describe.each([
  ['with a status', { 'commit-status': 'docs' }],
  ['without one', {}],
  ['with a new job', { 'commit-status': 'docs', conversation: 'new' }],
])('H1 3.13 a command %s is no request about the merge', (_, inputs) => {
  const asks = (emulator: World) =>
    emulator.ask('/docs explain the limits', { on: CODE, runId: 7000, inputs })

  for (const [order, [first, second]] of ORDERS) {
    test(`${order}: it asks where it is not known whether the agent got the merge`, async () => {
      const emulator = codeWorld()
      merge(emulator)
      emulator.faults.add({ match: CREATE, fault: { kind: 'reset', when: 'after' } })
      await first(emulator)
      await second(emulator)
      expectOutcome(await asks(emulator), 'pull-request')
      expect(prompts(emulator)).toBe(2)
    })

    test(`${order}: it asks while the merge goes out`, async () => {
      const emulator = codeWorld()
      merge(emulator)
      emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 20_000 } })
      const runs = [first, second, asks].map(async (run, at) => {
        await emulator.pass(at * 2000)
        return await run(emulator)
      })
      const [, , asked] = await Promise.all(runs)
      expect(asked?.outputs.outcome, asked?.log).toBe('pull-request')
      expect(prompts(emulator)).toBe(2)
    })
  }
})

test.each<[string, (emulator: World) => unknown, number]>([
  ['nothing', () => undefined, 1],
  ['its label', ({ github }) => Object.assign(github.issue(CODE), { labels: [] }), 1],
  ['its label, and a bot re-runs it', ({ github }) => Object.assign(github.issue(CODE), { labels: [] }), 0],
])(
  '5.2 a push in doubt whose thread is named, where %s was taken away: a re-run',
  async (_, takes, times) => {
    const emulator = codeWorld()
    Object.assign(emulator.github.issue(CODE), { labels: ['docs'] })
    merge(emulator)
    const inputs = { 'issue-number': String(ISSUE), 'merged-labels': 'docs' }
    emulator.faults.add({ match: CREATE, fault: { kind: 'reset', when: 'after' } })
    expectOutcome(await push(emulator, { inputs }), 'error', 'creation-uncertain')
    takes(emulator)
    const by = times === 0 ? 'renovate[bot]' : 'alice'
    await push(emulator, { inputs, attempt: 2, env: { GITHUB_TRIGGERING_ACTOR: by } })
    expect(prompts(emulator) - 1).toBe(times)
  },
)

test.each(ORDERS)('H7 a command in doubt stays so after the merge was asked again, %s', async (_, runs) => {
  const emulator = codeWorld()
  const inputs = { 'commit-status': 'docs' }
  emulator.faults.add({ match: CREATE, fault: { kind: 'reset', when: 'after' } })
  expectOutcome(await emulator.ask('/docs explain', { on: CODE, inputs }), 'error', 'creation-uncertain')
  merge(emulator)
  for (const run of runs) expectOutcome(await run(emulator), 'skipped', 'no-changes')
  expectOutcome(await runs[0](emulator, { attempt: 2 }), 'pull-request')
  const { summary } = await emulator.ask('/docs status', { on: CODE, runId: 7000 })
  expect(summary).toContain('not known whether')
})

test('3.8 a push that merges one pull request whose request is on its way: the queue decides', async () => {
  const emulator = codeWorld()
  emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 20_000 } })
  const opened = happens(emulator, 'opened')
  await emulator.pass(2000)
  merge(emulator)
  const pushed = await push(emulator)
  expectOutcome(await opened, 'pull-request')
  expectOutcome(pushed, 'skipped', 'no-changes')
  expect(prompts(emulator)).toBe(1)
})

test('3.8 the same, where that request is refused: the push asks', async () => {
  const emulator = codeWorld()
  emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 20_000 } })
  emulator.faults.add({ match: CREATE, fault: REFUSED })
  const opened = happens(emulator, 'opened')
  await emulator.pass(2000)
  merge(emulator)
  const pushed = await push(emulator)
  expectOutcome(await opened, 'error', 'payment-required')
  expectOutcome(pushed, 'pull-request')
  expect(prompts(emulator)).toBe(1)
})

test('3.13 closed without a merge asks nothing, and its push is not one', async () => {
  const emulator = codeWorld()
  expectOutcome(await closes(emulator, false), 'skipped', 'pull-request-closed')
  expect(emulator.calls('service')).toEqual([])
})

test('3.8 3.13 two steps of the run of the push ask each, and `closed` asks nothing', async () => {
  const emulator = codeWorld()
  merge(emulator)
  for (const GITHUB_ACTION of ['docs', 'changelog'])
    expectOutcome(await push(emulator, { env: { GITHUB_ACTION } }), 'pull-request')
  expectOutcome(await closed(emulator), 'skipped', 'pull-request-closed')
  expect(prompts(emulator)).toBe(2)
})

test('3.8 a run of the push that is killed goes on in its re-run, also beside `closed`', async () => {
  const emulator = codeWorld()
  merge(emulator)
  emulator.service.script.push({ durationMs: 60_000 })
  const first = push(emulator, { inputs: { wait: 'false' } })
  expectOutcome(await first, 'started')
  expectOutcome(await closed(emulator), 'skipped', 'pull-request-closed')
  const again = await push(emulator, { attempt: 2 })
  expectOutcome(again, 'pull-request')
  expect(again.outputs['job-action']).toBe('resumed')
  expect(prompts(emulator)).toBe(1)
})
