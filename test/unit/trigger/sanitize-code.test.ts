import { expect, test } from 'vitest'
import { certainCode } from '../../../src/trigger/sanitize-code.ts'

const FENCE = '```\na\n```'
/** `from-to` of each, as line numbers from 0; the second is that of the closing fence. */
const code = (text: string): string[] =>
  certainCode(text.split('\n'), (line) => line).map(({ from, to }) => `${from}-${to}`)

test.each([
  ['back-ticks', '```js\na\n```\nb', '1-2'],
  ['tildes', '~~~ a`b\na\n~~~', '1-2'],
  ['two, one after the other', `${FENCE}\nb\n${FENCE}`, '1-2 5-6'],
  ['never closed', '```\na', '1-2'],
  ['a shorter fence inside', '````\n```\n````', '1-2'],
  ['closed by a longer one, indented by three', '```\na\n   ````  ', '1-2'],
  ['indented by four, which closes nothing', '```\na\n    ```\n```', '1-3'],
  ['a language that only sounds like a drawing', '```js mermaid\na\n```\n```amath\na\n```', '1-2 4-5'],
  ['three back-ticks in the middle of a line', `- a \`\`\` b\n${FENCE}`, '2-3'],
  ['a back-tick in what looks like info', `- \`\`\`a\`b\n${FENCE}`, '2-3'],
  ['inline code and a tilde in lists', `- \`x\n- ~x\n${FENCE}`, '3-4'],
  ['behind whole HTML and a blank line', `<div><a title="<" b='x' c=d e>\n</div>\n\n${FENCE}`, '4-5'],
  ['behind a comment', `<!-- a -->\n${FENCE}`, '2-3'],
  ['behind a comment of several lines, and words', `<!-- a\nb --> words\n${FENCE}`, '3-4'],
])('4.2 code beyond doubt: %s', (_, text, found) => {
  expect(code(text).join(' ')).toBe(found)
})

const HARMLESS =
  'a b blockquote br code dd del details div dl dt em h1 h6 hr i img ins kbd li ol p span strong sub sup summary table tbody td th thead tr ul'

test.each(HARMLESS.split(' '))('4.2 <%s> hides nothing', (tag) => {
  expect(code(`<${tag} id="x">\n\n${FENCE}`)).toEqual(['3-4'])
})

test.each<readonly [string, string]>([
  ['in a list', `- \`\`\`js\n  b\n  \`\`\`\n${FENCE}`],
  ['in a quotation', `> \`\`\`\n${FENCE}`],
  ['with tildes in a list', `1. ~~~\n${FENCE}`],
  ['in a footnote', `[^1]: \`\`\`\n${FENCE}`],
  ['in HTML', `<div>\n${FENCE}`],
  ['behind a tag that is not whole', `<div title="x\n\n${FENCE}`],
  ['behind a tag that is not known', `<script>\n\n${FENCE}`],
  ['behind a heading that is none', `<h7>\n\n${FENCE}`],
  ['behind a comment that is never closed', `<!-- a\n${FENCE}`],
  ['behind a comment with a tag', `<!-- a --> <b\n${FENCE}`],
  ['behind a comment that HTML ends sooner', `<!--> a -->\n${FENCE}`],
  ['behind a comment that HTML ends sooner, too', `<!---> a -->\n${FENCE}`],
  ['behind a comment that Markdown ends later', `<!-- a\n--!> b -->\n${FENCE}`],
  ['behind a comment in HTML', `<div>\n<!-- x -->\n\n${FENCE}`],
  ...['audio', 'canvas', 'math', 'noscript', 'object', 'rp', 'select', 'svg', 'template', 'video'].map(
    (tag) => [`behind <${tag}> in a paragraph`, `a <${tag} x>\n${FENCE}`] as const,
  ),
  ...['mermaid', ' MATH', 'geojson', 'topojson', 'stl'].map(
    (info) => [`a drawing: ${info}`, `\`\`\`${info}\na\n\`\`\``] as const,
  ),
])('4.2 code that is not beyond doubt: %s', (_, text) => {
  expect(code(text)).toEqual([])
})
