import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chart } from '../../src/visitors/chart.ts'
import { pathLabel } from '../../src/visitors/label.ts'
import type { Row } from '../../src/visitors/page.ts'
import { summaryOf } from '../../src/visitors/summary.ts'
import { runs, textOf } from './check.ts'
import { nodesOf, pageTree } from './markdown.ts'

const PIECES = [
  '@mallory',
  '[a](https://evil.example)',
  '<img src=x>',
  '</code>',
  '`',
  '``',
  '```',
  '|',
  '\\|',
  '\\',
  '\n',
  '\r',
]
  .concat([
    'https://evil.example',
    '"',
    '#',
    ';',
    '#quot;',
    '%%{init: {}}%%',
    '{',
    '}',
    '"]',
    '\n  bar [1]',
    '&lt;',
    '<b>',
  ])
  .concat(['\u202e', '\u200b', '日本語', '👍🏽', '\ufdfd', 'ａ', '/docs/start', ' ', '\u2028'])
const paths = textOf(PIECES, 10).map((path) => path.toWellFormed() || '/')
const counts = fc.nat({ max: 1_000_000 })
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({ path: paths, human: counts, ai: counts, total: counts }),
  { minLength: 1, maxLength: 25 },
)

test('7.5 a label is one line that fits, with nothing in it that does not show', () => {
  fc.assert(
    fc.property(paths, fc.integer({ min: 10, max: 90 }), (path, width) => {
      const label = pathLabel(path, width)
      expect(label).not.toMatch(/\p{Cc}|\p{Cf}|[\u2028\u2029\ufdfd]/u)
      expect(Array.from(label).length).toBeLessThanOrEqual(width)
      expect(label.isWellFormed()).toBe(true)
    }),
    runs(1000),
  )
})

test('7.5 whatever paths there are, the chart is one block of the lines of our own', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const text = chart(all)
      if (text === '') return
      const [block, ...others] = pageTree(text).children.filter(({ type }) => type === 'element')
      expect([nodesOf(pageTree(text)).filter(({ tagName }) => tagName === 'pre').length, others]).toEqual([
        1,
        [],
      ])
      const lines = nodesOf(block ?? pageTree('')).flatMap(({ type, value }) =>
        type === 'text' ? String(value) : [],
      )
      const [init = '', kind, title, labels = '', ...bars] = lines.join('').trimEnd().split('\n')
      expect(init).toMatch(/^%%\{init: .*\}%%$/)
      expect([kind, title]).toEqual([
        'xychart-beta horizontal',
        '  title "Human (blue) and AI (orange) visitors"',
      ])
      const label = String.raw`"\d+  [^"\x60#;{}<>\\]*"`
      expect(labels).toMatch(new RegExp(`^  x-axis \\[${label}(, ${label})*\\]$`))
      expect(labels.split('", "')).toHaveLength(Math.min(20, all.length))
      expect(bars.map((line) => line.replace(/[\d, ]+/g, ' '))).toEqual([
        ' y-axis --> ',
        ' bar [ ]',
        ' bar [ ]',
      ])
    }),
    runs(200),
  )
})

test('7.5 whatever paths there are, the summary holds them as text in tables that keep their columns', () => {
  fc.assert(
    fc.property(rows, paths, (top, file) => {
      const summary = summaryOf({
        ...{
          project: 'docs',
          repeated: 0,
          period: { from: 0, to: 86_400_000 },
          totals: { human: 1, ai: 1, total: 2 },
          file,
        },
        ...{ rows: top.length, top, complete: true, requests: 1, durationMs: 1000, comparison: undefined },
      })
      const nodes = nodesOf(pageTree(summary))
      const named = (name: string) => nodes.filter(({ tagName }) => tagName === name)
      expect([...named('a'), ...named('img'), ...named('b')]).toEqual([])
      expect(named('table')).toHaveLength(2)
      const widths = named('tr').map(
        ({ children = [] }) => children.filter(({ type }) => type === 'element').length,
      )
      expect(widths).toEqual([4, 4, ...Array.from({ length: top.length + 1 }, () => 5)])
    }),
    runs(200),
  )
})
