import { describe, expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import type { Check } from '../../emulator/github/checks.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { IN_BUNDLE, ownWorld, type World } from '../helpers/world.ts'

const ACTIONS: EmulatorOptions = { permissions: { actions: 'read' } }

/** One fix is tried, which changes nothing. */
async function judged(checks: readonly Check[], options: EmulatorOptions = {}, prepare?: (w: World) => void) {
  const emulator = ownWorld(options)
  emulator.github.checks.script.push(checks, checks, checks)
  emulator.service.everyTurn = { reads: 0 }
  prepare?.(emulator)
  const result = await emulator.ask('/docs explain', { inputs: { 'fix-attempts': '1' } })
  const asked = emulator.requests.filter(({ path }) => path.includes('/actions/runs/'))
  expect(result.annotations).toEqual([])
  return { checks: result.outputs.checks, asked, log: result.log }
}

const failed: Check = { name: 'build', conclusion: 'failure', takesMs: 1000 }
const LATER = { name: 'build', appearsAfterMs: 3000 }
const AGAIN = { ...LATER, suite: 'again', workflow: 'ci' }

describe.skipIf(IN_BUNDLE)('4.12 of two checks of one name and app', () => {
  test.each<[string, readonly Check[], string]>([
    ['of one suite, which began after the other had ended, counts alone', [failed, LATER], 'success'],
    ['of a new run of its workflow counts alone', [failed, AGAIN], 'success'],
    ['that is red replaces a green one', [{ name: 'build' }, { ...AGAIN, conclusion: 'failure' }], 'failure'],
  ])('the later one %s', async (_, checks, status) => {
    const { checks: said, log } = await judged(checks, ACTIONS)
    expect(said, log).toBe(status)
  })

  test('nothing is asked where all agree', async () => {
    const { asked } = await judged([{ name: 'build' }, AGAIN, failed, { ...failed, app: 'other' }], ACTIONS)
    expect(asked.length).toBeGreaterThan(0)
    const agreeing = await judged([{ name: 'build' }, AGAIN], ACTIONS)
    expect(agreeing).toMatchObject({ asked: [], checks: 'success' })
  })

  test.each<[string, Fault | undefined]>([
    ['the token may not read', undefined],
    ['GitHub does not know', { kind: 'status', status: 404 }],
    ['GitHub answers with something else for', { kind: 'html' }],
    ['GitHub tells nothing of', { kind: 'wrongType', type: 'application/json', body: '[7]' }],
  ])('in doubt red stays red: runs that %s', async (_, fault) => {
    const { checks, asked, log } = await judged([failed, AGAIN], fault && ACTIONS, ({ faults }) => {
      if (fault !== undefined) faults.add({ match: { path: /actions\/runs/ }, times: Infinity, fault })
    })
    expect(checks, log).toBe('failure')
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.length).toBeLessThan(30)
  })

  test('checks without suites, ids and times throw nothing, and red stays red', async () => {
    const { checks } = await judged([{ name: 'a' }], ACTIONS, ({ faults }) => {
      const runs = ['failure', 'success'].map((conclusion) => ({
        ...{ name: 'build', status: 'completed', conclusion, started_at: null, completed_at: 'x' },
        details_url: 'https://github.com/octo/app/actions/runs/7/job/8',
      }))
      const body = JSON.stringify({ total_count: 2, check_runs: runs })
      const fault: Fault = { kind: 'wrongType', type: 'application/json', body }
      faults.add({ match: { path: /check-runs$/ }, times: Infinity, fault })
    })
    expect(checks).toBe('failure')
  })
})
