import { describe, expect, test } from 'vitest'
import { cutMiddle } from '../../src/analytics/paths.ts'
import type { Row } from '../../src/visitors/rows.ts'
import { chart, type Report, summaryOf } from '../../src/visitors/summary.ts'
import { row } from './helpers.ts'

const DAY = 86_400_000
const period = { from: Date.parse('2026-07-01'), to: Date.parse('2026-08-01') }
const earlier = { from: period.from - 31 * DAY, to: period.from }

function report(top: readonly Row[], more: Partial<Report> = {}): Report {
  const sum = (of: 'human' | 'ai' | 'total') => top.reduce((all, each) => all + each[of], 0)
  return {
    period,
    file: 'visitors.csv',
    rows: top.length,
    totals: { human: sum('human'), ai: sum('ai'), total: sum('total') },
    top,
    complete: true,
    repeated: 0,
    requests: 1,
    durationMs: 2000,
    comparison: undefined,
    ...more,
  }
}

/** The lines of the Mermaid block, without its fence. */
const block = (markdown: string): string[] => markdown.split('\n').slice(1, -1)

/** Categories as Mermaid's lexer reads them: quoted strings without escapes. */
const labels = (markdown: string): string[] => {
  const [axis = ''] = block(markdown).filter((line) => line.startsWith('  x-axis ['))
  expect(axis).toMatch(/^ {2}x-axis \[("[^"]*"(, |\]$))+$/)
  return [...axis.matchAll(/"([^"]*)"/g)].map(([, label = '']) => label)
}

describe('7.5 the chart', () => {
  test('draws human in front of the sum, one bar a page', () => {
    const lines = block(chart([row('/', 7, 3), row('/b', 0, 4)]))
    expect(lines.slice(1)).toEqual([
      'xychart-beta horizontal',
      '  title "Human (blue) and AI (orange) visitors"',
      '  x-axis ["1  /", "2  /b"]',
      '  y-axis 0 --> 10',
      '  bar [10, 4]',
      '  bar [7, 0]',
    ])
  })

  test('is left out where there is nothing to draw, and stops at 20 bars', () => {
    expect(chart([])).toBe('')
    expect(chart([row('/', 0), row('/b', 0)])).toBe('')
    expect(labels(chart(Array.from({ length: 250 }, (_, i) => row(`/${i}`, 1))))).toHaveLength(20)
  })
})

describe('7.5 the summary', () => {
  test('of no page', () => {
    expect(summaryOf(report([]))).toBe(`## No visitors from 2026-07-01 to 2026-07-31

| Visitors | Human | AI | All |
| :-- | --: | --: | --: |
| 2026-07-01 to 2026-07-31 | **0** | **0** | **0** |

The service knows no page with visitors in this time.

<sub>0 rows in \`visitors.csv\` · 1 request · 2 s</sub>
`)
  })

  test('of one page', () => {
    const one = summaryOf(report([row('/', 2, 1)], { totals: { human: 1, ai: 0, total: 1 } }))
    expect(one).toContain('## 1 visitor from ')
    expect(one).toContain('### The one page with visitors')
    expect(one).toContain('| 1 | `/` | 2 | 1 | 3 |')
  })

  test('of three, of ten in 20,000, and of the first rows only', () => {
    const three = [row('/', 2, 1), row('/b', 1), row('/c', 1)]
    expect(summaryOf(report(three))).toContain('### All 3 pages with visitors')
    expect(summaryOf(report(three, { rows: 20_000 }))).toContain('### The 3 most visited pages of 20,000')
    const cut = summaryOf(report(three, { rows: 3, complete: false }))
    expect(cut).toContain('### The 3 most visited pages\n')
    expect(cut).toContain('3 rows (the first ones only: `max-rows`)')
  })

  test('says what changed since the period before', () => {
    const text = summaryOf(
      report([row('/', 110, 55), row('/new', 3)], {
        totals: { human: 112, ai: 55, total: 160 },
        comparison: {
          period: earlier,
          totals: { human: 100, ai: 0, total: 200 },
          pathTotals: new Map([['/', 150]]),
          changes: [
            { path: '/gone', before: 90, now: 0 },
            { path: '/', before: 150, now: 165 },
            { path: '/new', before: 0, now: 3 },
          ],
          complete: true,
        },
      }),
    )
    expect(text).toContain('| 2026-05-31 to 2026-06-30 | 100 | 0 | 200 |\n| Change | +12 % | new | −20 % |')
    expect(text).toContain('| 1 | `/` | 110 | 55 | 165 | +10 % |\n| 2 | `/new` | 3 | 0 | 3 | new |')
    expect(text).toContain('| `/gone` | 90 | 0 | −90 | gone |')
    expect(text).toContain('| `/new` | 0 | 3 | +3 | new |')
  })

  test('stays far below the size that GitHub shows', () => {
    const top = Array.from({ length: 250 }, (_, i) => row(`${i}${'長'.repeat(3000)}`, 1, 1))
    expect(Buffer.byteLength(summaryOf(report(top)))).toBeLessThan(100_000)
  })
})

test('the middle of a path goes first', () => {
  expect(cutMiddle('/guides/authentication', 30)).toBe('/guides/authentication')
  expect(cutMiddle('/guides/authentication/sso', 17)).toBe('/guides/…tion/sso')
  expect(cutMiddle('長長長長長長', 7)).toBe('長…長')
})
