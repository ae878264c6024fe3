import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describePeriod, isoDate, PERIODS, parseDate, periodBefore, periodOf } from '../../src/period.ts'
import { runs, textOf } from '../helpers/property.ts'

const DAY = 86_400_000
/** Years 100 to 9999: those before are taken for a slip of the pen. */
const times = fc.integer({ min: Date.UTC(100, 0), max: Date.UTC(9999, 11, 31) })
const today = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2199, 11) })

test('7.6 every time is read back from what is written of it', () => {
  fc.assert(
    fc.property(times, (ms) => {
      expect(parseDate(isoDate(ms))).toBe(ms)
      expect(parseDate(new Date(ms).toISOString())).toBe(ms)
    }),
    runs(500),
  )
})

test('7.6 a day is read exactly if a calendar has it', () => {
  const day = fc.tuple(fc.integer({ min: 100, max: 9999 }), fc.nat({ max: 14 }), fc.nat({ max: 33 }))
  fc.assert(
    fc.property(day, ([year, month, date]) => {
      const text = [
        String(year).padStart(4, '0'),
        ...[month, date].map((n) => String(n).padStart(2, '0')),
      ].join('-')
      const ms = new Date(`${text}T00:00:00Z`).getTime()
      const real = new Date(Number.isNaN(ms) ? 0 : ms).toISOString().slice(0, 10) === text
      expect(parseDate(text)).toBe(real && !Number.isNaN(ms) ? ms : undefined)
    }),
    runs(2000),
  )
})

test('7.6 a time with a zone is read as Date reads it', () => {
  const zone = fc.tuple(fc.constantFrom('+', '-'), fc.nat({ max: 23 }), fc.nat({ max: 59 }))
  fc.assert(
    fc.property(times, zone, fc.constantFrom(':', ''), (ms, [sign, hours, minutes], colon) => {
      const [hh, mm] = [hours, minutes].map((n) => String(n).padStart(2, '0'))
      const local = new Date(ms).toISOString().slice(0, -1)
      expect(parseDate(`${local}${sign}${hh}${colon}${mm}`)).toBe(Date.parse(`${local}${sign}${hh}:${mm}`))
    }),
    runs(500),
  )
})

test('7.6 whatever is written, it is a time or nothing', () => {
  const pieces = [
    '2026',
    '-',
    '02',
    '30',
    'T',
    ' ',
    ':',
    '24',
    '59',
    '60',
    '.',
    ',',
    'Z',
    '+',
    '99',
    '0000',
    '٣',
  ]
  fc.assert(
    fc.property(textOf(pieces, 14), (text) => {
      const ms = parseDate(text)
      expect(ms === undefined || Number.isSafeInteger(ms)).toBe(true)
    }),
    runs(2000),
  )
})

/** The calendar as Intl has it. */
const weekday = (ms: number) => new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(ms)
const month = (ms: number) =>
  new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(ms)

test('7.6 a preset is made of whole days, ends today at the latest, and has its length', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PERIODS), today, (name, now) => {
      const { from, to } = periodOf(name, now)
      expect([from % DAY, to % DAY]).toEqual([0, 0])
      expect(to).toBeLessThanOrEqual(now)
      const days = (to - from) / DAY
      if (name === 'last-month') {
        expect([month(from), month(from - DAY) === month(from)]).toEqual([month(to - DAY), false])
        expect([month(to), month(now)]).toEqual([month(now), month(to)])
      } else if (name === 'last-week') {
        expect([days, weekday(from), now - to < 7 * DAY]).toEqual([7, 'Monday', true])
      } else expect([days, now - to < DAY]).toEqual([Number(name.slice(0, -1)), true])
    }),
    runs(500),
  )
})

test('7.6 the period before is as long and ends where the other begins, and is described by its first and last day', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PERIODS), today, (name, now) => {
      const period = periodOf(name, now)
      const before = periodBefore(period)
      expect([before.to, before.to - before.from]).toEqual([period.from, period.to - period.from])
      const [first = '', last = ''] = describePeriod(period).split(' to ')
      expect([parseDate(first), parseDate(last)]).toEqual([period.from, period.to - DAY])
    }),
    runs(200),
  )
})
