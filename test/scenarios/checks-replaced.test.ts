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

const failed: Check = { name: 'build', conclusion: 'failure', takesMs: 1000 }

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
    [
      'of a hundred and ten, whose names are long',
      Array.from({ length: 110 }, (_, at) =>
        run({
          id: at + 1,
          name: `${at} ${'n'.repeat(2000)}`,
          conclusion: at === 7 ? 'failure' : 'success',
        }),
      ),
      { total_count: 110 },
      'failure',
    ],
  ])('%s', async (_, runs, more, status) => {
    const { outputs, log } = await judged([{ name: 'a' }], listing(runs, more))
    expect(outputs.checks, log).toBe(status)
  })

  test('the comment names ten of a hundred and ten that fail, and stays short', async () => {
    const checks = Array.from({ length: 110 }, (_, at) => ({
      ...failed,
      name: `${at} ${'n'.repeat(2000)}`,
      takesMs: 0,
    }))
    const emulator = ownWorld()
    emulator.github.checks.everyHead = checks
    emulator.service.everyTurn = { reads: 0 }
    const { outputs } = await emulator.ask('/docs explain', { inputs: { 'fix-attempts': '1' } })
    expect(outputs).toMatchObject({ checks: 'failure', fixes: '1' })
    expect(emulator.bodies()[0]?.length).toBeLessThan(20_000)
    expect(emulator.bodies()[0]).toMatch(/Of its 110 checks, .*100 more fail/)
  })

  test('statuses without end do not keep the run from its end', async () => {
    const { outputs } = await judged([{ name: 'a' }], ({ faults }) => {
      const statuses = [{ context: 'ci', state: 'success', id: 1 }]
      const body = JSON.stringify({ state: 'success', total_count: 1_000_000_000, statuses })
      const fault: Fault = { kind: 'wrongType', type: 'application/json', body }
      faults.add({ match: { path: /\/status$/ }, times: Infinity, fault })
    })
    expect(outputs).toMatchObject({ outcome: 'pull-request', checks: 'success' })
  })
})
