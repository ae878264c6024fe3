import { describe, expect, test } from 'vitest'
import { clock, count, cut, duration, grouped, logLine, oneLine, plainText } from '../../src/base/text.ts'

test('2.4 an ordinary line stays as it is', () => {
  const line = 'Job j_1: see C::x, issue #12 [now] — “ü” 🚀'
  expect(logLine(line)).toBe(line)
})

describe('2.4 oneLine', () => {
  test.each([
    ['a\nb\r\nc', 'a b c'],
    ['  a \t b  ', 'a b'],
    ['a\u2028b\u2029c\u0085d', 'a b c d'],
    ['a\u202eb\u2066c', '[text in another direction]'],
    ['a\u001b[31mb', 'a [31mb'],
    ['', ''],
  ])('%j becomes %j', (text, expected) => expect(oneLine(text)).toBe(expected))
})

test('2.4 what is too long is cut, never in the middle of a character', () => {
  expect(oneLine('x'.repeat(301))).toHaveLength(300)
  expect(cut('abcdef', 4)).toBe('abc…')
  expect(cut('abcd', 4)).toBe('abcd')
  expect(cut('ab🚀🚀', 4)).toBe('ab…')
})

test('2.5 times for sentences and for the log', () => {
  const times = [0, 999, 252_000, 60_000, 3_600_000, 5_461_000].map(duration)
  expect(times).toEqual(['0 s', '1 s', '4 min 12 s', '1 min', '1 h', '1 h 31 min'])
  expect([0, 2999, 252_000, 3_723_000].map(clock)).toEqual(['0:00', '0:02', '4:12', '62:03'])
  expect([count(1, 'row'), count(1284, 'character')]).toEqual(['1 row', '1,284 characters'])
})

test('2 digits stand in groups of three', () => {
  for (const n of [999, 1000, 1_234_567, -123, -1234]) expect(grouped(n)).toBe(n.toLocaleString('en-US'))
})

test('2 Markdown becomes plain where it would be shown as it is', () => {
  expect(plainText('**✅ Opened [octo/docs#77](https://example.com)** by `x`')).toBe(
    '✅ Opened octo/docs#77 (https://example.com) by x',
  )
})

test('2 what stands in code, or in the name of a link, is not changed on the way', () => {
  expect(plainText('**Look** at `docs/**` and `***` [octo/my\\_docs#7](https://example.com/my_docs)')).toBe(
    'Look at docs/** and *** octo/my_docs#7 (https://example.com/my_docs)',
  )
})
