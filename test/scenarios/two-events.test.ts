import { describe, expect, test } from 'vitest'
import type { RunResult } from '../../emulator/runner.ts'
import { CODE, codeWorld, DELIVERED, happens, INPUTS, pulled, saidOf } from '../helpers/code-world.ts'
import { askedTimes, CREATE, expectOutcome, type World } from '../helpers/world.ts'

// A pull request that is opened with a label brings two events of the same changes, and linters refuse `concurrency` with `queue`.

const APART = [0, 50, 300, 3000]
const prompts = (emulator: World) => emulator.promptCounts().reduce((sum, count) => sum + count, 0)

async function both(emulator: World, apartMs: number): Promise<readonly RunResult[]> {
  const first = happens(emulator, 'opened')
  await emulator.pass(apartMs)
  return await Promise.all([first, happens(emulator, 'labeled')])
}

describe('3.13 two events of the same changes at once are asked once', () => {
  for (const apartMs of APART)
    for (const slowMs of [0, 45_000])
      test(`${apartMs} ms apart, where the service takes ${slowMs} ms to answer`, async () => {
        const emulator = codeWorld()
        const fault = { kind: 'delay', ms: slowMs } as const
        emulator.faults.add({ match: { host: 'service', method: 'POST' }, fault })
        const results = await both(emulator, apartMs)
        expect(results.map(({ outputs }) => outputs.outcome).sort()).toEqual(['pull-request', 'skipped'])
        expect(prompts(emulator)).toBe(1)
        expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
        // One comment says how it ended, and the other run has left none.
        expect(emulator.written(CODE).map(({ body }) => body)).toEqual([expect.stringContaining('✅')])
      })
})

describe('3.13 where the first of two events is lost with its runner while its request is out', () => {
  async function loseFirst(apartMs: number): Promise<World> {
    const emulator = codeWorld()
    const first = emulator.given(pulled(emulator, 'opened'), { runId: 90, post: false, inputs: INPUTS })
    const interrupted = emulator.interrupted(first, CREATE, { when: 'after' })
    if (apartMs > 0) await emulator.pass(apartMs)
    const second = happens(emulator, 'labeled')
    await interrupted
    expectOutcome(await second, 'skipped', 'no-changes')
    return emulator
  }

  test('the second one, which waits for it, asks nothing, and says where to look', async () => {
    const emulator = await loseFirst(0)
    expect(saidOf(emulator).at(-1)).toMatch(/^error: It is not known/)
    expect(emulator.bodies(CODE)).toEqual([
      expect.stringContaining('It is not known whether a job was started'),
    ])
    expect(prompts(emulator)).toBe(1)
  })

  test('the second one, which comes a little later, leaves it pending, and the next one says where to look', async () => {
    const emulator = await loseFirst(300)
    expect(saidOf(emulator).at(-1)).toBe('pending: The docs agent is working')
    await emulator.pass(240_000)
    expectOutcome(await happens(emulator, 'labeled'), 'skipped', 'no-changes')
    expect(saidOf(emulator).at(-1)).toMatch(/^error: It is not known/)
    expect(prompts(emulator)).toBe(1)
  })
})

describe('3.13 an event and a command at once', () => {
  test.each(APART)('%s ms apart: one job has both, each once', async (apartMs) => {
    const emulator = codeWorld()
    const event = happens(emulator, 'opened')
    await emulator.pass(apartMs)
    const inputs = { 'commit-status': 'docs' }
    const command = emulator.ask('/docs explain (command)', { on: CODE, by: 'bob', runId: 3, inputs })
    for (const result of await Promise.all([event, command])) expectOutcome(result, 'pull-request')
    expect(emulator.promptCounts()).toEqual([2])
    expect(askedTimes(emulator, '(command)')).toEqual([1])
    expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
    expect(emulator.bodies(CODE).join()).not.toContain('is working')
  })
})

describe('H7 3.13 while the first of two events sends the changes, the second does not say that the agent has them', () => {
  test.each([
    ['takes them', undefined],
    ['refuses them', { kind: 'status', status: 402 }],
    ['does not answer', { kind: 'reset', when: 'after' }],
  ] as const)('and the service %s', async (_, fault) => {
    const emulator = codeWorld()
    emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 30_000 } })
    if (fault !== undefined) emulator.faults.add({ match: CREATE, fault })
    const first = happens(emulator, 'opened')
    await emulator.pass(3000)
    const second = await happens(emulator, 'labeled')
    expectOutcome(second, 'skipped', 'no-changes')
    expect(second.summary).toContain('Another run began to send the changes of this pull request')
    expect(second.summary).not.toContain('already has')
    await first
    expect(prompts(emulator)).toBe(fault?.kind === 'status' ? 0 : 1)
  })
})
