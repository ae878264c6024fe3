import { describe, expect, test } from 'vitest'
import type { Turn } from '../../emulator/service/turn.ts'
import { expectOutcome, ISSUE, ownWorld, type World } from '../helpers/world.ts'

// Contract 5.2, H5, H7: requests work in one job, one after the other, and each run says how its own turn ended, or that nobody knows.

const PULL = 77
const THREADS = [
  ['in one thread', ISSUE],
  ["on the agent's pull request", PULL],
] as const
const OUTCOMES = { completed: 'pull-request', failed: 'failed' } as const
const ENDS = [
  ['failed', 'completed'],
  ['completed', 'failed'],
] as const

/** alice's job has opened its pull request, and rests. */
async function atRest(): Promise<World> {
  const emulator = ownWorld()
  emulator.service.script.push({ durationMs: 5000 })
  expectOutcome(await emulator.ask('/docs explain', { runId: 1 }), 'pull-request')
  await emulator.pass(600_000)
  return emulator
}

interface Request {
  readonly turn: Turn
  readonly on?: number
  /** After the request before it. */
  readonly laterMs?: number
}

/** Each of the requests has a run that waits. */
async function ask(emulator: World, requests: readonly Request[]) {
  emulator.service.script.push(...requests.map(({ turn }) => turn))
  const before = emulator.promptCounts()[0] ?? 0
  const runs: ReturnType<World['ask']>[] = []
  for (const [at, { on = ISSUE, laterMs = 1000 }] of requests.entries()) {
    if (at > 0) await emulator.pass(laterMs)
    const inputs = { 'timeout-minutes': '20' }
    runs.push(emulator.ask(`/docs add example ${at}`, { on, by: 'bob', runId: 2 + at, inputs }))
  }
  const results = await Promise.all(runs)
  expect(emulator.promptCounts()).toEqual([before + requests.length])
  return results
}

const outcomes = (results: Awaited<ReturnType<typeof ask>>) =>
  results.map(({ outputs: { outcome, reason } }) => reason || outcome)

describe.each(THREADS)('5.2 the second request is %s', (_, on) => {
  // Without a pause, the two look like one turn.
  describe.each([0, 500, 5000])('and its turn begins %i ms after the first', (pauseMs) => {
    test.each(ENDS)('which %s, and it %s: the run that missed that guesses nothing', async (mine, later) => {
      const emulator = await atRest()
      const results = await ask(emulator, [
        { turn: { durationMs: 120_000, ending: mine } },
        { turn: { durationMs: 60_000, ending: later, pauseMs }, on },
      ])
      expect(outcomes(results)).toEqual(['end-uncertain', OUTCOMES[later]])
      expect(emulator.bodies().join('\n')).toContain('It is not known whether the docs agent finished')
    })
  })

  test.each(ENDS)(
    'the first %s, and the second %s: a run that reads the job in between says that',
    async (mine, later) => {
      const emulator = await atRest()
      const results = await ask(emulator, [
        { turn: { durationMs: 40_000, ending: mine } },
        { turn: { durationMs: 60_000, ending: later, pauseMs: 20_000 }, on },
      ])
      expect(outcomes(results)).toEqual([OUTCOMES[mine], OUTCOMES[later]])
    },
  )

  test.each(ENDS)(
    'the first %s, and the second %s before a third one goes on: the first run guesses nothing',
    async (mine, later) => {
      const emulator = await atRest()
      const results = await ask(emulator, [
        { turn: { durationMs: 120_000, ending: mine } },
        { turn: { durationMs: 1000, ending: later, pauseMs: 500 }, on },
        { turn: { durationMs: 60_000, pauseMs: 20_000 } },
      ])
      expect(outcomes(results)[0]).toBe('end-uncertain')
    },
  )

  test.each(ENDS)(
    'the first %s, and the second %s; a third one comes once the first run has read that: it guesses nothing',
    async (mine, later) => {
      const emulator = await atRest()
      const results = await ask(emulator, [
        { turn: { durationMs: 120_000, ending: mine } },
        { turn: { durationMs: 1000, ending: later, pauseMs: 500 }, on },
        { turn: { durationMs: 60_000 }, laterMs: 138_000 },
      ])
      expect(outcomes(results)[0]).toBe('end-uncertain')
    },
  )

  test.each(ENDS)(
    'the first %s before the second one is asked, which %s: each end is known',
    async (mine, later) => {
      const emulator = await atRest()
      const results = await ask(emulator, [
        { turn: { durationMs: 20_000, ending: mine } },
        { turn: { durationMs: 60_000, ending: later }, on, laterMs: 40_000 },
      ])
      expect(outcomes(results)).toEqual([OUTCOMES[mine], OUTCOMES[later]])
    },
  )
})

describe('5.2 the first turn of a new job', () => {
  test.each([500, 5000, 20_000])('the second fails %i ms later', async (pauseMs) => {
    const emulator = ownWorld()
    const results = await ask(emulator, [
      { turn: { durationMs: 120_000 } },
      { turn: { durationMs: 60_000, ending: 'failed', pauseMs } },
    ])
    const isSeen = pauseMs === 20_000
    expect(outcomes(results)).toEqual([isSeen ? 'pull-request' : 'end-uncertain', 'failed'])
  })
})

test.each([0, 1000, 30_000])('a run that nobody joined rests no longer (%i ms)', async (durationMs) => {
  const emulator = await atRest()
  const from = emulator.settings.now()
  const results = await ask(emulator, [{ turn: { durationMs } }])
  expect(outcomes(results)).toEqual(['pull-request'])
  // What a message to a job at rest needs, and the pause between two reads.
  expect(emulator.settings.now() - from).toBeLessThan(durationMs + 15_000)
})

// H6: what GitHub does not show decides nothing.
test.each([403, 404, 502])(
  'GitHub does not show the threads at the end (%i): the run says what it read',
  async (status) => {
    const emulator = await atRest()
    const now = emulator.settings.now()
    emulator.faults.add({
      match: { host: 'github', method: 'GET', path: /issues\/\d+\/comments$/ },
      between: [now + 30_000, now + 110_000],
      times: Infinity,
      fault: { kind: 'status', status },
    })
    expect(outcomes(await ask(emulator, [{ turn: { durationMs: 60_000 } }]))).toEqual(['pull-request'])
  },
)
