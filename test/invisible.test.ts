import { expect, test } from 'vitest'
import { withoutComments, withoutInvisible } from '../src/invisible.ts'

const INVISIBLE = [
  ...[0x200b, 0x200d, 0x2060, 0x2062, 0xfeff, 0xad, 0x34f, 0x200f, 0xfffc, 0x13430, 0x2066, 0x61c],
  ...[0x180e, 0x3164, 0x17b4, 0xfe0f, 0xe0100, 0xe0041, 0xe0fff, 0x1d173, 0xfff9, 0x00, 0x1b, 0x7f],
  ...[0x85, 0x2800, 0xe000, 0xf0000],
]

test.each(INVISIBLE)('4.2 the character %i goes', (point) => {
  expect(withoutInvisible(`se${String.fromCodePoint(point).repeat(3)}en`)).toBe('seen')
})

test.each([
  ['\u202eneves\u202c too', '[text in another direction] too'],
  ['seen \u2067text', 'seen [text in another direction]'],
  ['one \u202e \u202c\ntwo', 'one  \ntwo'],
  ['\u2067שלום\u2069, \u2068John\u2069!', 'שלום, John!'],
  ['\u202dabc 12\u202c', 'abc 12'],
  ['a\u2028b\u2029c', 'a b c'],
])('4.2 in a title, a name or a patch, %j is %j', (text, left) => {
  expect(withoutInvisible(text)).toBe(left)
})

test.each(['a\n\tb', 'grüße, 日本語, 👍, e\u0301', ' <!-- --> & \\'])('4.2 %j stays', (text) => {
  expect(withoutInvisible(text)).toBe(text)
})

test('4.2 half a surrogate pair becomes a sign that stands for it', () => {
  expect(withoutInvisible('a\ud800b')).toBe('a\ufffdb')
})

test.each([
  ['seen <!-- EVIL --> too', 'seen  too'],
  ['seen <!-- EVIL <!-- EVIL --> too', 'seen  too'],
  ['seen <!-- EVIL --!> too', 'seen  too'],
  ['seen <!---> too', 'seen  too'],
  ['seen <!-- EVIL', 'seen '],
  ['seen <!\u200b-- EVIL -\u200b-> too', 'seen  too'],
  ['a <b> & `x` --> c', 'a <b> & `x` --> c'],
])('4.2 less its comments, %j is %j', (text, left) => {
  expect(withoutComments(text)).toBe(left)
})

test('4.2 20,000 openings of comments end at once', () => {
  expect(withoutComments('<!--'.repeat(20_000))).toBe('')
  expect(withoutComments('<!-->'.repeat(20_000))).toBe('')
})
