import { describe, expect, test } from 'vitest'
import { type RunResult, startAction } from '../../emulator/runner.ts'
import {
  CODE,
  codeWorld,
  DELIVERED,
  happens,
  INPUTS,
  pulled,
  SECOND_PUSH,
  saidOf,
} from '../helpers/code-world.ts'
import { askedTimes, CREATE, expectOutcome, RESTING, type World } from '../helpers/world.ts'

// A pull request that is opened with a label brings two events of the same changes, and linters refuse `concurrency` with `queue`.

const STATUSES = { host: 'github', method: 'POST', path: /\/statuses\// } as const
const COMMENTS = { host: 'github', method: 'POST', path: /issues\/30\/comments$/ } as const
const APART = [0, 50, 300, 3000]
const prompts = (emulator: World) => emulator.promptCounts().reduce((sum, count) => sum + count, 0)

const jobsIn = (emulator: World) =>
  emulator.records(CODE).flatMap((record) => ('job' in record ? (record.job?.id ?? []) : []))

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

describe('3.13 where the first of two events is lost with its runner while its request is out', () => {
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

// Where the second one waited for the first, it has said so itself.
test.each([50, 300])(
  '4.3 the first of two events %i ms apart is lost with its runner: a re-run of the second one says so, and the next re-run asks',
  async (apartMs) => {
    const emulator = await loseFirst(apartMs)
    await emulator.pass(240_000)
    const again = async (attempt: number) => await happens(emulator, 'labeled', { runId: 91, attempt })
    expectOutcome(await again(2), 'error', 'creation-uncertain')
    expectOutcome(await again(3), 'pull-request')
    expect(prompts(emulator)).toBe(2)
  },
)

describe('3.13 where it is not known whether the agent got the first of two events, the second one asks nothing', () => {
  test('its answer is lost', async () => {
    const emulator = codeWorld()
    emulator.faults.add({ match: CREATE, fault: { kind: 'reset', when: 'after' } })
    await Promise.all([happens(emulator, 'opened'), happens(emulator, 'labeled')])
    expect(prompts(emulator)).toBe(1)
  })

  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    test(`its run gets ${signal} while the request is out, and its post step runs`, async () => {
      const emulator = codeWorld()
      const first = emulator.given(pulled(emulator, 'opened'), { runId: 90, inputs: INPUTS })
      const interrupted = emulator.interrupted(first, CREATE, { when: 'after', signal })
      await Promise.all([interrupted, happens(emulator, 'labeled')])
      expect(prompts(emulator)).toBe(1)
      // A run that can still end knows the job by now.
      const said = { SIGKILL: /^error: It is not known/, SIGTERM: /^pending/ }
      expect(saidOf(emulator).at(-1)).toMatch(said[signal])
    })
})

describe('3.13 the second of two events that ends while it waits for the first changes nothing of it', () => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    for (const durationMs of [0, 300_000])
      test(`${signal}, where the job works for ${durationMs} ms`, async () => {
        const emulator = codeWorld()
        emulator.service.everyTurn = { durationMs }
        const first = happens(emulator, 'opened')
        const event = pulled(emulator, 'labeled')
        const second = startAction(emulator.given(event, { runId: 91, inputs: INPUTS }))
        await emulator.pass(3000)
        second.kill(signal)
        await second.done
        expect(jobsIn(emulator)).toHaveLength(1)
        await first
        expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
        expect(emulator.written(CODE).map(({ body }) => body)).toEqual([expect.stringContaining('✅')])
        await happens(emulator, 'labeled')
        expect(prompts(emulator)).toBe(1)
      })
})

test.each([402, 401, 422])(
  '3.13 a re-run after %s and another event at once are asked once',
  async (status) => {
    const emulator = codeWorld()
    const event = pulled(emulator, 'opened')
    emulator.faults.add({ match: CREATE, fault: { kind: 'status', status } })
    await emulator.act(event, { runId: 500, inputs: INPUTS })
    const again = emulator.act(event, { runId: 500, attempt: 2, inputs: INPUTS })
    await Promise.all([happens(emulator, 'labeled'), again])
    expect(prompts(emulator)).toBe(1)
    expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
  },
)

describe('4.13 the second of two events leaves the verdict of the first alone', () => {
  test('where it reads the thread while the first one ends', async () => {
    const emulator = codeWorld()
    let second: Promise<unknown> | undefined
    const call = () => {
      second = happens(emulator, 'labeled')
    }
    emulator.faults.add({ match: STATUSES, skip: 1, fault: { kind: 'call', when: 'after', call } })
    emulator.faults.add({ match: COMMENTS, skip: 1, fault: { kind: 'delay', ms: 4000 } })
    await happens(emulator, 'opened')
    await second
    await emulator.collect()
    expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
  })

  test.each([0, 1])('where GitHub breaks a status after %s others', async (skip) => {
    const emulator = codeWorld()
    emulator.service.everyTurn = { reads: 0 }
    emulator.faults.add({ match: STATUSES, skip, fault: { kind: 'status', status: 502 } })
    await Promise.all([happens(emulator, 'opened'), happens(emulator, 'labeled')])
    expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
  })
})

test('3.13 the second of two events, lost while it waits, does not say for ever that it works', async () => {
  const emulator = codeWorld()
  emulator.faults.add({ match: { host: 'service', method: 'POST' }, fault: { kind: 'delay', ms: 20_000 } })
  const first = happens(emulator, 'opened')
  const second = emulator.given(pulled(emulator, 'labeled'), { runId: 91, post: false, inputs: INPUTS })
  await Promise.all([first, emulator.interrupted(second, COMMENTS, { skip: 1, when: 'after' })])
  await emulator.pass(3 * 3_600_000)
  await emulator.ask('/docs more', { by: 'bob', on: CODE, runId: 4 })
  expect(emulator.bodies(CODE).join()).not.toContain('is working')
})

test('6.2 the post step of the second of two events, which gave way, leaves the first one alone', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ durationMs: 600_000 })
  const first = happens(emulator, 'opened')
  const second = emulator.given(pulled(emulator, 'labeled'), { runId: 91, inputs: INPUTS })
  const match = { host: 'github', method: 'DELETE', path: /issues\/comments/ } as const
  await emulator.interrupted(second, match, { when: 'after' })
  expect(emulator.bodies(CODE).join()).not.toContain('cut short')
  await first
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
})

describe('3.13 an event and a command at once', () => {
  test.each(APART)('%s ms apart: one job has both, each once', async (apartMs) => {
    const emulator = codeWorld()
    emulator.service.everyTurn = RESTING
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

describe('5.2 a reading of the job from before another request ends nothing of that', () => {
  const inputs = { wait: 'false' }
  test.each<[string, (emulator: World) => Promise<RunResult>]>([
    ['an event of the same changes', (emulator) => happens(emulator, 'labeled', { inputs })],
    ['a command', (emulator) => emulator.ask('/docs shorten', { on: CODE, runId: 95, inputs })],
    [
      'an event of another step',
      (emulator) => happens(emulator, 'labeled', { inputs: { ...inputs, prompt: 'Write its changelog.' } }),
    ],
  ])('%s, which reads the job right before a push goes there', async (_, comes) => {
    const emulator = codeWorld()
    await happens(emulator, 'opened')
    emulator.github.push(CODE, SECOND_PUSH)
    emulator.service.script.push({ durationMs: 600_000 }, { durationMs: 600_000 })
    const pushed = async () => void (await happens(emulator, 'synchronize', { inputs }))
    emulator.faults.add({ match: COMMENTS, fault: { kind: 'call', call: pushed } })
    await comes(emulator)
    const { records } = emulator
    expect(
      records(CODE).filter(({ requestedBy, state }) => requestedBy === 'alice' && state === 'ended'),
    ).toHaveLength(1)
    expect(saidOf(emulator).at(-1)).toBe('pending: The docs agent is working')
  })
})
