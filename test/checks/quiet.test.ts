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
