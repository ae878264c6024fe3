import { expect, test } from 'vitest'
import { renderMarkdown } from '../../emulator/github/render.ts'
import { wholeOf, withEnd } from '../../src/github/rendering.ts'
import { htmlToText } from '../../src/prompt/html-to-text.ts'

const TEXTS = {
  'paragraphs and a list': 'Say **how** retries work.\n\n- one\n- two',
  'a quotation and a table': '> Why?\n\n| a | b |\n| - | - |\n| 1 | 2 |',
  'a fence that is not closed': 'Run:\n\n```sh\nnpm ci',
  footnotes: 'Retries[^1] end.\n\n[^1]: Five of them.',
  'a list behind a heading': '# Limits\n\n1. hourly\n2. daily\n   - a project',
}

const HTML = {
  'details that are not closed': '<details><summary>Log</summary>\n\nIt fails.',
  'a comment that is not closed': 'Before it.\n\n<!-- hidden to the end',
  'a tag in a line': 'Press <kbd>Ctrl</kbd> now',
}

const readable = (html: string | undefined) => (html === undefined ? undefined : htmlToText(html).text.trim())

test.each(Object.entries({ ...TEXTS, ...HTML }))(
  '4.2 a whole rendering is as it was asked for: %s',
  (_, text) => {
    const whole = wholeOf(renderMarkdown(withEnd(text)), text)
    expect(readable(whole)).toBe(readable(renderMarkdown(text)))
  },
)

test.each(Object.entries(TEXTS))(
  '4.2 a rendering that is cut anywhere does not go as whole: %s',
  (_, text) => {
    const html = renderMarkdown(withEnd(text))
    const whole = readable(wholeOf(html, text))
    for (let at = 0; at < html.length; at++) {
      const left = readable(wholeOf(html.slice(0, at), text))
      expect([undefined, whole]).toContain(left)
    }
  },
)

test.each(Object.entries(HTML))(
  '4.2 nor one that is cut within a block, where HTML may hide its end: %s',
  (_, text) => {
    const html = renderMarkdown(withEnd(text))
    for (let at = 1; at < html.length; at++) {
      const part = html.slice(0, at)
      if (!/<\/[a-z\d-]+>\s*$/.test(part) && !part.includes('DocsAgentEndsHere'))
        expect(wholeOf(part, text)).toBe(undefined)
    }
  },
)
