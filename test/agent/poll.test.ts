import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { Cancelled } from '../../src/base/errors.ts'
import type { Job } from '../../src/record/job.ts'
import { type AgentWorld, agentWorld, thrownBy } from '../helpers/agent.ts'

interface Options {
  readonly turn: Turn
  readonly minutes?: number
  readonly pollMs?: number
  readonly random?: () => number
}

async function setUp({ turn, minutes = 30, pollMs = 15_000, random = () => 0.5 }: Options) {
  const world = agentWorld({ random })
  const { client, emulator, clock } = world
  emulator.service.script.push(turn)
  const created = await client.postPrompt({ prompt: 'x', deadline: 0 })
  emulator.clearRequests()
  const seen: Job[] = []
  const start = clock.passed()
  const wait = () =>
    client.poll({
      job: created,
      messagedAt: undefined,
      deadline: start + minutes * 60_000,
      pollMs,
      startedAt: start,
      onJob: (job) => void seen.push(job),
    })
  const strike = (fault: Fault, times = 1, skip = 0) =>
    emulator.faults.add({ match: { method: 'GET' }, times, skip, fault })
  return { ...world, wait, seen, strike }
}

const pauses = (world: Pick<AgentWorld, 'requests'>) =>
  world.requests().map(({ at }, i, all) => at - (all[i - 1]?.at ?? 0))

test('4.6 pauses start at 2 s, grow with the time waited, and stop at poll-interval-seconds', async () => {
  const world = await setUp({ turn: { durationMs: 25 * 60_000 } })
  expect(await world.wait()).toMatchObject({ job: { status: 'completed' } })
  const [first, ...rest] = pauses(world)
  expect(first).toBe(2000)
  expect(rest).toEqual(rest.toSorted((a, b) => a - b))
  expect(rest.at(-1)).toBe(15_000)
  let waited = 0
  for (const pause of pauses(world)) {
    expect(pause).toBeCloseTo(Math.min(15_000, 2000 + waited / 10))
    waited += pause
  }
})

test('4.6 pauses vary by at most a tenth', async () => {
  const draws = [0, 0.999, 0.25, 0.75]
  let drawn = 0
  const world = await setUp({ turn: { durationMs: 120_000 }, random: () => draws[drawn++ % 4] ?? 0 })
  await world.wait()
  expect(pauses(world)[0]).toBeCloseTo(1800)
  expect(pauses(world)[1]).toBeCloseTo((2000 + 180) * 1.0998)
  expect(new Set(pauses(world)).size).toBeGreaterThan(4)
})

test('4.6 a pause never passes the deadline', async () => {
  const world = await setUp({ turn: { ending: 'active-forever' }, minutes: 3 })
  expect(await world.wait()).toMatchObject({ late: { why: '' }, job: { status: 'active' } })
  expect(world.clock.passed()).toBe(180_000)
  expect(world.requests().at(-1)?.at).toBeLessThanOrEqual(180_000)
})

test('4.4 unreadable answers count in a row, so that a long job survives one now and then', async () => {
  const world = await setUp({ turn: { reads: 6 } })
  for (const skip of [0, 1, 3, 4, 6, 7]) world.strike({ kind: 'wrongType' }, 1, skip)
  expect(await world.wait()).toMatchObject({ job: { status: 'completed' } })
})

test('2.5 a line a minute also while the service fails or asks for a long pause', async () => {
  const world = await setUp({ turn: { reads: 1 }, minutes: 20 })
  world.strike({ kind: 'status', status: 429, headers: { 'retry-after': '600' } })
  await world.wait()
  expect(world.lines.filter((line) => /^ +\d+:00 {2}active$/.test(line)).length).toBeGreaterThanOrEqual(10)
  const outage = await setUp({ turn: {}, minutes: 5 })
  outage.strike({ kind: 'stall' }, Number.POSITIVE_INFINITY)
  await outage.wait()
  expect(outage.lines.length).toBeGreaterThanOrEqual(5)
})

test('4 a status that this version does not know is waited on, and the log says so', async () => {
  const world = await setUp({ turn: { reads: 3, activeStatus: 'pondering' } })
  expect(await world.wait()).toMatchObject({ job: { status: 'completed' } })
  expect(world.lines[0]).toBe('   0:00  pondering (this version does not know the status, and keeps waiting)')
  expect(world.lines).toHaveLength(2)
})

test('4.3 a created job whose status was missing is read until it has one', async () => {
  const world = await setUp({ turn: { fields: { status: undefined } } })
  const { id } = world.emulator.service.jobs()[0] ?? {}
  world.strike({ kind: 'wrongType', body: JSON.stringify({ id, status: 'completed' }) })
  expect(await world.wait()).toMatchObject({ job: { status: 'completed' } })
  expect(world.lines[0]).toContain('no status')
})

test('6.1 cancelled, it stops in the middle of a pause', async () => {
  const world = await setUp({ turn: { ending: 'active-forever' } })
  void world.clock.sleep(60_500).then(world.canceller.cancel)
  expect(await thrownBy(world.wait())).toBeInstanceOf(Cancelled)
  expect(world.clock.passed()).toBe(60_500)
})
