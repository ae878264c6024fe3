import { expect, test, vi } from 'vitest'
import { dateOf, retryAfterMs } from '../../src/http/failure.ts'

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0)

test.each([
  ['seconds', { 'retry-after': '120' }, 120_000],
  ['none at all', { 'retry-after': '0' }, 0],
  ['parts of a second', { 'retry-after': '1.5' }, 1500],
  ['a date', { 'retry-after': 'Thu, 01 Jan 2026 12:02:00 GMT' }, 120_000],
  ['a date that is over', { 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' }, 0],
  ['a date in the form of RFC 850', { 'retry-after': 'Thursday, 01-Jan-26 12:02:00 GMT' }, 120_000],
  ['a date as asctime writes it', { 'retry-after': 'Thu Jan  1 12:02:00 2026' }, 120_000],
  ['seconds, twice', { 'retry-after': '120, 240' }, 120_000],
  ['seconds, and a date', { 'retry-after': '120, Thu, 01 Jan 2026 12:09:00 GMT' }, 120_000],
  ['a date, and seconds', { 'retry-after': 'Thu, 01 Jan 2026 12:02:00 GMT, 9' }, 120_000],
  ['two dates', { 'retry-after': 'Thu, 01 Jan 2026 12:02:00 GMT, Thu, 01 Jan 2026 12:09:00 GMT' }, 120_000],
  ['two dates of asctime', { 'retry-after': 'Thu Jan  1 12:02:00 2026, Thu Jan  1 12:09:00 2026' }, 120_000],
  ['an empty one, and seconds', { 'retry-after': ', 120' }, 120_000],
  ['words, twice', { 'retry-after': 'soon, later' }, undefined],
  ['a date without a time', { 'retry-after': 'Thu, 01 Jan 2026' }, undefined],
  [
    'a spent budget that comes twice',
    { 'x-ratelimit-remaining': '0, 0', 'x-ratelimit-reset': `${NOW / 1000 + 60}, 1` },
    60_000,
  ],
  [
    'a reset that comes twice',
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${NOW / 1000 + 60}, ${NOW / 1000 + 90}` },
    60_000,
  ],
  [
    'a spent budget behind an empty one',
    { 'x-ratelimit-remaining': ', 0', 'x-ratelimit-reset': `${NOW / 1000 + 60}` },
    60_000,
  ],
  ['parts of a second, twice', { 'retry-after': '1.5,9' }, 1500],
  ['a spent budget', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${NOW / 1000 + 60}` }, 60_000],
  [
    'a budget that is there again',
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${NOW / 1000 - 9}` },
    0,
  ],
  ['a budget that is left', { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '1767268860' }, undefined],
  ['a budget without a reset', { 'x-ratelimit-remaining': '0' }, undefined],
  ['nothing', {}, undefined],
  ['an empty value', { 'retry-after': '' }, undefined],
  ['a negative number', { 'retry-after': '-1' }, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['a reset in ms', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${NOW}` }, undefined],
] as const)('4.5 Retry-After: %s', (_, headers, ms) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(ms)
})

test('4.5 Retry-After goes before the budget', () => {
  const headers = { 'retry-after': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' }
  expect(retryAfterMs(new Headers(headers), NOW)).toBe(5000)
})

test.each([
  ['a date', { 'retry-after': 'Thu, 01 Jan 2026 12:02:00 GMT' }],
  [
    'a reset',
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.UTC(2026, 0, 1, 12, 2) / 1000) },
  ],
])('4.5 5.7 %s counts from the time of the server, whatever the clock of the runner says', (_, asked) => {
  const headers = new Headers({ date: 'Thu, 01 Jan 2026 12:00:30 GMT', ...asked })
  for (const hours of [-6, 0, 6]) expect(retryAfterMs(headers, NOW + hours * 3_600_000)).toBe(90_000)
})

test.each(['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC'])(
  '4.5 every form of a date is in GMT, on a machine in %s',
  (zone) => {
    vi.stubEnv('TZ', zone)
    for (const date of [
      'Thu, 01 Jan 2026 12:02:00 GMT',
      'Thursday, 01-Jan-26 12:02:00 GMT',
      'Thu Jan  1 12:02:00 2026',
    ])
      expect([date, dateOf(date)]).toEqual([date, NOW + 120_000])
  },
)

test('4.5 the time of a server that comes twice is the first one', () => {
  const date = 'Thu, 01 Jan 2026 12:00:30 GMT, Thu, 01 Jan 2026 09:00:00 GMT'
  const headers = new Headers({ date, 'retry-after': 'Thu Jan  1 12:02:00 2026' })
  expect(retryAfterMs(headers, 0)).toBe(90_000)
})
