import fc from 'fast-check'
import type { Nodes } from 'hast'
import { expect, test } from 'vitest'
import { renderTree } from '../../emulator/github/render.ts'
import { withoutHtmlComments } from '../../src/base/html-comments.ts'
import { runs } from '../helpers/property.ts'

const textIn = (node: Nodes): string => {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textIn).join('') : ''
}

const WORD = 'word'
const PIECES = [
  ...[WORD, WORD, WORD, WORD, ' ', '\n', '\n\n', '\n    ', '\n  '],
  ...['<!-- ', ' -->', '-->', '--!>', '\\', ' ` ', ' `` ', '\n```\n', '\n~~~\n'],
  ...['# ', '\n# ', '***', '\n---\n'],
]
/** Beside them, no line is indented by four: what that means in a list within a quotation is not told apart. */
const CONTAINERS = [...PIECES.filter((piece) => piece !== '\n    '), '> ', '\n> ', '- ', '\n- ', '1. ']

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.match(/word\d+;/g))

/** How the words of a Markdown are kept, and shown. */
function both(pieces: readonly string[]) {
  let n = 0
  const markdown = pieces.map((piece) => (piece === WORD ? `${WORD}${n++};` : piece)).join('')
  return { kept: wordsIn(withoutHtmlComments(markdown)), shown: wordsIn(textIn(renderTree(markdown))) }
}

const markdownOf = (pieces: readonly string[]) => fc.array(fc.constantFrom(...pieces), { maxLength: 18 })

test('4.2 no word stays that the rendered page hides, as a library of CommonMark tells', () => {
  fc.assert(
    fc.property(markdownOf(CONTAINERS), (pieces) => {
      const { kept, shown } = both(pieces)
      expect([...kept].filter((word) => !shown.has(word))).toEqual([])
    }),
    runs(2000),
  )
})

test('4.2 outside lists and quotations, each word that the page shows stays', () => {
  fc.assert(
    fc.property(markdownOf(PIECES), (pieces) => {
      const { kept, shown } = both(pieces)
      expect(kept).toEqual(shown)
    }),
    runs(2000),
  )
})
