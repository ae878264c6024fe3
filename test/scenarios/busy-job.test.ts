import { describe, expect, test } from 'vitest'
import { red, steppedWorld, sweep } from '../helpers/stepped-world.ts'
import { resultOf, start } from '../helpers/sweeps.ts'
import { expectOutcome, ownWorld } from '../helpers/world.ts'

const MINUTE = 60_000

// All of these take minutes on the clock.
describe('4.8 a message to a job that works is a turn of its own', () => {
  /** A job that works for two minutes, a pause after it, and a turn of three minutes that fails. */
  async function busy(pauseMs: number) {
    const emulator = ownWorld()
    const { job } = await start(emulator, { turn: { durationMs: 2 * MINUTE } })
    emulator.service.script.push({ durationMs: 3 * MINUTE, pauseMs, ending: 'failed' })
    return { emulator, job }
  }

  test('the end of the turn before is not its end', async () => {
    const { emulator } = await busy(20_000)
    expectOutcome(await emulator.ask('/docs more', { runId: 2 }), 'failed')
    expect(emulator.promptCounts()).toEqual([2])
  })

  test('one end in the answer and another one half a minute later are none that stands', async () => {
    const emulator = ownWorld()
    await start(emulator, { turn: { durationMs: 22_000, notFound: { afterReads: 1 } } })
    const turn = { durationMs: 3 * MINUTE, pauseMs: 15_000 } as const
    emulator.service.script.push({ ...turn, answerStatus: 'failed', ending: 'failed' })
    expectOutcome(await emulator.ask('/docs more', { runId: 2 }), 'failed')
    expect(emulator.service.openTurns(emulator.service.jobs()[0]?.id ?? '')).toEqual([])
  })

  test('also where the job is known by its id alone', async () => {
    const { emulator, job } = await busy(20_000)
    const inputs = { 'job-id': job, prompt: 'More' }
    expectOutcome(await emulator.dispatch({ inputs }), 'failed')
  })

  test('nor where the job still shows its earlier end, half a second after another request of the thread', async () => {
    const emulator = ownWorld()
    await emulator.ask('/docs explain')
    const turn = { durationMs: 12_000, answerStatus: 'completed', staleReads: 1 } as const
    emulator.service.script.push(turn, { durationMs: MINUTE, ending: 'failed' })
    const first = emulator.ask('/docs more', { runId: 2 })
    await emulator.pass(500)
    expectOutcome(await emulator.ask('/docs and more', { runId: 3 }), 'failed')
    await first
  })

  test('a job that ended before the message costs no further pause', async () => {
    const emulator = ownWorld()
    await emulator.ask('/docs explain')
    emulator.service.script.push({ durationMs: 10_000 })
    const from = emulator.settings.now()
    expectOutcome(await emulator.ask('/docs more', { runId: 2 }), 'pull-request')
    expect(emulator.settings.now() - from).toBeLessThan(20_000)
  })

  test('a sweep leaves the first reading of an end to the next one, and the words as they are', async () => {
    const { emulator } = await busy(MINUTE)
    await start(emulator, { body: '/docs more', runId: 2 })
    const sweep = async () => {
      const result = await emulator.collect()
      const { finished, active } = result.outputs
      return { finished, active, ended: resultOf(result) }
    }
    await emulator.pass(2 * MINUTE)
    // The first request is over, and the job does not tell which of them ended.
    expect(await sweep()).toMatchObject({ finished: '1', active: '1', ended: [{ outcome: 'error' }] })
    const words = emulator.bodies().map((body) => body.split('\n')[0])
    await emulator.pass(2 * MINUTE)
    expect(await sweep()).toMatchObject({ finished: '0', active: '1' })
    await emulator.pass(2 * MINUTE)
    expect(await sweep()).toMatchObject({ finished: '0', active: '1' })
    expect(emulator.bodies().map((body) => body.split('\n')[0])).toEqual(words)
    await emulator.pass(MINUTE)
    expect(await sweep()).toMatchObject({ finished: '1', active: '0', ended: [{ outcome: 'failed' }] })
    expect(await sweep()).toMatchObject({ finished: '0', active: '0' })
  })

  test.each([
    ['a message whose answer says an end', { answerStatus: 'completed' }],
    ['one whose answer says that it works', {}],
    ['one whose answer says another end', { answerStatus: 'failed' }],
  ] as const)('an archived job begins no more turns: a sweep ends the request of %s', async (_, answer) => {
    const emulator = ownWorld()
    await start(emulator, { turn: { durationMs: 2 * MINUTE, ending: 'archived' } })
    await start(emulator, { body: '/docs more', runId: 2, turn: { durationMs: MINUTE, ...answer } })
    await emulator.pass(10 * MINUTE)
    expect(resultOf(await emulator.collect())).toMatchObject([{ outcome: 'error' }, { outcome: 'archived' }])
    expect(emulator.bodies().join('\n')).not.toContain('is working')
  })

  test.each([
    ['failed', 'completed', 'pull-request'],
    ['completed', 'failed', 'failed'],
    ['failed', 'archived', 'archived'],
  ] as const)(
    'seen as %s, and as %s ever since: the second sweep that sees that ends the request',
    async (before, after, outcome) => {
      const emulator = ownWorld()
      await start(emulator, { turn: { durationMs: 2 * MINUTE, ending: before } })
      const turn = { durationMs: 3 * MINUTE, pauseMs: MINUTE, ending: after }
      await start(emulator, { body: '/docs more', runId: 2, turn })
      await emulator.pass(2 * MINUTE)
      for (const runId of [9_100_001, 9_100_002, 9_100_003]) {
        await emulator.collect({}, { runId })
        await emulator.pass(10 * MINUTE)
      }
      expect(emulator.records()).toMatchObject([
        { state: 'ended', ending: { reason: 'end-uncertain' } },
        { state: 'ended', ending: { outcome } },
      ])
    },
  )

  test.each([
    [1, 4000],
    [2, 1000],
    [3, 20_000],
  ])(
    'failures that a sweep sent back right before are one, too, where the service shows the end before that %i times (%i ms later)',
    async (staleReads, laterMs) => {
      const emulator = await steppedWorld({ heads: [red()] })
      const stale = { answerStatus: 'completed', staleReads } as const
      emulator.service.script.push(
        { durationMs: 2 * MINUTE, ...stale },
        { durationMs: 3 * MINUTE, pauseMs: 20_000, ending: 'failed' },
      )
      await sweep(emulator)
      expect(emulator.promptCounts()).toEqual([2])
      await emulator.pass(laterMs)
      expectOutcome(await emulator.ask('/docs more', { by: 'bob', runId: 2 }), 'failed')
    },
  )
})
