import { test } from 'vitest'
import { sanitize } from '../../../src/trigger/sanitize.ts'

const MANY: Readonly<Record<string, string>> = {
  'openings of comments': '<!--',
  'openings of declarations': '<!a',
  'openings of instructions': '<?',
  closings: '-->',
  'half openings': '<!',
  'tags without an end': '<a ',
  'attributes without an end': '<a b="',
  'attributes with quotes': '<a b=\'"',
  slashes: '<a/',
  'opening brackets': '[',
  'closing brackets': ']',
  labels: '[a\\',
  'labels on lines': '[a\n',
  'labels with colons': '[a]:\n',
  quotations: '> ',
  'quotations with labels': '> [a\n',
  'list marks': '- * + ',
  numbers: '1. ',
  blanks: ' ',
  lines: '\n',
  'lines of blanks': ' \n',
  quotes: '"\n',
  'nested comments': '<!-- <!-',
  'put together': '<!<!-- -->--',
  targets: '](',
  'targets with brackets': '](u (',
  'targets with titles': '](u "',
  'openings of images': '![',
  'images in images': '![](',
  'rows of a table': '| a | b |\n',
  'heads of tables': '-|-\n',
  bars: '|',
  'openings of code': '```x ',
  'lines of code': '~~~\n',
  dashes: '-',
  escapes: '\\',
  footnotes: '[^a]: b\n    c\n\n',
  'zero-width': '\u200b',
  'halves of pairs': '\ud800',
}

/** Work that grew with the square of the length would outlast the time limit of a test by far. */
test.each(Object.entries(MANY))('4.2 250,000 characters of %s are not too many', (_, part) => {
  const text = part.repeat(Math.ceil(250_000 / part.length))
  sanitize(text)
  sanitize(`[${text}`)
  sanitize(`<a ${text}`)
  sanitize(`x${text}]: # (y)`)
})

/** Openings that are still open when the closings come. */
const TWICE: Readonly<Record<string, readonly [opening: string, closing: string]>> = {
  'brackets that become links': ['[', ']('],
  'brackets in an image': ['![', ']('],
  'images that begin in code': ['![`', ']'],
  'images with code between': ['`![', '`]'],
}

test.each(Object.entries(TWICE))(
  '4.2 250,000 openings, and as many closings, of %s are not too many',
  (_, parts) => {
    const [openings, closings] = parts.map((part) => part.repeat(250_000))
    sanitize(`${openings}${closings}`)
  },
)

const LARGE: Readonly<Record<string, string>> = {
  'ends of images in code': `![${'`'.repeat(100_001)}${']'.repeat(100_000)}`,
  'fences that close': '```\n```\n'.repeat(30_000),
  'comments on lines': '<!-- -->\n'.repeat(30_000),
}

test.each(Object.entries(LARGE))('4.2 many %s are not too many', (_, text) => {
  sanitize(text)
})
