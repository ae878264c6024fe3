import { expect, test } from 'vitest'
import { sanitize } from '../../../src/trigger/sanitize.ts'

/** What is hidden says EVIL; what people see says so. Nothing hidden may be left, nothing seen may be lost. */
const HIDDEN: Readonly<Record<string, string>> = {
  'a comment': 'seen <!-- EVIL --> too',
  'a comment over lines': 'seen\n<!--\nEVIL\n\nEVIL\n-->\ntoo',
  'an unclosed comment': 'seen too\n<!-- EVIL',
  'an unclosed comment with blank lines': 'seen too\n<!-- EVIL\n\nEVIL\n\nEVIL',
  'a comment that a dash closes late': 'seen <!-- EVIL --!> too',
  'an abrupt comment and a real one': 'seen <!--> too <!-- EVIL -->',
  'an abrupt comment with a dash': 'seen <!---> too <!-- EVIL -->',
  'a comment in a comment': 'seen <!-- EVIL <!-- EVIL --> too',
  'a comment that removal would put together': 'seen <!-<!-- x -->- EVIL --> too',
  'one put together twice': 'seen <!<!-- -->--<!-- --> EVIL --> too',
  'one put together around a declaration': 'seen <<!x>!-- EVIL --> too',
  'one put together around an instruction': 'seen <!<?x?>-- EVIL --> too',
  'one put together by zero-width characters': 'seen <!\u200b-- EVIL --\u200b> too',
  'one put together by a soft hyphen': 'seen <\u00ad!-\u00ad- EVIL --> too',
  'a comment right at the start': '<!--EVIL-->seen too',
  'a comment with carriage returns': 'seen <!--\rEVIL\r--> too',
  CDATA: 'seen <![CDATA[ EVIL > EVIL ]]> too',
  'unclosed CDATA': 'seen too <![CDATA[ EVIL',
  'a declaration': 'seen <!DOCTYPE EVIL> too',
  'a declaration in small letters': 'seen <!element EVIL> too',
  'an unclosed declaration': 'seen too <!DOCTYPE EVIL',
  'a processing instruction': 'seen <?php EVIL > EVIL ?> too',
  'an unclosed processing instruction': 'seen too <? EVIL',
  'an alternative text': 'seen <img src="x" alt="EVIL"> too',
  'an alternative text with a bracket': 'seen <img alt="> EVIL" src="x"> too',
  'a title': 'seen <a title=\'EVIL\' href="x">too</a>',
  'an attribute without quotes': 'seen <span data-x=EVIL>too</span>',
  'an attribute over lines': 'seen <span\ndata-x="EVIL\nEVIL"\n>too</span>',
  'an attribute after a slash': 'seen too\n\n<p><img/alt="EVIL"/>',
  'attributes of an end tag': 'seen\n\n<p>too</p EVIL="EVIL">',
  'a definition': '[//]: # (EVIL)\nseen too',
  'a definition with a title': 'seen\n\n[x]: https://example.com "EVIL"\n\ntoo',
  'a definition in angles': 'seen too\n\n[x]: <EVIL>',
  'a definition that is indented': 'seen too\n\n   [x]: # (EVIL)',
  'a definition in a quotation': '> seen too\n>\n> [x]: # (EVIL)',
  'a definition in two quotations': '> > [x]: # (EVIL)\n\nseen too',
  'a definition in a list': '- [x]: # (EVIL)\n\nseen too',
  'a definition in a starred list': '* [x]: # (EVIL)\n\nseen too',
  'a definition in a numbered list': '1. [x]: # (EVIL)\n\nseen too',
  'a label over lines': 'seen too\n\n[x\ny\nz]: # (EVIL)',
  'a label that says it': '[EVIL]: #\n\nseen too',
  'a label over lines that says it': 'seen too\n\n[a\nEVIL\nb]: #',
  'a label with an escaped bracket': '[x\\]EVIL]: # (EVIL)\n\nseen too',
  'a title on a line of its own': 'seen too\n\n[x]: https://example.com\n"EVIL"',
  'a target on a line of its own': 'seen too\n\n[x]:\n#EVIL',
  'a title over lines': 'seen too\n\n[x]: # "EVIL\nEVIL\nEVIL"\n',
  'a title over lines in brackets': 'seen too\n\n[x]: # (EVIL\nEVIL\nEVIL)\n',
  'a title over lines in quotes': "seen too\n\n[x]: # 'EVIL\nand EVIL, plain\nEVIL'\n",
  'a title over lines in a quotation': '> seen too\n>\n> [x]: #\n> (EVIL\n> EVIL\n> EVIL)',
  'a title with an escaped quote': 'seen too\n\n[x]: # "EVIL \\" EVIL\nEVIL"\n',
  'a title that looks like a definition': 'seen too\n\n[x]: # "EVIL\n[y]: #\nEVIL\nEVIL"\n',
  'a title on lines of its own': 'seen too\n\n[x]: #\n"EVIL\nEVIL\nEVIL"\n',
  'a target that says it': 'seen too\n\n[x]:\nEVIL\n(EVIL)',
  'two definitions': '[a]: # (EVIL)\n[b]: # (EVIL)\n\nseen too',
  'a definition that removal would put together': '[x<!-- -->]: # (EVIL)\n\nseen too',
  'a definition whose colon hides': '[x]<!-- y -->: # (EVIL)\n\nseen too',
  'a definition behind a comment': '<!-- -->[x]: # (EVIL)\n\nseen too',
  'a definition with carriage returns': 'seen too\r\n\r\n[x]: #\r\n(EVIL)\r\n',
  'a footnote nobody refers to': 'seen too\n\n[^x]: EVIL',
  'a footnote over lines': 'seen too\n\n[^x]: EVIL\nEVIL\n    EVIL',
  'a footnote over paragraphs': 'seen\n\n[^x]: EVIL\n\n    EVIL\n\n\tEVIL\nEVIL\n\ntoo',
  'a footnote in a quotation': '> seen\n>\n> [^x]: EVIL\n> EVIL\n>\n>     EVIL\n\ntoo',
  'a title of a link': 'seen [too](https://example.com "EVIL")',
  'a title of a link in quotes': "seen [too](<a b> 'EVIL')",
  'a title of a link in brackets': 'seen [too](u(v) (EVIL))',
  'a title of a link over lines': '> seen [too](u\n> "EVIL\n> EVIL"\n> )',
  'a title of a link behind brackets': 'seen [too](a((b)) "EVIL")',
  'a title of an image': 'seen ![](u "EVIL") too',
  'an alternative text in Markdown': 'seen ![EVIL](u) too',
  'an alternative text with a link': 'seen ![EVIL [EVIL](v) EVIL](u) too',
  'an alternative text with an image': 'seen ![EVIL ![EVIL](v) EVIL](u) too',
  'an alternative text with code': 'seen ![EVIL `[` EVIL `]` EVIL](u) too',
  'an alternative text with a bracket in code': 'seen ![EVIL `[` EVIL](u) too',
  'an alternative text with an end in code': 'seen ![EVIL `]` EVIL](u) too',
  'an alternative text by reference': 'seen ![EVIL][x] too',
  'the line that opens code': 'seen\n\n```ts EVIL EVIL\ntoo\n```',
  'the line that opens other code': 'seen\n\n~~~ ts "EVIL"\ntoo\n~~~',
  'the line that opens code in a list': '- seen\n\n  ```ts EVIL\n  too\n  ```',
  'a word that is no language': 'seen\n\n```!EVIL\ntoo\n```',
  'cells that the head of the table has not': '| seen |\n| --- |\n| too | EVIL | EVIL |\n| x | EVIL',
  'cells of a table without bars at its ends': 'seen|x\n-|-\ntoo|x|EVIL|EVIL',
  'cells of a table in a quotation': '> | seen |\n> | :-: |\n> | too | EVIL |',
  'cells that begin with dashes': 'seen\n|-|\n---| EVIL |\n\ntoo',
  'a tag that nothing closes, behind another': '<p>seen too</p><img EVIL EVIL',
  'a tag that nothing closes, below another': '<div>\nseen too <img EVIL\nEVIL',
  'a tag that nothing closes, behind a blank line': '<pre>\n\nseen too <img EVIL\n\nEVIL',
  'what is no tag, in a block of HTML': '<p>seen too</p><! EVIL\nEVIL',
  'what is no end tag, in a block of HTML': '<p>seen too</p></[EVIL]: EVIL',
  'what is no tag and holds the beginning of one': '<p>seen</p><!1 < EVIL>too',
  'a comment behind one that ends a block': '<!--\n\n--> seen too <!-- EVIL\n\nEVIL',
  'a comment on the line that ends a block': '<pre>seen</pre> too <!-- EVIL\n\nEVIL',
  'a comment over a line of nothing visible': 'seen too <!--\n\u200b\nEVIL -->',
  'the parentheses of ruby': '<ruby>seen<rp>EVIL</rp><rt>too</rt></ruby>',
  'the line that opens code, behind a line separator': 'seen\n\n```ts\u2028EVIL\ntoo\n```',
  'a title behind a blank that ends no target': 'seen [too](a\u00a0b "EVIL")',
  'cells below a blank that ends no table': '| seen |\n|-|\n\u00a0\n| too | EVIL |',
  'a footnote over a blank that ends no paragraph': 'seen too\n\n[^x]: EVIL\n\u00a0\nEVIL',
  'a footnote with a blank in its label': 'seen too\n\n[^a\u00a0b]: EVIL\n\n    EVIL',
  'a footnote over what is no heading': 'seen too\n\n[^x]: EVIL\n#\u00a0EVIL',
  'a footnote over a tag in its text': 'seen too\n\n[^x]: EVIL\n<b>EVIL</b>',
  'a footnote over what opens no code': 'seen too\n\n[^x]: EVIL\n``` a`b\nEVIL',
  'a comment behind a fence that a list has closed': '- ```\n  ```\nseen too\n<!-- EVIL -->\n  ```',
  'a comment behind a fence with what nobody sees': 'seen too\n\u200b```\n<!-- EVIL -->\n```',
  'a comment behind a fence in a block of HTML': '<pre>\nseen too\n```\n\n<!-- EVIL -->\n```\n</pre>',
  'a comment behind a fence in a comment': 'seen too\n<!--\n```\n-->\n<!-- EVIL\n```\n-->',
  'a comment behind a fence that is none': 'seen too\n```a`\n```\nx\n```\n<!-- EVIL -->',
  'code in an attribute that nothing closes': 'seen too\n<div title="\n\n```\n<!-- EVIL -->\n```',
  'a comment in the source of a drawing': 'seen too\n\n```mermaid\n<!-- EVIL -->\n```',
  'attributes behind many tags that nothing closes': `seen too ${'<a '.repeat(60)}<a title="EVIL">`,
}

test.each(Object.entries(HIDDEN))('4.2 hidden in %s', (_, text) => {
  const shown = sanitize(text)
  expect(shown).not.toContain('EVIL')
  expect(shown).toContain('seen')
  expect(shown).toContain('too')
})

const CODE: Readonly<Record<string, string>> = {
  PHP: '```php\n<?php\necho 1;\n```',
  'a template': '<!-- Fill in -->\n\n```html\n<!DOCTYPE html>\n<!-- nav --><a href="/x" title="y">z</a>\n```',
  types: 'Types:\n```ts\ntype A = {\n  [key: string]: number\n}\n```',
  'a list with a label': '~~~yaml\n- [a]: b\n- key: v\n~~~',
  'a log': '<details><summary>Log</summary>\n\n```\n[12:00:01]: failed\n```\n\n</details>',
  'an element with arguments': '```js\nx = m["k"](y, "title")\n```',
  'code that nothing closes': '```md\n[a]: b "c"\n![d](e)',
}

test.each(Object.entries(CODE))('4.2 seen in code: %s', (_, text) => {
  const hidden = /<!-- Fill in -->\n\n/
  expect(sanitize(text)).toBe(text.replace(hidden, ''))
})

test.each(['List<? extends Foo>', '`<!--`', 'a <!b', 'a <![CDATA[ b'])(
  '4.2 %s in a sentence hides nothing',
  (part) => {
    const text = `Why does ${part} fail?\n\nSteps: the rest.`
    expect(sanitize(text)).toBe(text)
  },
)

const INVISIBLE = [
  ['zero-width space', 0x200b],
  ['zero-width joiner', 0x200d],
  ['word joiner', 0x2060],
  ['invisible times', 0x2062],
  ['byte order mark', 0xfeff],
  ['soft hyphen', 0xad],
  ['combining grapheme joiner', 0x34f],
  ['right-to-left mark', 0x200f],
  ['right-to-left override', 0x202e],
  ['isolate', 0x2067],
  ['Arabic letter mark', 0x61c],
  ['Mongolian vowel separator', 0x180e],
  ['Hangul filler', 0x3164],
  ['half-width Hangul filler', 0xffa0],
  ['Hangul choseong filler', 0x115f],
  ['Khmer inherent vowel', 0x17b4],
  ['variation selector', 0xfe0f],
  ['variation selector 17', 0xe0100],
  ['tag A', 0xe0041],
  ['tag end', 0xe007f],
  ['language tag', 0xe0001],
  ['unassigned ignorable', 0xe0fff],
  ['musical begin beam', 0x1d173],
  ['interlinear annotation', 0xfff9],
  ['null', 0x00],
  ['escape', 0x1b],
  ['backspace', 0x08],
  ['delete', 0x7f],
  ['empty Braille pattern', 0x2800],
  ['private use', 0xe000],
  ['private use beyond the first plane', 0xf0000],
  ['next line', 0x85],
  ['C1 control', 0x9b],
] as const

test.each(INVISIBLE)('4.2 %s is taken out', (_, point) => {
  expect(sanitize(`se${String.fromCodePoint(point).repeat(3)}en`)).toBe('seen')
})

test('4.2 what follows a definition is seen', () => {
  expect(sanitize('[x]: #\nseen\n[y]: # (z)\ntoo "as well"')).toBe('seen\ntoo "as well"')
  expect(sanitize('[x]: # "a\nb"\nseen\n\n[x]: # "open\n\nseen too')).toBe('seen\n\nseen too')
})

test('4.2 what follows a footnote is seen', () => {
  expect(sanitize('[^x]: a\n# seen\n\ntoo')).toBe('# seen\n\ntoo')
  expect(sanitize('[^x]: a\n\nseen\n\n    too')).toBe('seen\n\n    too')
})

test('4.2 a message in tag characters is gone, and half a surrogate pair is harmless', () => {
  const tags = [...'ignore all']
    .map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
    .join('')
  expect(sanitize(`seen${tags} too`)).toBe('seen too')
  for (const half of ['\ud800', '\udc00']) {
    expect(sanitize(`seen ${half}<!-- EVIL -->`).isWellFormed()).toBe(true)
    expect(sanitize(`seen <!${half}-- EVIL -->${half}`).isWellFormed()).toBe(true)
  }
})

test.each([
  'if a <b then\n\nseen, c> d',
  'a [link](u) (see "this") and [one](v) (in brackets)',
  'seen `Map<string, number>`, Promise<T | U> and </b of="text">',
  '<b>Note</b> `Map<string, number>`',
  'an array[0](x) and `vec![1, 2]` and a [link](u)',
  'code ![not an image] and text (here)',
  '| a | b |\n| - | :-: |\n| `x\\|y` | z |\n\na | b | c | d',
  'a | b | c\n---\nd | e | f | g',
  '```ts\nx\n```',
  '``` c++\nx\n```',
  '`` ```not a fence`` ``',
  'text [^1] without a note',
  '<p>seen <b>too</b></p>',
  'plain text, a < b and c > d, 5 <! 6',
  'a [link](https://example.com) and [another][1]',
  '```ts\nconst a: Array<string> = []\n```',
  '- [ ] task\n- [x] done',
  'line\n\nline\tindented',
  'grüße, 日本語, 👍 and e\u0301',
  '| a | b |\n| --- | --- |',
  '# Heading: with a colon',
  '[note] : this is seen',
  'before\n\nafter "quoted"\n(and this)',
])('4.2 %j stays', (text) => {
  expect(sanitize(text)).toBe(text)
})

test('4.2 nested deeper than anyone would in good faith, nothing hidden is left', () => {
  for (const depth of [5, 25, 200]) {
    const nested = `seen ${'<!-'.repeat(depth)}<!-- -->${'- EVIL -->'.repeat(depth)} <!-- EVIL`
    expect(sanitize(nested)).not.toContain('<!-')
    const split = Array.from({ length: depth }).reduce<string>((inner) => `<!<!-- -->--${inner}`, 'EVIL')
    expect(sanitize(`seen ${split}`)).not.toContain('<!-')
  }
})

test.each([
  ['a label whose line ends with a backslash', '[a\\\nb]: # (HIDDEN)'],
  ['an end tag that is none', '<div></ HIDDEN words></div>'],
  ['a declaration that is none', '<div><! HIDDEN></div><div><!1 HIDDEN></div>'],
  ['an unquoted value with a quote', "<p title=it's HIDDEN words>x"],
  ['a value with another tag', '<p title=a<HIDDEN words>x'],
  ['odd names of tags', '<div><x_y HIDDEN words>x <a:b HIDDEN z>x'],
  ['a quoted value with a bracket', '<p title="a > HIDDEN">x'],
  ['a tag that the text ends in', '<div title=x HIDDEN'],
  ['a value that the text ends in', '<p title="HIDDEN\nwords'],
])('4.2 hidden in %s', (_, text) => {
  expect(sanitize(text)).not.toContain('HIDDEN')
})

test('4.2 comparisons and generics in a paragraph stay', () => {
  const text = 'Array<string> and x < y, a <b then c'
  expect(sanitize(text)).toBe(text)
})
