import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOSTILE_PATHS } from '../../emulator/service/paths.ts'
import { pathLabel } from '../../src/analytics/paths.ts'
import type { Row } from '../../src/visitors/rows.ts'
import { chart, summaryOf } from '../../src/visitors/summary.ts'
import { runs, textOf } from '../helpers/property.ts'
import { nodesOf, pageTree } from '../helpers/rendered-page.ts'

const PIECES = [
  ...['@mallory', '#12', 'octo/app#12', '[a](https://evil.example)', 'https://evil.example', '![x](x.png)'],
  ...[
    '<img src=x>',
    '</code>',
    '<b>',
    '<!--',
    '</details>',
    '&lt;',
    '#quot;',
    '`',
    '``',
    '```',
    '~~~',
    '|',
    '\\|',
  ],
  ...[
    '\\',
    '\n',
    '\r',
    '\u2028',
    '"',
    '#',
    ';',
    '{',
    '}',
    '"]',
    '\n  bar [1]',
    '%%{init: {}}%%',
    '%%comment',
  ],
  ...[
    '---',
    '{{secrets}}',
    '$$',
    '\u202e',
    '\u200b',
    ' ',
    '日本語',
    '👍🏽',
    '\ufdfd',
    'ａ',
    '/docs/start',
    'w'.repeat(90),
  ],
]
const hostile = fc.constantFrom(...HOSTILE_PATHS, '長'.repeat(5000), '👩‍💻'.repeat(500))
const paths = fc.oneof(textOf(PIECES, 10), hostile).map((path) => path.toWellFormed() || '/')
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
      const period = { from: 0, to: 86_400_000 }
      const totals = { human: 1, ai: 1, total: 2 }
      const changes = top.map(({ path, total }) => ({ path, before: total + 1, now: total }))
      const summary = summaryOf({
        ...{ period, totals, file, rows: top.length, top, complete: true, repeated: 0 },
        ...{ requests: 1, durationMs: 1000 },
        comparison: { period, totals, pathTotals: new Map(), changes, complete: true },
      })
      const nodes = nodesOf(pageTree(summary))
      const named = (name: string) => nodes.filter(({ tagName }) => tagName === name)
      expect([...named('a'), ...named('img'), ...named('b')]).toEqual([])
      expect(named('table')).toHaveLength(3)
      const widths = named('tr').map(
        ({ children = [] }) => children.filter(({ type }) => type === 'element').length,
      )
      const lines = top.length + 1
      expect(widths).toEqual([4, 4, 4, 4, ...Array<number>(lines).fill(6), ...Array<number>(lines).fill(5)])
    }),
    runs(200),
  )
})
