import { expect, test } from 'vitest'
import { nextFreeAt } from '../../src/features/daily-limit/daily-limit.ts'
import { readDailyLimit } from '../../src/inputs/readers.ts'
import { MOST_ASKS } from '../../src/record/record.ts'

const HOUR = 60 * 60_000
const NOW = Date.UTC(2026, 7, 5, 12)
/** So many hours before now. */
const ago = (hours: number): number => NOW - hours * HOUR
const freeAfter = (hours: number): number => NOW + (24 - hours) * HOUR

test.each<readonly [string, number, readonly number[], number | undefined]>([
  ['no ask', 1, [], undefined],
  ['one place left', 3, [5, 1], undefined],
  ['the oldest leaves first', 3, [5, 1, 9], freeAfter(9)],
  ['a lower limit than the day had asks', 1, [20, 10, 2], freeAfter(2)],
  ['a day ago', 1, [24], undefined],
  ['a moment less', 1, [23.5], freeAfter(23.5)],
  ['what several comments carry counts once', 2, [5, 5], undefined],
  ['the future of more than a day counts for nothing', 1, [-24, -24 * 365], undefined],
  ["GitHub's clocks can be seconds apart", 1, [-1 / 120], freeAfter(-1 / 120)],
])('3.15 %s', (_, limit, hours, freeAt) => {
  expect(nextFreeAt(limit, hours.map(ago), NOW)).toBe(freeAt)
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
