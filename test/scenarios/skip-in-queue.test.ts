import { expect, test } from 'vitest'
import { CODE, codeWorld, happens, saidOf } from '../helpers/code-world.ts'
import { askedTimes, expectOutcome, RESTING } from '../helpers/world.ts'

// Contract 3.2: a skip stands until the next request, and one that was waiting for its turn came before it.

const STATUS = { 'commit-status': 'docs' }

test.each([
  ['of the same person', 'alice', 1000, 20_000],
  ['of another person', 'bob', 0, 5000],
  ['right before its turn', 'bob', 30_000, 25_000],
])(
  '3.2 4.13 a skip while a request %s waits for an older one stands once both are done',
  async (_, by, apartMs, thenMs) => {
    const emulator = codeWorld()
    emulator.service.everyTurn = RESTING
    const slow = { kind: 'delay', ms: 60_000 } as const
    emulator.faults.add({ match: { host: 'service', method: 'POST' }, fault: slow })
    const older = emulator.act(emulator.say('/docs explain (first)', { on: CODE }), {
      runId: 1,
      inputs: STATUS,
    })
    await emulator.pass(apartMs)
    const said = emulator.say('/docs shorten (second)', { on: CODE, by })
    const waiting = emulator.act(said, { runId: 2, inputs: STATUS })
    await emulator.pass(thenMs)
    await emulator.ask('/docs skip because typos', { on: CODE, by: 'bob', runId: 3, inputs: STATUS })
    for (const result of await Promise.all([older, waiting])) expectOutcome(result, 'pull-request')
    expect(askedTimes(emulator, '(first)', '(second)')).toEqual([1, 1])
    expect(saidOf(emulator).at(-1)).toBe('success: Skipped by bob: typos')
    expectOutcome(await happens(emulator, 'labeled'), 'skipped', 'docs-skipped')
  },
)
