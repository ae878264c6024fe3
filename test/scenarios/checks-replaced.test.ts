import { describe, expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import type { Check } from '../../emulator/github/checks.ts'
import { ownWorld, type World } from '../helpers/world.ts'

/** One fix is tried, which changes nothing. */
async function judged(checks: readonly Check[], prepare?: (w: World) => void) {
  const emulator = ownWorld()
  emulator.github.checks.script.push(checks, checks, checks)
  emulator.service.everyTurn = { reads: 0 }
  prepare?.(emulator)
  const result = await emulator.ask('/docs explain', { inputs: { 'fix-attempts': '1' } })
  expect(result.annotations).toEqual([])
  return result
}

/** An answer in the place of the check runs that GitHub lists. */
const listing =
  (runs: readonly object[], more: object = { total_count: runs.length }) =>
  ({ faults }: World) => {
    const body = JSON.stringify({ ...more, check_runs: runs })
    const fault: Fault = { kind: 'wrongType', type: 'application/json', body }
    faults.add({ match: { path: /check-runs$/ }, times: Infinity, fault })
  }

describe('4.12 odd lists of checks', () => {
  const run = (more: object) => ({ name: 'build', status: 'completed', conclusion: 'success', ...more })

  test.each<[string, readonly object[], object | undefined, string]>([
    [
      'without suites, ids and times, red stays red',
      [run({ conclusion: 'failure', started_at: null }), run({ completed_at: 'x' })],
      undefined,
      'failure',
    ],
    ['without a count', [run({})], {}, 'success'],
    ['with half of a check, which is not green', [run({}), { name: 'half' }], undefined, 'pending'],
  ])('%s', async (_, runs, more, status) => {
    const { outputs, log } = await judged([{ name: 'a' }], listing(runs, more))
    expect(outputs.checks, log).toBe(status)
  })
})
