import { expect, test } from 'vitest'
import { withoutComments, withoutInvisible } from '../src/invisible.ts'

const INVISIBLE = [
  ['zero-width space', 0x200b],
  ['zero-width joiner', 0x200d],
  ['word joiner', 0x2060],
  ['invisible times', 0x2062],
  ['byte order mark', 0xfeff],
  ['soft hyphen', 0xad],
  ['combining grapheme joiner', 0x34f],
  ['right-to-left mark', 0x200f],
  ['object replacement', 0xfffc],
  ['hieroglyph joiner', 0x13430],
  ['isolate from left to right', 0x2066],
  ['Arabic letter mark', 0x61c],
  ['Mongolian vowel separator', 0x180e],
  ['Hangul filler', 0x3164],
  ['Khmer inherent vowel', 0x17b4],
  ['variation selector', 0xfe0f],
  ['variation selector 17', 0xe0100],
  ['tag A', 0xe0041],
  ['unassigned ignorable', 0xe0fff],
  ['musical begin beam', 0x1d173],
  ['interlinear annotation', 0xfff9],
  ['null', 0x00],
  ['escape', 0x1b],
  ['delete', 0x7f],
  ['next line', 0x85],
  ['empty Braille pattern', 0x2800],
  ['private use', 0xe000],
  ['private use beyond the first plane', 0xf0000],
] as const

test.each(INVISIBLE)('4.2 %s goes', (_, point) => {
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
  ['seen<!--\nEVIL\n\nEVIL\n-->', 'seen'],
  ['seen <!-- EVIL <!-- EVIL --> too', 'seen  too'],
  ['seen <!-- EVIL --!> too', 'seen  too'],
  ['seen <!--> too', 'seen  too'],
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
