import { expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import { asArray, asObject } from '../../src/json.ts'
import { emulate } from './helpers.ts'

// Checks, their suites and statuses, as docs.github.com/rest/checks and docs.github.com/rest/commits/statuses have them.

const SHA = 'a'.repeat(40)

function checked(...checks: readonly Check[]) {
  const world = emulate({ permissions: { statuses: 'write' }, rateLimits: {} })
  const { clock, app, github } = world
  github.addChecks(SHA, checks)
  const start = clock.now
  const read = async (list: 'check-runs' | 'check-suites', query = '', ref = SHA) => {
    const { body } = await app(`GET /commits/${ref}/${list}${query}`)
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
  // "`latest` returns the most recent check runs."
  expect(await read('check-runs', '?filter=all')).toHaveLength(4)
  expect(await read('check-runs', '?check_name=none')).toEqual([])
  expect(await read('check-runs', '?status=queued')).toEqual([])
})

test('a status is written with who set it, and the newest of a context counts, in any case', async () => {
  const { clock, app, github } = checked({ name: 'docs', kind: 'status', conclusion: 'failure' })
  const set = (state: string, more = {}) => app(`POST /statuses/${SHA}`, { state, context: 'Docs', ...more })
  const combined = async () => (await app(`GET /commits/${SHA}/status`)).body
  clock.now += 1000
  const link = 'https://example.com/run'
  const { status, body } = await set('pending', { description: 'x'.repeat(140), target_url: link })
  expect([status, body]).toMatchObject([201, { state: 'pending', creator: { login: 'github-actions[bot]' } }])
  expect(await combined()).toMatchObject({ state: 'pending', total_count: 1 })
  clock.now += 3_600_000
  expect(await combined()).toMatchObject({ state: 'pending' })
  await set('success')
  expect(await combined()).toMatchObject({ state: 'success', statuses: [{ context: 'Docs' }] })
  await app(`POST /statuses/${SHA}`, { state: 'error' })
  expect(github.statuses(SHA).slice(1)).toEqual([
    {
      ...{ context: 'Docs', state: 'pending', description: 'x'.repeat(140), targetUrl: link },
      ...{ creator: 'github-actions[bot]', at: '2026-01-01T00:00:01Z' },
    },
    {
      ...{ context: 'Docs', state: 'success', description: '', targetUrl: '' },
      ...{ creator: 'github-actions[bot]', at: '2026-01-01T01:00:01Z' },
    },
    expect.objectContaining({ context: 'default', state: 'error' }),
  ])
})
