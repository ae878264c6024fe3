import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOSTILE_PATHS } from '../../emulator/service/paths.ts'
import type { VisitorsReport } from '../../src/analytics/visitor-export.ts'
import type { VisitedPages } from '../../src/analytics/visitor-pages.ts'
import { rowsOfFile } from '../../src/analytics/visitor-records.ts'
import type { Row } from '../../src/analytics/visitor-rows.ts'
import { chart, visitorsSummary } from '../../src/analytics/visitors-summary.ts'
import { row } from '../helpers/analytics.ts'
import { MARKDOWN, runs, textOf } from '../helpers/property.ts'
import { nodesOf, pageTree } from '../helpers/rendered-page.ts'

const period = { from: Date.parse('2026-07-01'), to: Date.parse('2026-08-01') }
const earlier = { from: Date.parse('2026-05-31'), to: period.from }

function visitors(rows: readonly Row[]): VisitedPages {
  const sum = (of: 'human' | 'ai' | 'total') => rows.reduce((all, each) => all + each[of], 0)
  const totals = { human: sum('human'), ai: sum('ai'), total: sum('total') }
  const pages = new Map(rows.map((each) => [each.path, each]))
  const spellings = { count: 0, example: '' }
  return { pages, totals, spellings, complete: true, repeated: 0, unnamed: 0 }
}

function report(rows: readonly Row[], more: Partial<VisitorsReport> = {}): VisitorsReport {
  const found = { ...visitors(rows), comparison: undefined, navigation: undefined, ...more }
  return {
    ...{ period, file: 'visitors.csv', requests: 1, durationMs: 2000, size: 10, agentFile: '' },
    ...{ coverage: undefined, records: rowsOfFile(found) },
    ...found,
  }
}

/** As people see it: dates have hyphens that do not break. */
const seen = (markdown: string): string => markdown.replaceAll('\u2011', '-').replaceAll('\u00a0', ' ')

describe('7.5 the chart', () => {
  test('has a bar for each page, as long as the figure beside its name, with human visitors in front', () => {
    const both = { path: '/', human: 7000, ai: 3000, total: 9000 }
    expect(
      chart([both, row('/b', 0, 4)])
        .split('\n')
        .slice(2, -1),
    ).toEqual([
      'xychart-beta horizontal',
      '  title "Visitors: human (blue), only AI (orange)"',
      '  x-axis ["1  /  9,000", "2  /b  4"]',
      '  y-axis 0 --> 9000',
      '  bar [9000, 4]',
      '  bar [7000, 0]',
    ])
    // Of figures that contradict each other, no bar is longer than the one behind it.
    expect(chart([{ path: '/', human: 9, ai: 0, total: 5 }])).toContain('  bar [5]\n  bar [5]\n')
  })
})

describe('7.5 the summary', () => {
  test('of three pages, the most visited first, and of the first rows only', () => {
    const three = [row('/c', 1), row('/', 2, 1), row('/b', 2)]
    const text = visitorsSummary(report(three))
    expect(text).toContain('### All 3 paths with visitors')
    expect(text).toContain(
      [
        '| `/`<br>2 human, 1 AI | **3** |',
        '| `/b`<br>2 human, 0 AI | **2** |',
        '| `/c`<br>1 human, 0 AI | **1** |',
      ].join('\n'),
    )
    const cut = visitorsSummary(report(three, { size: 2, complete: false }))
    expect(cut).toContain('### The 2 most visited paths\n')
    const few = visitorsSummary(report(three, { complete: false }))
    expect(few).toContain('### The 3 most visited paths\n')
    expect(cut).toContain('3 rows (the first ones only: `max-rows`)')
  })

  test('says what changed since the period before, and the pages that moved most', () => {
    const before = visitors([row('/', 150), row('/gone', 90), row('/same', 3)])
    const now = [row('/', 110, 55), row('/new', 3), row('/same', 3)]
    const text = seen(visitorsSummary(report(now, { comparison: { ...before, period: earlier } })))
    expect(text).toContain(
      [
        '| All<br>243 before | **171**<br>−30 % |',
        '| Human<br>243 before | **116**<br>−52 % |',
        '| AI<br>0 before | **55**<br>new |',
        '',
        'Before: 2026-05-31 to 2026-06-30.',
      ].join('\n'),
    )
    expect(text).toContain(
      '| `/`<br>110 human, 55 AI | **165**<br>+10 % |\n| `/new`<br>3 human, 0 AI | **3**<br>new |',
    )
    expect(text.split('| Path | Difference |\n')[1]?.split('\n').slice(1, 4)).toEqual([
      '| `/gone`<br>90 before, 0 now | **−90** |',
      '| `/`<br>150 before, 165 now | **+15** |',
      '| `/new`<br>0 before, 3 now | **+3** |',
    ])
  })

  test.each([
    [10_004, '±0 %'],
    [9996, '±0 %'],
    [10_006, '+0.1 %'],
    [9100, '−9.0 %'],
    [11_000, '+10 %'],
    [9000, '−10 %'],
  ])('of 10,000 visitors before, %i are %s', (total, change) => {
    const comparison = { ...visitors([row('/', 10_000)]), period: earlier }
    const text = seen(visitorsSummary(report([row('/', total)], { comparison })))
    expect(text).toContain(`<br>10,000 before | **${total.toLocaleString('en')}**<br>${change} |`)
  })

  test.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [false, false, false],
  ])(
    'compares all pages where no rows are cut, of now (%j) and before (%j)',
    (complete, wasComplete, isAll) => {
      const comparison = { ...visitors([row('/', 150)]), complete: wasComplete, period: earlier }
      const text = visitorsSummary(report([row('/', 110)], { complete, comparison }))
      expect(text).toContain('### What moved most')
      expect(text.includes('Of the paths that both periods list.')).toBe(!isAll)
    },
  )
})

const MERMAID = ['#quot;', '"]', '\n  bar [1]', '%%{init: {}}%%', '%%comment', '{', '}', ';', '"', '長']
const hostile = fc.constantFrom(...HOSTILE_PATHS, '長'.repeat(5000), '👩‍💻'.repeat(500))
const paths = fc
  .oneof(textOf([...MARKDOWN, ...MERMAID], 10), hostile)
  .map((path) => path.toWellFormed() || '/')
const counts = fc.nat({ max: 1_000_000 })
const rows: fc.Arbitrary<Row[]> = fc.uniqueArray(
  fc.record({ path: paths, human: counts, ai: counts, total: counts.map((total) => total + 1) }),
  { minLength: 1, maxLength: 25, selector: ({ path }) => path },
)

test('7.5 whatever paths there are, the chart is one block of the lines of our own', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const tree = pageTree(chart(all))
      const blocks = nodesOf(tree).filter(({ tagName }) => tagName === 'pre')
      expect(tree.children.filter(({ type }) => type === 'element')).toEqual(blocks)
      const text = blocks.flatMap(nodesOf).map(({ type, value }) => (type === 'text' ? String(value) : ''))
      const [init = '', kind, , labels = '', ...bars] = text.join('').trimEnd().split('\n')
      expect([init.slice(0, 10), kind]).toEqual(['%%{init: {', 'xychart-beta horizontal'])
      const label = String.raw`"\d+  [^"\x60#;{}<>\\]*  [\d,]+"`
      expect(labels).toMatch(new RegExp(`^  x-axis \\[${label}(, ${label})*\\]$`))
      expect(bars.map((line) => line.replace(/[\d, ]+/g, ' '))).toEqual([
        ...[' y-axis --> ', ' bar [ ]', ' bar [ ]'],
      ])
    }),
    runs(200),
  )
})

test('7.5 whatever paths there are, the summary holds them as text in tables that keep their columns', () => {
  fc.assert(
    fc.property(rows, paths, (all, file) => {
      const before = all.map((each) => ({ ...each, total: each.total + 1 }))
      const comparison = { ...visitors(before), period: earlier }
      const nodes = nodesOf(pageTree(visitorsSummary(report(all, { file, comparison, size: 25 }))))
      const named = (name: string) => nodes.filter(({ tagName }) => tagName === name)
      expect([...named('a'), ...named('img'), ...named('b')]).toEqual([])
      expect(named('table')).toHaveLength(3)
      const widths = named('tr').map(
        ({ children = [] }) => children.filter(({ type }) => type === 'element').length,
      )
      const lines = all.length + 1
      expect(widths).toEqual(Array<number>(4 + 2 * lines).fill(2))
    }),
    runs(200),
  )
})
