import { describe, expect, test } from 'vitest'
import { expectCounts, plant, resultOf, start } from '../collect/helpers.ts'
import { expectOutcome, IN_BUNDLE, ownWorld, READ } from '../helpers/world.ts'

const MINUTE = 60_000

// All of these take minutes on the clock.
describe.skipIf(IN_BUNDLE)('4.8 a message to a job that works is a turn of its own', () => {
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

  test('the end of what people asked the job elsewhere is not the answer to failed checks', async () => {
    const emulator = ownWorld()
    emulator.github.checks.script.push([{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }])
    emulator.service.script.push(
      { reads: 0 },
      { durationMs: 3 * MINUTE, pr: 'none' },
      { durationMs: 3 * MINUTE, pauseMs: 20_000 },
    )
    const call = () => {
      const [job] = emulator.service.jobs()
      if (job !== undefined) emulator.service.message(job, 'More')
    }
    emulator.faults.add({ match: { path: /\/check-runs$/ }, fault: { kind: 'call', call } })
    const { outputs } = await emulator.ask('/docs explain', { inputs: { 'fix-attempts': '1' } })
    expect(outputs).toMatchObject({ checks: 'success', fixes: '1' })
  })

  test('nor where a run is killed right after it sent them, for its re-run', async () => {
    const emulator = ownWorld()
    emulator.github.checks.script.push([{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }])
    emulator.service.script.push(
      { reads: 0 },
      { durationMs: 90_000, pr: 'none' },
      { durationMs: 4 * MINUTE, pauseMs: 20_000 },
    )
    const call = () => {
      const [job] = emulator.service.jobs()
      if (job !== undefined) emulator.service.message(job, 'More')
    }
    emulator.faults.add({ match: { path: /\/check-runs$/ }, fault: { kind: 'call', call } })
    const said = emulator.say('/docs explain')
    const inputs = { 'fix-attempts': '1' }
    const match = { host: 'service', method: 'POST', path: /\/message$/ } as const
    await emulator.interrupted(emulator.given(said, { inputs }), match, { when: 'after' })
    const { outputs } = await emulator.act(said, { attempt: 2, inputs })
    expect(outputs).toMatchObject({ checks: 'success', fixes: '1' })
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
    // The first request ended; that of the message has not begun.
    expect(await sweep()).toMatchObject({ finished: '1', active: '1', ended: [{ outcome: 'pull-request' }] })
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
})

test.skipIf(IN_BUNDLE)(
  '4.8 the end of the last turn counts as old from when the job got the message',
  async () => {
    const emulator = ownWorld()
    await emulator.ask('/docs explain')
    const limited = { kind: 'status', status: 429, headers: { 'retry-after': '40' } } as const
    emulator.faults.add({ match: { method: 'POST', path: /\/message$/ }, fault: limited })
    const turn = { durationMs: 2 * MINUTE, staleReads: 2, answerStatus: 'completed' } as const
    emulator.service.script.push({ ...turn, ending: 'failed' })
    expectOutcome(await emulator.ask('/docs more', { runId: 2 }), 'failed')
  },
)

const LAST = { staleReads: 3, answerStatus: 'completed', ending: 'failed' } as const

test.skipIf(IN_BUNDLE)(
  '4.8 the answer to a late message is no end that has stood for half a minute',
  async () => {
    const emulator = ownWorld()
    await start(emulator, { turn: { durationMs: 20_000 } })
    const limited = { kind: 'status', status: 429, headers: { 'retry-after': '60' } } as const
    emulator.faults.add({ match: { method: 'POST', path: /\/message$/ }, fault: limited })
    emulator.service.script.push({ durationMs: 3 * MINUTE, ...LAST })
    const result = await emulator.ask('/docs more', { runId: 2, inputs: { wait: 'false' } })
    expectOutcome(result, 'started')
  },
)

test.skipIf(IN_BUNDLE)(
  '4.8 one look at a job waits for the end of a message as long as a run that follows it',
  async () => {
    const emulator = ownWorld()
    await emulator.ask('/docs explain')
    emulator.service.script.push({ durationMs: 3 * MINUTE, ...LAST })
    const said = emulator.say('/docs more')
    const inputs = { wait: 'false', 'poll-interval-seconds': '60' }
    expectOutcome(await emulator.act(said, { runId: 2, inputs }), 'started')
    await emulator.pass(40_000)
    expectOutcome(await emulator.act(said, { runId: 2, attempt: 2, inputs }), 'started')
  },
)

test.skipIf(IN_BUNDLE)('4.8 6.2 nor is it one for the post step of a run without a thread', async () => {
  const emulator = ownWorld()
  const { outputs } = await emulator.ask('/docs explain')
  emulator.service.script.push({ durationMs: 10 * MINUTE, ...LAST })
  const inputs = { prompt: 'More', 'job-id': outputs['job-id'] ?? '' }
  const event = { name: 'workflow_dispatch', payload: { sender: emulator.shown.user('alice') } }
  const { post } = await emulator.interrupted(emulator.given(event, { inputs }), READ, { skip: 12 })
  expect(post?.log).toContain('goes on')
  expect(post?.log).not.toContain('finished')
})

test.skipIf(IN_BUNDLE)('4.8 6.2 nor one for the post step of a re-run that is killed as well', async () => {
  const emulator = ownWorld()
  await emulator.ask('/docs explain')
  emulator.service.script.push({ durationMs: 30 * MINUTE, ...LAST, ending: 'completed' })
  const said = emulator.say('/docs more')
  await emulator.interrupted(emulator.given(said, { runId: 2 }), READ, { skip: 1 })
  await emulator.pass(10 * MINUTE)
  await emulator.interrupted(emulator.given(said, { runId: 2, attempt: 2 }), READ)
  expect(emulator.lastWords()).toContain('goes on')
  await emulator.pass(30 * MINUTE)
  expectCounts(await emulator.collect(), { finished: 1 })
})

test.skipIf(IN_BUNDLE)('4.8 8.2 a sweep without comments goes by one reading of an end', async () => {
  const emulator = ownWorld()
  await start(emulator, { turn: { durationMs: 2 * MINUTE } })
  emulator.service.script.push({ durationMs: MINUTE })
  await start(emulator, { body: '/docs more', runId: 2 })
  await emulator.pass(10 * MINUTE)
  expectCounts(await emulator.collect({ comment: 'off' }), { finished: 2 })
})

test.skipIf(IN_BUNDLE)(
  '4.8 8.1 one clock judges the turn of a sweep, however wrong the runner’s is',
  async () => {
    const emulator = ownWorld()
    const at = emulator.settings.now() + 10 * MINUTE
    await plant(emulator, { messagedAt: at, writtenAt: at, job: { status: 'completed' } })
    await emulator.pass(31_000)
    const result = await emulator.collect()
    expectCounts(result, { finished: 1 })
    expect(result.log).not.toContain('undefined')
  },
)

test('4 a job that the service dates as archived has ended, whatever its status is called', async () => {
  const emulator = ownWorld()
  const archivedAt = '2026-11-01T08:00:00.000Z'
  const retired = { activeStatus: 'retired', fields: { archivedAt } }
  emulator.service.script.push({ ending: 'active-forever', ...retired })
  const { outputs, log } = await emulator.ask('/docs explain')
  expect(outputs).toMatchObject({ outcome: 'archived', status: 'retired', 'archived-at': archivedAt })
  expect(log).not.toContain('keeps waiting')
  const next = await emulator.ask('/docs more', { runId: 2 })
  expect(next.outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'created' })
})

test('4 a job that works has not ended for a text that is no date', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ reads: 3, fields: { archivedAt: 'never 1' } })
  expectOutcome(await emulator.ask('/docs explain'), 'pull-request')
})
