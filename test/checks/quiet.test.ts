import { describe, expect, test } from 'vitest'
import type { ReadCheck } from '../../src/checks/classify.ts'
import {
  judge,
  type Patience,
  QUIET_TIMES,
  quietTimesHere,
  type Watched,
  watched,
} from '../../src/checks/quiet.ts'
import type { Head } from '../../src/checks/read-head.ts'
import type { CheckRun } from '../../src/github/answers.ts'

const check = (over: Partial<ReadCheck> = {}): ReadCheck => ({
  ...{ kind: 'Status', name: 'site', url: '', result: 'passed', conclusion: 'success', said: '', since: 0 },
  run: undefined,
  ...over,
})
const head = (checks: readonly ReadCheck[], over: Partial<Head> = {}): Head => ({
  ...{ sha: 'a', state: 'open', base: 'main', checks, conflictsWith: '', isParked: false },
  ...{ hasRunning: checks.some(({ result }) => result === 'running'), isMergeabilityUnknown: false },
  ...over,
})
const patience: Patience = {
  times: QUIET_TIMES,
  hadChecks: false,
  unmoved: undefined,
  goesBackSince: undefined,
}

/** Readings of two seconds, one after the other; the forge's clock is the monotonic one, cut to seconds. */
function known(...readings: readonly (readonly [from: number, head: Head])[]): Watched {
  let last: Watched | undefined
  for (const [from, read] of readings)
    last = watched(last, { head: read, readFrom: from, readAt: from + 2000, clock: from + 1000 })
  if (last === undefined) throw new Error('no reading')
  return last
}

test('4.12 the times on a loopback server are those of the default pauses', () => {
  expect(quietTimesHere(15_000)).toEqual(QUIET_TIMES)
})

describe('4.12 a change is never dated earlier than it can have come', () => {
  const running = head([check({ result: 'running', conclusion: 'pending' })])

  test.each<[string, Head, number]>([
    ['GitHub says when it came, in whole seconds', head([check({ since: 40_000 })]), 42_000],
    ['GitHub does not say when it came', head([check()]), 62_000],
    ['it came before the last reading ended', head([check({ since: 1000 })]), 32_000],
    ['its time is yet to come', head([check({ since: 90_000 })]), 62_000],
    ['a conflict came with it', head([check({ since: 40_000 })], { conflictsWith: 'main' }), 62_000],
  ])('%s', (_, now, changedAt) => {
    expect(known([0, running], [30_000, running], [60_000, now]).changedAt).toBe(changedAt)
  })

  test('a reading that began within the half minute does not end it', () => {
    const green = head([check({ since: 40_000 })])
    const [early, late] = [71_999, 72_000].map((from) => known([0, running], [60_000, green], [from, green]))
    expect(early && judge(early, patience)).toEqual({ readAgainBy: 72_000 })
    expect(late && judge(late, patience)).toBe('ended')
  })
})

test('4.12 a conflict is a failure that comes with the reading that tells of it', () => {
  const passed = head([check()])
  const conflicts = head([check()], { conflictsWith: 'main' })
  expect(known([0, passed], [30_000, conflicts]).failedAt).toBe(32_000)
  expect(known([0, passed], [30_000, conflicts], [60_000, conflicts]).failedAt).toBe(32_000)
})

test('4.12 the head from before the last turn is no answer to it, and another one is', () => {
  const green = known([0, head([check()])], [40_000, head([check()])])
  const unmoved = { sha: 'a', until: 60_000 }
  expect(judge(green, { ...patience, unmoved })).toEqual({ readAgainBy: 60_000 })
  expect(judge(green, { ...patience, unmoved: { ...unmoved, sha: 'b' } })).toBe('ended')
})

const pending = check({ result: 'running', conclusion: 'pending' })
const works = check({ kind: 'Check', result: 'running', run: { status: 'in_progress' } as CheckRun })

test.each<[string, Head, Partial<Patience>, number, string]>([
  ['half a minute for what passes', head([check()]), {}, 30_000, 'ended'],
  ['a minute for the first check', head([]), {}, 60_000, 'ended'],
  ['five minutes where an earlier head had one', head([]), { hadChecks: true }, 300_000, 'ended'],
  ['half a minute for a conflict', head([], { conflictsWith: 'main' }), { hadChecks: true }, 30_000, 'ended'],
  ['half a minute for parked workflows', head([], { isParked: true }), { hadChecks: true }, 30_000, 'ended'],
  [
    'a minute for what GitHub does not say of conflicts',
    head([check()], { isMergeabilityUnknown: true }),
    {},
    60_000,
    'ended',
  ],
  ['ten minutes for what may never end', head([check(), pending]), {}, 600_000, 'stalled'],
])('4.12 a head is waited for %s', (_, now, more, waitedMs, end) => {
  const at = 2000 + waitedMs
  const [early, late] = [at - 1, at].map((from) => known([0, now], [from, now]))
  expect(early && judge(early, { ...patience, ...more })).toEqual({ readAgainBy: at })
  expect(late && judge(late, { ...patience, ...more })).toBe(end)
})

test('4.12 a check that works is waited for to the deadline, and holds failures back for five minutes', () => {
  const now = head([check({ name: 'lint', result: 'failed' }), works, pending])
  const read = known([0, now], [3_000_000, now])
  expect(judge(read, patience)).toEqual({ readAgainBy: Infinity })
  expect(judge(read, { ...patience, goesBackSince: 2_702_001 })).toEqual({ readAgainBy: 3_002_001 })
  expect(judge(read, { ...patience, goesBackSince: 2_702_000 })).toBe('failing')
})

test('4.12 a later failure is counted from when it came, and one that passes again counts no more', () => {
  const red = check({ name: 'lint', result: 'failed', conclusion: 'failure', since: 1000 })
  const more = check({ name: 'build', result: 'failed', conclusion: 'failure', since: 50_000 })
  const two = known([0, head([red, pending])], [60_000, head([red, more, pending])])
  expect(known([0, head([red, pending])]).failedAt).toBe(2000)
  expect(two.failedAt).toBe(52_000)
  expect(known([0, head([red])], [60_000, head([check({ name: 'lint' })])]).failedAt).toBeUndefined()
  expect(known([0, head([red])], [60_000, head([red], { sha: 'b' })])).toMatchObject({
    firstReadAt: 62_000,
    changedAt: 62_000,
    failedAt: 62_000,
  })
})

const queued = { kind: 'Check', result: 'running', conclusion: '' } as const
const at = (id: number, status: string) => check({ ...queued, run: { id, status } as CheckRun })

test.each<[string, Head, boolean]>([
  ['nothing', head([at(1, 'queued')]), false],
  ['a check', head([at(1, 'queued'), check()]), true],
  ['another run of a check', head([at(2, 'queued')]), true],
  ['the start of a check', head([at(1, 'in_progress')]), true],
  ['the result of a check', head([check({ ...queued, result: 'failed', run: at(1, 'queued').run })]), true],
  ['the word of a check', head([check({ ...queued, conclusion: 'x', run: at(1, 'queued').run })]), true],
  ['a conflict', head([at(1, 'queued')], { conflictsWith: 'main' }), true],
  ['a parked workflow', head([at(1, 'queued')], { isParked: true }), true],
  ['the end of a suite', head([at(1, 'queued')], { hasRunning: false }), true],
])('4.12 what changes about a head: %s', (_, now, isChange) => {
  expect(known([0, head([at(1, 'queued')])], [30_000, now]).changedAt).toBe(isChange ? 32_000 : 2000)
})

test('4.12 a suite that goes on without checks is no check that may never end', () => {
  const now = head([check()], { hasRunning: true })
  expect(judge(known([0, now], [3_000_000, now]), patience)).toEqual({ readAgainBy: Infinity })
})
