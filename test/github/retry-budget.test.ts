import { describe, expect, test } from 'vitest'
import { cancellation } from '../../src/base/deps.ts'
import type { GitHub } from '../../src/github/github.ts'
import { CONTEXT_MS, retryBudget } from '../../src/github/retry-budget.ts'
import type { Failure } from '../../src/http/failure.ts'
import { thrownBy } from '../helpers/agent.ts'
import { githubAt, NOW, type Reply, scripted, worldOf } from './helpers.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const SHA = 'a'.repeat(40)
const OK: Reply = { json: { id: 1, number: 12, body: 'x' }, takes: 100 }
const AWAY: Reply = { status: 502, json: { message: 'Server Error' } }
const limited = (seconds?: number): Reply => ({
  ...{ status: 403, takes: 100, json: { message: 'You have exceeded a secondary rate limit' } },
  headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
})

describe('an outage', () => {
  test('5.7 is waited out for two minutes from its start, by all requests together', async () => {
    const { github, passed, sleep, calls } = await scripted(() => AWAY)
    const first = thrownBy(github.issue(12))
    await sleep(MINUTE)
    await Promise.all([first, thrownBy(github.issue(13))])
    expect(passed()).toBe(2 * MINUTE)
    const tried = calls.length
    expect(await thrownBy(github.issue(14))).toMatchObject({ kind: 'away', triedMs: 0 })
    expect(calls).toHaveLength(tried + 1)
  })

  test('5.7 goes on where the next request comes a minute after it was waited out', async () => {
    const { github, passed, sleep } = await scripted(() => AWAY)
    await thrownBy(github.issue(12))
    for (const minutes of [3, 4, 5]) {
      await sleep(MINUTE)
      expect(await thrownBy(github.issue(12))).toMatchObject({ kind: 'away', triedMs: 0 })
      expect(passed()).toBe(minutes * MINUTE)
    }
  })

  test.each<[string, Reply]>([
    ['an answer', OK],
    ['a refusal', { status: 404, json: { message: 'Not Found' } }],
  ])('5.7 is over with %s: the next one has its two minutes', async (_, reply) => {
    const { github, passed, sleep } = await scripted(({ path }) => (path.endsWith('/13') ? reply : AWAY))
    await thrownBy(github.issue(12))
    await github.issue(13).catch(() => undefined)
    const began = passed()
    await thrownBy(github.issue(12))
    expect(passed() - began).toBe(2 * MINUTE)
    await sleep(10 * MINUTE)
    await thrownBy(github.issue(12))
    expect(passed() - began).toBe(14 * MINUTE)
  })

  test.each<[string, (github: GitHub) => Promise<unknown>, number]>([
    ['for a comparison', (github) => github.compare(SHA, SHA), 15],
    ['for files that a note can replace', (github) => github.pullRequestFiles(12, 300, CONTEXT_MS), 15],
    ['for files', (github) => github.pullRequestFiles(12, 300), 120],
    // The look for it begins after two seconds.
    ['for a write that can be looked for', (github) => github.createComment(12, 'x'), 122],
  ])('5.7 is waited out %s', async (_, act, seconds) => {
    const { github, passed } = await scripted(() => AWAY)
    expect(await thrownBy(act(github))).toMatchObject({ kind: 'away' })
    expect(passed()).toBe(seconds * SECOND)
  })

  test('5.7 is waited out to the deadline at most, and to the end by what begins after it', async () => {
    const { github, passed } = await scripted(() => AWAY, { deadline: 40 * SECOND })
    await thrownBy(github.issue(12))
    expect(passed()).toBe(40 * SECOND)
    await thrownBy(github.issue(12))
    expect(passed()).toBe(2 * MINUTE)
  })
})

describe('a limit', () => {
  test('8.1 that one request meets holds all others until its end', async () => {
    const { github, calls, sleep } = await scripted(() => (calls.length === 1 ? limited(30) : OK))
    const first = github.updateComment(1, 'x')
    await sleep(SECOND)
    await Promise.all([first, ...Array.from({ length: 30 }, () => github.issue(12))])
    expect(calls).toHaveLength(1 + 31)
    expect(calls.filter(({ at }) => at < 30 * SECOND)).toHaveLength(1)
  })

  test('5.7 that names no time lasts a minute', async () => {
    const { github, calls } = await scripted(() => (calls.length === 1 ? limited() : OK))
    await github.updateComment(1, 'x')
    expect(calls.map(({ at }) => at)).toEqual([0, MINUTE + 100])
  })

  test('5.7 of more than two minutes ends each request at once, until it is over', async () => {
    const { github, calls, sleep } = await scripted(() => (calls.length === 1 ? limited(3600) : OK))
    const limitedUntil = NOW + 100 + 60 * MINUTE
    const detail = 'You have exceeded a secondary rate limit'
    for (const triedMs of [100, 0]) {
      const error = await thrownBy(github.issue(12))
      expect(error).toMatchObject({ kind: 'away', httpStatus: 403, detail, limitedUntil, triedMs })
    }
    expect(calls).toHaveLength(1)
    await sleep(60 * MINUTE)
    await github.issue(12)
    expect(calls).toHaveLength(2)
  })
})

test.each([1000, 1000.3, 4000])(
  '5.7 no pause is shorter than none: asked %s ms after a limit of a second',
  async (at) => {
    let now = 0
    const pauses: number[] = []
    const sleep = async (ms: number) => void pauses.push(ms)
    const deps = { monotonic: () => now, sleep, random: () => 0, cancellation: cancellation(sleep) }
    const { beforeNextTry, throwIfLimited } = retryBudget(deps, Number.POSITIVE_INFINITY)
    const failure: Failure = { kind: 'status', status: 429, detail: '', retryAfterMs: SECOND, isLimit: true }
    const error = new Error('limited')
    await beforeNextTry(failure, error, { began: 0, tries: 1 })
    now = 999.9
    expect(throwIfLimited).toThrow(error)
    now = at
    await beforeNextTry(failure, error, { began: 0, tries: 1 })
    expect(pauses).toEqual([SECOND, 0])
  },
)

test.each([1, 2, 3, 4, 5, 6, 7])(
  '5.7 nor is one between two writes, however the clock goes on: %i',
  async (writesApartMs) => {
    let now = 0
    const pauses: number[] = []
    const headers = { 'content-type': 'application/json' }
    const deps = {
      ...worldOf().deps,
      fetch: async () => new Response(JSON.stringify(OK.json), { headers }),
      // The clock of a machine: later at each look.
      monotonic: () => {
        now += 0.6
        return now
      },
      sleep: async (ms: number) => {
        if (ms === 10_000) return await new Promise<void>(() => {})
        pauses.push(ms)
        now += ms
      },
    }
    const github = await githubAt({ apiUrl: 'https://api.github.test' }, { deps }, { writesApartMs })
    for (let n = 0; n < 20; n++) await github.updateComment(1, 'x')
    expect(Math.min(0, ...pauses)).toBe(0)
  },
)

test('5.7 the writes of a sweep are a second apart, its reads are not', async () => {
  const { github, calls } = await scripted(() => OK, { writesApartMs: SECOND })
  const write = () => github.updateComment(1, 'x')
  await Promise.all([write(), github.issue(12), write(), github.issue(12), write()])
  const times = (wanted: string) => calls.filter(({ method }) => method === wanted).map(({ at }) => at)
  expect([times('GET'), times('PATCH')]).toEqual([
    [0, 0],
    [0, SECOND, 2 * SECOND],
  ])
})

test('8.1 the clock is that of GitHub once it has answered', async () => {
  const hourAhead = NOW + 60 * MINUTE
  const headers = { date: new Date(hourAhead).toUTCString() }
  const { github, calls, passed } = await scripted(() =>
    calls.length === 1 ? { ...AWAY, headers } : { json: OK.json },
  )
  expect(github.clock()).toBe(NOW)
  await github.updateComment(1, 'x')
  expect(passed()).toBe(500)
  expect(github.clock()).toBe(hourAhead + 500)
})
