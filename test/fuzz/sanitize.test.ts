import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sanitize } from '../../src/trigger/sanitize.ts'
import { runs, textOf } from './check.ts'
import { shownText, targetsOf } from './markdown.ts'

/** `W` stands for a word: each is another one. */
const MARKDOWN = [
  'W',
  ' ',
  '\n',
  '\n\n',
  '# ',
  '> ',
  '- ',
  '1. ',
  '    ',
  '\t',
  '`',
  '```',
  '~~~',
  '*',
  '_',
  '~~',
  '\\',
]
const TABLE = ['|', ' | ', '\n|-|\n', '\n|-|-|\n', '| W |', '---', '===']
const LINK = [
  '[',
  ']',
  '(',
  ')',
  '![',
  '](u',
  '](u "W")',
  '[^W]',
  '[^1]',
  ']: ',
  '[W]: W',
  '"',
  "'",
  '<u>',
  ':',
  '[1]',
]
const HTML = [
  '<',
  '>',
  '/',
  '<!',
  '--',
  '-->',
  '<!--',
  '<?',
  '?>',
  '<![CDATA[',
  ']]>',
  '<!W',
  '</',
  '<b>',
  '</b>',
  '<img ',
]
const TAGS = ['<a title="W">', '<div W>', '<W>', '=', '<script>', '</script>', '<style>', '<pre>', '<hr>']
const MORE = ['<details>', '<summary>', '<textarea>', '<title>', '<p', '</p>', '<br', '&lt;', '&#33;']
const INVISIBLE = [
  '\u200b',
  '\u202e',
  '\u{e0041}',
  '\u00ad',
  '\0',
  '\x1b',
  '\r',
  '\u2800',
  '\ue000',
  '\u{f0000}',
  '\ufeff',
]

const hostile = textOf(
  [...MARKDOWN, ...MARKDOWN, ...TABLE, ...LINK, ...HTML, ...TAGS, ...MORE, ...INVISIBLE],
  25,
).map(numbered)

function numbered(text: string): string {
  let words = 0
  return text.replace(/W/g, () => `q${words++}w`)
}
const wordsOf = (text: string): string[] => text.match(/q\d+w/g) ?? []
/** Names of tags and languages stay, since code is full of them: `Array<string>`, `<my-button>`. */
const NAMES = /<\/?[^\s<>]*|[`~]{3,}[ \t]*\S*/g

test('4.2 what is left of any text is shown when it is rendered', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const left = sanitize(text)
      const shown = new Set(wordsOf(`${shownText(left)}\n${targetsOf(left)}`))
      expect(wordsOf(left.replace(NAMES, '')).filter((word) => !shown.has(word))).toEqual([])
    }),
    runs(500),
  )
})

test('4.2 what is taken out is taken out at once', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const left = sanitize(text)
      expect(sanitize(left)).toBe(left)
    }),
    runs(1000),
  )
})

/** What people write who hide nothing. */
const HONEST = [
  'W',
  'W W',
  '*W*',
  '**W**',
  '`W`',
  '``W ` W``',
  '[W](https://a.example/W)',
  'W < W',
  'a[W](W)',
  '`Map<W, W>`',
  '`Record<W, Promise<W | W>>`',
]
const inline = fc
  .array(
    fc.constantFrom(...HONEST, '(W)', '"W"', 'W: W', 'W | W', '<b>W</b>', 'W!', '\\[W\\]', '~~W~~', 'W<br>W'),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(' '))
const block = fc.oneof(
  inline,
  inline.map((text) => `# ${text}`),
  inline.map((text) => `> ${text}\n> ${text}`),
  inline.map((text) => `- ${text}\n- [x] ${text}\n  1. ${text}`),
  inline.map((text) => `\`\`\`ts\n${text}\n\n${text}\n\`\`\``),
  inline.map((text) => `    ${text}`),
  inline.map((text) => `| W | W |\n| :-- | --: |\n| W | W |\n\n${text}`),
  inline.map((text) => `<details><summary>W</summary>\n\n${text}\n\n</details>`),
)
const honest = fc.array(block, { maxLength: 5 }).map((blocks) => numbered(blocks.join('\n\n')))

test('4.2 what people write who hide nothing is left', () => {
  fc.assert(
    fc.property(honest, (text) => {
      expect(wordsOf(sanitize(text))).toEqual(wordsOf(text))
    }),
    runs(500),
  )
})

test('4.2 no character is left that nobody sees', () => {
  const unseen =
    /\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|\p{Co}|[\u2800\ufff9-\ufffb]|(?![\n\t])\p{Cc}/u
  const texts = fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 60 }))
  fc.assert(
    fc.property(texts, (text) => {
      expect([unseen.test(sanitize(text)), sanitize(text).isWellFormed()]).toEqual([false, true])
    }),
    runs(1000),
  )
})
