import { expect, test } from 'vitest'
import { ask, emulate } from './helpers.ts'

// What a server says of its own time, and of what a client knows already.

const HOUR = 3_600_000
const JOB = '/v2/agent/docs/job'

// docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api, "Use conditional requests if appropriate".
test('what did not change is 304, without a body, until it changes', async () => {
  const { emulator, app, github } = emulate()
  github.addIssue({ number: 1 })
  github.addComment(1, { login: 'bob', body: 'x' })
  const { headers } = await app('GET /issues/1/comments')
  const etag = headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\/"[0-9a-f]{64}"$/)
  const again = (tag: string) => app('GET /issues/1/comments', undefined, { 'if-none-match': tag })
  const { status, body, headers: kept } = await again(`"other", ${etag}`)
  expect([status, body, kept.get('etag')]).toEqual([304, {}, etag])
  expect((await again(etag.slice(2))).status).toBe(304)
  expect((await again('W/"other"')).status).toBe(200)
  github.addComment(1, { login: 'bob', body: 'y' })
  expect((await again(etag)).status).toBe(200)
  expect(emulator.requests.map(({ status }) => status)).toEqual([200, 304, 304, 200, 200])
})

test('an ETag does not tell when it was made, and only what was read has one', async () => {
  const { clock, app, github } = emulate()
  github.addPullRequest({ number: 77 })
  github.setCompare('a', 'b', { commits: [{ sha: 'b', message: 'x' }] })
  for (const path of ['/pulls/77', '/compare/a...b', '/pulls/77/files']) {
    const tag = async () => (await app(`GET ${path}`)).headers.get('etag')
    const first = await tag()
    clock.now += HOUR
    expect([path, await tag()]).toEqual([path, first])
  }
  expect((await app('GET /issues/1')).headers.get('etag')).toBeNull()
  expect((await app('POST /issues/77/comments', { body: 'x' })).headers.get('etag')).toBeNull()
})

// "Making a conditional request does not count against your primary rate limit if a 304 response is returned".
test('a 304 counts against the secondary limits, and not against the hour', async () => {
  const { clock, app, github } = emulate({ rateLimits: { pointsPerMinute: 10 } })
  github.addIssue({ number: 1 })
  const { headers } = await app('GET /issues/1')
  const again = () => app('GET /issues/1', undefined, { 'if-none-match': headers.get('etag') ?? '' })
  for (let n = 0; n < 9; n += 1) {
    const { status, headers } = await again()
    expect([status, headers.get('x-ratelimit-used')]).toEqual([304, '1'])
  }
  expect((await again()).status).toBe(403)
  clock.now += 61_000
  expect((await app('GET /issues/1')).headers.get('x-ratelimit-used')).toBe('3')
})

test('each server has the date and the times of its own clock, also where it refuses', async () => {
  const skews = { githubClockSkewMs: HOUR, serviceClockSkewMs: -HOUR }
  const { emulator, app, github } = emulate({ ...skews, rateLimits: {} })
  github.addIssue({ number: 1 })
  const { headers, body } = await app('GET /issues/1')
  expect([headers.get('date'), body.created_at]).toEqual([
    'Thu, 01 Jan 2026 01:00:00 GMT',
    '2026-01-01T01:00:00Z',
  ])
  expect(Number(headers.get('x-ratelimit-reset'))).toBe(Date.UTC(2026, 0, 1, 2) / 1000)
  const created = await ask(emulator, `POST ${JOB}`, { prompt: 'x' })
  expect([created.headers.get('date'), created.body.createdAt]).toEqual([
    'Wed, 31 Dec 2025 23:00:00 GMT',
    '2025-12-31T23:00:00.000Z',
  ])
  emulator.faults.add({ fault: { kind: 'html', status: 502 } })
  expect((await app('GET /issues/1')).headers.get('date')).toBe('Thu, 01 Jan 2026 01:00:00 GMT')
})
