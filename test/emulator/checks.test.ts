import { expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import { asArray, asObject } from '../../src/base/json.ts'
import { emulate } from './helpers.ts'

// Checks, their suites and statuses, as docs.github.com/rest/checks and docs.github.com/rest/commits/statuses have them.

const SHA = 'a'.repeat(40)

function checked(...checks: readonly Check[]) {
  const world = emulate({ permissions: { statuses: 'write' }, rateLimits: {} })
  const { clock, app, github } = world
  github.addChecks(SHA, checks)
  const start = clock.now
  const read = async (list: 'check-runs' | 'check-suites') => {
    const { body } = await app(`GET /commits/${SHA}/${list}`)
    const entries = asArray(body[list.replace('-', '_')]).map(asObject)
    expect(body.total_count).toBe(entries.length)
    return entries
  }
  return {
    ...world,
    read,
    /** Lets it be so many ms since the checks began. */
    at: (ms: number): void => {
      clock.now = start + ms
    },
    /** App, status, conclusion and number of runs of each suite. */
    suites: async () =>
      (await read('check-suites')).map(({ app, status, conclusion, latest_check_runs_count: count }) => [
        ...[asObject(app).slug, status, conclusion, count],
      ]),
  }
}

test('runs of one name are in several suites, each with its own, of which the latest counts', async () => {
  const { at, read, suites, github } = checked(
    { name: 'build', suite: 'push', conclusion: 'failure' },
    { name: 'build', suite: 'pull_request', takesMs: 8000 },
    { name: 'build', app: 'netlify', conclusion: 'neutral' },
  )
  at(5000)
  expect(await suites()).toEqual([
    ['github-actions', 'completed', 'failure', 1],
    ['github-actions', 'in_progress', null, 1],
    ['netlify', 'completed', 'neutral', 1],
  ])
  github.addChecks(SHA, [{ name: 'build', suite: 'push', conclusion: 'success' }])
  at(8000)
  expect((await suites()).map(([, , conclusion]) => conclusion)).toEqual(['success', 'success', 'neutral'])
  const ids = (await read('check-runs')).map(({ check_suite: suite }) => asObject(suite).id)
  expect(new Set(ids)).toEqual(new Set((await read('check-suites')).map(({ id }) => id)))
  expect(ids).toHaveLength(3)
})
