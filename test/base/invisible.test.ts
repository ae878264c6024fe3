import { expect, test } from 'vitest'
import { withoutComments, withoutInvisible } from '../../src/base/invisible.ts'
import { processorMs } from '../helpers/processor-time.ts'

const INVISIBLE = [
  ...[0x200b, 0x200d, 0x2060, 0x2062, 0xfeff, 0xad, 0x34f, 0x200f, 0xfffc, 0x13430, 0x200e, 0x61c],
  ...[0x180e, 0x3164, 0x17b4, 0xfe0f, 0xe0100, 0xe0041, 0xe0fff, 0x1d173, 0xfff9, 0x00, 0x1b, 0x7f],
  ...[0x85, 0x2800, 0xe000, 0xf0000],
]

test.each(INVISIBLE)('4.2 the character %i goes', (point) => {
  expect(withoutInvisible(`se${String.fromCodePoint(point).repeat(3)}en`)).toBe('seen')
})

test.each([
  // Which words a control reaches depends on all that stands around it.
  ['seen\n\u202eneves\u202c EVIL\ntoo', 'seen\n[text in another direction]\ntoo'],
  ['EVIL \u2068\u202dabc 12\u2069', '[text in another direction]'],
  ['EVIL \u2067text', '[text in another direction]'],
  ['one\n\u202e\u202c \ntwo', 'one\n\ntwo'],
  ['\u2067שלום\u2069, \u2068John\u2069!\nseen', '[text in another direction]\nseen'],
  ['\u200fשלום\u200e, John!', 'שלום, John!'],
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
  ['seen <!-- EVIL --!> too -->', 'seen  too -->'],
  ['seen <!-- too --!> end', 'seen <!-- too --!> end'],
  ['seen <!---> too', 'seen  too'],
  // Readers see what has no end in its paragraph, and what is escaped.
  ['seen <!-- too', 'seen <!-- too'],
  ['replace every <!-- with {/*\n\nand --> with */}', 'replace every <!-- with {/*\n\nand --> with */}'],
  ['replace <!--\n# and -->', 'replace <!--\n# and -->'],
  ['seen \\<!-- too -->', 'seen \\<!-- too -->'],
  ['seen <!-- EVIL\nEVIL --> too', 'seen  too'],
  ['seen\n<!-- EVIL\n\nEVIL', 'seen\n'],
  ['seen\n\n    <!-- too -->', 'seen\n\n    <!-- too -->'],
  ['- seen\n    <!-- EVIL -->', '- seen\n    '],
  ['seen\n<!-- \u2067x\nEVIL -->', 'seen\n'],
  ['seen <!\u200b-- EVIL -\u200b-> too', 'seen  too'],
  ['a <b> & `x` --> c', 'a <b> & `x` --> c'],
  ['seen `<!-- too -->` ``<!-- ` -->``', 'seen `<!-- too -->` ``<!-- ` -->``'],
  ['> ~~~md\n> <!-- seen -->\n> ~~~\n<!-- EVIL -->too', '> ~~~md\n> <!-- seen -->\n> ~~~\ntoo'],
  ['```\n<!-- seen, and no end of it -->', '```\n<!-- seen, and no end of it -->'],
  // No code: escaped, cut off by a comment, in a comment.
  ['seen \\`<!-- EVIL ` -->', 'seen \\`'],
  ['seen `\n<!-- ` EVIL -->', 'seen `\n'],
  ['<!-- ``` -->seen<!-- EVIL -->\n```', 'seen\n```'],
])('4.2 less its comments, %j is %j', (text, left) => {
  expect(withoutComments(text)).toBe(left)
})

test.each([
  ...['<!--', '<!-->', '```x`\n', '~~~\n', '\\`', '> ', '\u202ea\u2066', '\u202aa', '\u2066\u2069\u202c'],
])('4.2 20,000 of %j end at once', (token) => {
  const more = token === '\u202aa' ? '\u2069b' : ''
  expect(processorMs(() => withoutComments(token.repeat(20_000) + more.repeat(20_000)))).toBeLessThan(900)
})

test('4.2 back-ticks in runs of every length end at once', () => {
  const runs = Array.from({ length: 360 }, (_, n) => '`'.repeat(n + 1)).join(' ')
  expect(processorMs(() => withoutComments(`${runs}\n${'`'.repeat(60_000)}x\``))).toBeLessThan(900)
})
