import { describe, expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import type { RunResult } from '../../emulator/runner.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { closedPort } from '../helpers/server.ts'
import { errorsOf, expectOutcome, IN_BUNDLE, ownWorld, READ, type World, world } from '../helpers/world.ts'

/** Goes on trying this long. */
const SHORT = { 'timeout-minutes': '0.1' }

/** Red everywhere, said once in each place, in the same words. */
function red(emulator: World, result: RunResult, reason: string): void {
  expect(result).toMatchObject({ exitCode: 1, outputs: { outcome: 'error', reason } })
  expect(result.annotations).toHaveLength(1)
  expect(errorsOf(result)).toHaveLength(1)
  expect(emulator.bodies()).toHaveLength(1)
  expect(emulator.bodies()[0]).toMatch(/^\*\*❌ /)
  expect(emulator.bodies()[0]).toContain('@alice')
  expect(result.summary).toMatch(/^## ❌ /)
  expect(result.outputs['comment-url']).toContain('/octo/app/issues/12#issuecomment-')
}

const nowhere: readonly (readonly [string, (emulator: World) => string | Promise<string>, RegExp])[] = [
  ['nobody listens', async () => `http://127.0.0.1:${await closedPort()}`, /connection refused/],
  ['a bad handshake', ({ serviceUrl }) => serviceUrl.replace('http:', 'https:'), /certificate refused/],
]

test.runIf(IN_BUNDLE).each(nowhere)('2 error network: %s', { tags: 'bundle' }, async (_, baseUrl, says) => {
  const emulator = world()
  const inputs = { ...SHORT, 'base-url': await baseUrl(emulator) }
  const result = await emulator.ask('/docs Explain retries', { inputs })
  red(emulator, result, 'network')
  expect(errorsOf(result)[0]).toMatch(says)
  expect(errorsOf(result)[0]).toMatch(/proxy.*firewall.*base-url/)
})

test('3.2 a service that stays away holds up the answer to `status` for a minute', async () => {
  const emulator = world()
  await emulator.ask('/docs explain')
  emulator.faults.add({ match: READ, times: Number.POSITIVE_INFINITY, fault: { kind: 'reset' } })
  const since = emulator.settings.now()
  expectOutcome(await emulator.ask('/docs status'), 'error', 'network')
  expect(emulator.settings.now() - since).toBeLessThan(65_000)
})

test('4.5 a service that says to come back tomorrow ends the wait: the words name the time passed', async () => {
  const emulator = world()
  const fault = { kind: 'status', status: 429, headers: { 'retry-after': '86400' } } as const
  emulator.faults.add({ match: READ, fault })
  const from = emulator.settings.now()
  expectOutcome(await emulator.ask('/docs explain'), 'timed-out')
  expect(emulator.settings.now() - from).toBeLessThan(10_000)
  expect(emulator.lastWords()).toMatch(
    /^\*\*⏳ This run stopped waiting for the docs agent\*\*.*\nThe service says to retry in 24 h\./,
  )
})

test.each<[string, Fault]>([
  ['the page of a gateway', { kind: 'html', status: 502 }],
  ['503', { kind: 'status', status: 503 }],
  ['no connection', { kind: 'refuse' }],
  ['500 in its own words', { kind: 'status', status: 500, body: { error: 'Zork 17' } }],
])('H7 after %s until the deadline, nothing says that the agent still works', async (_, fault) => {
  const emulator = ownWorld()
  emulator.service.script.push({ reads: 3 })
  const rule = emulator.faults.add({ match: READ, times: Number.POSITIVE_INFINITY, fault })
  const { said, ...result } = await emulator.ask('/docs explain', { inputs: { 'timeout-minutes': '0.5' } })
  expectOutcome(result, 'timed-out')
  expect(emulator.lastWords()).toMatch(/^\*\*⏳ This run stopped waiting for the docs agent\*\*/)
  expect(emulator.lastWords()).toMatch(
    /The request to read the job \(.*The agent has the request, and its job .* goes on/,
  )
  expect(emulator.lastWords()).toMatch(
    /Comment `\/docs status` .*\[re-run the workflow\]\(\S+\) to follow the same job again\./,
  )
  rule.remove()
  const again = await emulator.act(said, { attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'resumed' })
  expect(emulator.promptCounts()).toEqual([1])
})

describe('4.4 a service that does not find a job that works', () => {
  const FOREVER = Number.POSITIVE_INFINITY
  const WORKS: Turn = { reads: 5 }

  test('nor starts one answer a second job for a follow-up', async () => {
    const emulator = world()
    await emulator.ask('/docs explain')
    emulator.faults.add({ match: READ, fault: { kind: 'status', status: 404 } })
    const { outputs } = await emulator.ask('/docs more', { runId: 2 })
    expect(outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'continued' })
  })

  test('`status` tells what one answer says', async () => {
    const emulator = world()
    emulator.service.script.push({ ...WORKS, notFound: { reads: FOREVER } })
    await emulator.ask('/docs explain', { inputs: { wait: 'false' } })
    const from = emulator.settings.now()
    expectOutcome(await emulator.ask('/docs status'), 'skipped', 'status')
    expect(emulator.settings.now() - from).toBeLessThan(1000)
    expect(emulator.lastWords()).toContain('no longer exists')
    // Two such answers, half a minute apart, end the request, as the next one finds.
    expect(emulator.bodies()[0]).toContain('is working')
    emulator.service.script.push({ ...WORKS })
    expectOutcome(await emulator.ask('/docs more', { runId: 3 }), 'pull-request')
    expect(emulator.bodies()[0]).toMatch(/The job .* is gone/)
  })
})
