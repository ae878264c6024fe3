import fc from 'fast-check'
import { expect, test } from 'vitest'
import { code, fence } from '../src/text.ts'
import { MARKDOWN, runs, textOf } from './helpers/property.ts'
import { nodesOf, pageTree } from './helpers/rendered-page.ts'

const hostile = textOf(MARKDOWN, 14)

const elementsOf = (markdown: string): string[] =>
  nodesOf(pageTree(markdown)).flatMap(({ type, tagName }) => (type === 'element' ? [String(tagName)] : []))

test('5.4 whatever stands in a code span, it is one span of one line, in a sentence and in a table', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const span = code(text)
      expect(span).not.toMatch(/[\r\n]/)
      const elements = span === '' ? [] : ['code']
      expect(elementsOf(`Before ${span} behind.`)).toEqual(['p', ...elements])
      const cells = elementsOf(`| a | b |\n| - | - |\n| ${span} | x |`).filter((name) => name === 'td')
      expect(cells).toHaveLength(2)
    }),
    runs(500),
  )
})

const lines = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

test('2.3 whatever stands in a fence, it is shown whole, and nothing behind the fence is part of it', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const nodes = nodesOf(pageTree(`${fence(text)}\n\n*behind*`))
      expect(nodes.filter(({ tagName }) => tagName === 'pre')).toHaveLength(1)
      expect(nodes.filter(({ tagName }) => tagName === 'em')).toHaveLength(1)
      const shown = nodes.find(({ tagName }) => tagName === 'code')?.children?.map(({ value }) => value)
      expect(lines((shown ?? []).join(''))).toBe(lines(text))
    }),
    runs(500),
  )
})
