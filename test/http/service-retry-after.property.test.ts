import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfterMs } from '../../src/http/failure.ts'
import { runs, textOf } from '../helpers/property.ts'

/** RFC 9110, 5.6.7: whole seconds, from the year 1970 to 9999. */
const times = fc.integer({ min: 0, max: 253_402_300_799 }).map((seconds) => seconds * 1000)
const wait = (value: string, now: number) => retryAfterMs(new Headers({ 'retry-after': value }), now)

/** The obsolete forms of the same time: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7 */
const asctime = (date: string) =>
  date.replace(/^(\w+), (\d\d) (\w+) (\d+) (.*) GMT$/, (_, day, of, month, year, time) =>
    [day, month, String(Number(of)).padStart(2), time, year].join(' '),
  )

test('4.5 seconds count as they are, with any zeros before them', () => {
  fc.assert(
    fc.property(fc.nat({ max: 999_999 }), fc.nat({ max: 3 }), times, (seconds, zeros, now) => {
      expect(wait(`${'0'.repeat(zeros)}${seconds}`, now)).toBe(seconds * 1000)
    }),
    runs(300),
  )
})

test('4.5 a date counts from now, and one that has passed asks for no wait', () => {
  fc.assert(
    fc.property(times, times, (at, now) => {
      expect(wait(new Date(at).toUTCString(), now)).toBe(Math.max(0, at - now))
    }),
    runs(300),
  )
})

test('4.5 a date in the form of C counts as the same time in UTC', () => {
  fc.assert(
    fc.property(times, times, (at, now) => {
      expect(wait(asctime(new Date(at).toUTCString()), now)).toBe(Math.max(0, at - now))
    }),
    runs(300),
  )
})

test('4.5 whatever the headers say, it is a time of at least 0 ms, or nothing', () => {
  const pieces = ['0', '9', '-', '.', ' ', 'e9', 'Infinity', 'NaN', 'Mon', 'Sun, 06 Nov', '1994', '08:49:37']
  const value = fc.oneof(
    textOf([...pieces, ' GMT', 'GMT+99:99', '99999999999']).map((text) => text.replace(/[^\x20-\x7e]/g, '')),
    fc.bigInt().map(String),
    fc.double().map(String),
  )
  fc.assert(
    fc.property(value, value, fc.boolean(), times, (after, reset, spent, now) => {
      const headers = new Headers({ 'x-ratelimit-reset': reset, 'x-ratelimit-remaining': spent ? '0' : '7' })
      if (after !== '') headers.set('retry-after', after)
      const ms = retryAfterMs(headers, now)
      expect(ms === undefined || (Number.isFinite(ms) && ms >= 0)).toBe(true)
      if (after.trim() !== '' && !/^[\dMTWFS]/.test(after.trim()) && !spent) expect(ms).toBeUndefined()
    }),
    runs(1000),
  )
})
