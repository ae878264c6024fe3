import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDailyLimit } from '../../src/inputs/readers.ts'
import {
  ASK,
  askAt,
  MOST_ASKS,
  nextPlace,
  type OwnAsk,
  type RecordedAsks,
} from '../../src/request/daily-limit.ts'
import { union } from '../../src/request/memory.ts'
import { growthOf } from '../../src/request/thread-memory.ts'
import { runs } from '../helpers/property.ts'
import { IDENTITY, reportedWith, requestRecordOf } from './helpers.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 7, 5, 12)
/** So many hours before now. */
const ago = (hours: number): number => NOW - hours * HOUR

/** Each ask is noted at the next whole second. */
const NOTED = 1000
let drawn = 0
const askOf = (at: number): string => askAt(at, ((drawn++ % 36 ** 3) + 0.5) / 36 ** 3)
const freeAfter = (hours: number): number => ago(hours) + NOTED + DAY

/** A comment with asks of these ages in hours; each is an ask of its own. */
const comment = (commentId: number, ...hours: readonly number[]): RecordedAsks => ({
  commentId,
  asks: hours.map((age) => askOf(ago(age))),
  next: undefined,
})

/** One whose last ask is about to go out. */
const sending = (commentId: number, ...earlier: readonly number[]): RecordedAsks => {
  const recorded = comment(commentId, 0, ...earlier)
  return { ...recorded, next: recorded.asks[0] }
}

const OLD = comment(1, 5)

describe('3.15 before the ask is written', () => {
  test.each<readonly [string, number, readonly RecordedAsks[], number | undefined]>([
    ['no comment', 1, [], undefined],
    ['a comment without asks', 1, [comment(1)], undefined],
    ['one place left', 3, [comment(1, 5), comment(2, 1)], undefined],
    ['the oldest leaves first', 3, [comment(1, 5), comment(2, 1), comment(3, 9)], freeAfter(9)],
    ['pushes and fixes of one record count', 3, [comment(1, 20, 10, 2)], freeAfter(20)],
    ['a lower limit than the day had asks', 1, [comment(1, 20, 10, 2)], freeAfter(2)],
    ['the order of the list', 2, [comment(9, 3), comment(1, 1)], freeAfter(3)],
    ['what is about to go out counts', 1, [sending(4)], freeAfter(0)],
    ['a day and a second ago', 1, [comment(1, 24 + 1 / 3600)], undefined],
    ['a moment less', 1, [comment(1, 24)], freeAfter(24)],
    ['a copy that a later comment carries counts once', 2, [OLD, { ...OLD, commentId: 7 }], undefined],
    ['another one of the same second counts', 2, [OLD, comment(7, 5)], freeAfter(5)],
    ['the future counts for nothing', 1, [comment(1, -0.1, -24, -24 * 365 * 40)], undefined],
    ["but GitHub's clocks can be seconds apart", 1, [comment(1, -1 / 120)], freeAfter(-1 / 120)],
  ])('%s', (_, limit, records, freeAt) => {
    expect(nextPlace(limit, records, NOW)).toBe(freeAt)
  })
})

describe('3.15 once the ask is written', () => {
  const mine = sending(50)
  const own: OwnAsk = { ask: mine.asks[0] ?? '', commentId: 50 }
  const fix: OwnAsk = { ...own, commentId: undefined }

  test.each<readonly [string, number, readonly RecordedAsks[], OwnAsk, number | undefined]>([
    ['the own one does not count', 1, [mine], own, undefined],
    ['an older comment goes first', 1, [sending(49), mine], own, freeAfter(0)],
    ['a newer one gives way itself', 1, [mine, sending(51)], own, undefined],
    ['unless it was sent', 1, [mine, comment(51, 0)], own, freeAfter(0)],
    ['what it carries counts', 1, [mine, sending(51, 3)], own, freeAfter(3)],
    ['room for both', 2, [sending(49), mine, sending(51)], own, undefined],
    ['a fix of an older request goes first', 1, [comment(20, 30, 0), mine], own, freeAfter(0)],
    ['a fix gives way to all', 1, [mine, sending(51)], fix, freeAfter(0)],
    ['earlier asks of the own record count', 1, [sending(50, 4)], fix, freeAfter(0)],
  ])('%s', (_, limit, records, ask, freeAt) => {
    expect(nextPlace(limit, records, NOW, ask)).toBe(freeAt)
  })

  /** Runs at once, each step of each in an order of its own: it looks, writes, looks once more, and has sent. */
  function play(limit: number, order: readonly number[], fixes: ReadonlySet<number>): number {
    const list = new Map<number, RecordedAsks>()
    let lastId = 1000
    const steps = new Map<number, number>()
    const owns = new Map<number, OwnAsk & { readonly at: number }>()
    const refused = new Set<number>()
    let sent = 0
    for (const run of order) {
      const step = steps.get(run) ?? 0
      steps.set(run, step + 1)
      if (refused.has(run)) continue
      const isFix = fixes.has(run)
      const own = owns.get(run)
      if (step === 0 && nextPlace(limit, [...list.values()], NOW) !== undefined) refused.add(run)
      if (step === 1) {
        const ask = askOf(NOW)
        const at = isFix ? run : ++lastId
        owns.set(run, { ask, at, commentId: isFix ? undefined : at })
        list.set(at, { commentId: at, asks: [ask], next: isFix ? undefined : ask })
      }
      if (step === 2 && own !== undefined) {
        if (nextPlace(limit, [...list.values()], NOW, own) === undefined) sent += 1
        else {
          refused.add(run)
          list.delete(own.at)
        }
      }
      if (step === 3 && own !== undefined)
        list.set(own.at, { commentId: own.at, asks: [own.ask], next: undefined })
    }
    return sent
  }

  const RUNS = 6
  const orders = fc.shuffledSubarray(
    [0, 1, 2, 3].flatMap(() => Array.from({ length: RUNS }, (_, n) => n)),
    { minLength: 4 * RUNS },
  )
  const limits = fc.integer({ min: 1, max: RUNS + 1 })

  test('commands at once take each place, and none twice', () => {
    fc.assert(
      fc.property(limits, orders, (limit, order) => {
        expect(play(limit, order, new Set())).toBe(Math.min(limit, RUNS))
      }),
      runs(1000),
    )
  })

  test('with fixes among them, no more are sent than the limit', () => {
    fc.assert(
      fc.property(limits, orders, fc.uniqueArray(fc.nat(RUNS - 1)), (limit, order, fixes) => {
        expect(play(limit, order, new Set(fixes))).toBeLessThanOrEqual(limit)
      }),
      runs(1000),
    )
  })
})

test('3.15 an ask is nine characters, whose order is that of time, and which last', () => {
  const times = [Date.UTC(2026, 0), NOW, NOW + 1000, Date.UTC(2040, 0), Date.UTC(2087, 11)]
  const asks = times.map((at) => askAt(at, 0.999_999))
  for (const ask of asks) expect(ask).toMatch(ASK.pipe[1].requirement)
  expect(asks.toSorted()).toEqual(asks)
})

test('5.1 a memory carries the newest asks, and none that is still to go out', () => {
  const asks = Array.from({ length: 60 }, (_, at) => askOf(ago(at)))
  const of = (some: string[]) => growthOf(requestRecordOf({ ...reportedWith('j'), ...IDENTITY, asks: some }))
  expect(union([of(asks.slice(30)), of(asks.slice(0, 40))]).asks).toEqual(asks.slice(0, MOST_ASKS))
  const going = requestRecordOf({ ...IDENTITY, state: 'sending', jobId: '', asks })
  expect(growthOf(going).asks).toEqual([])
})

const read = (value: string) => readDailyLimit((name) => (name === 'daily-limit' ? value : ''))

test.each([
  ['', undefined],
  ['1', 1],
  ['10', 10],
  ['50', MOST_ASKS],
])('3.15 daily-limit %j is %s', (value, limit) => {
  expect(read(value)).toBe(limit)
})

test.each(['0', '-1', '1.5', '10 a day', '1e1', '51', '∞', '１０', 'off'])(
  '3.15 daily-limit %j is refused',
  (value) => {
    expect(() => read(value)).toThrow(
      `Input \`daily-limit\` is \`${value}\`. Write a whole number of requests a day from 1 to 50.`,
    )
  },
)
