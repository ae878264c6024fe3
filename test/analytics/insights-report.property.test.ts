import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOSTILE_TEXTS } from '../../emulator/service/analytics/texts.ts'
import { findingsOf, KINDS } from '../../src/analytics/finding.ts'
import { insightsSummary, type KindReport } from '../../src/analytics/insights-report.ts'
import { SOURCES } from '../../src/analytics/sources.ts'
import { anyText, MARKDOWN, runs, textOf } from '../helpers/property.ts'
import { nodesOf, pageTree } from '../helpers/rendered-page.ts'

const PIECES = [
  ...MARKDOWN,
  ...['\t', '    ', '===', '---', '<details>', '</blockquote>', '<script>', '</li>', '</ul>', '<td>'],
  ...['Not on a page', '::error::', '1.', '[ ]', '*'],
]
const texts = fc.oneof(textOf(PIECES), fc.constantFrom(...HOSTILE_TEXTS), anyText(600))
const paths = fc.oneof(
  textOf(['/', '..', '%', '%0A', 'a', ...PIECES], 8),
  fc.webUrl(),
  fc.constantFrom('', '/', '/a'),
)

/** What the service may send, read as a run reads it. */
const reports: fc.Arbitrary<KindReport[]> = fc
  .array(
    fc.record({
      path: paths,
      text: texts,
      helpful: fc.constantFrom(true, false, undefined),
      hits: fc.nat({ max: 10_000 }),
      time: fc.constantFrom('2026-07-01T10:00:00Z', 'never', null),
    }),
    { maxLength: 8 },
  )
  .map((rows) =>
    KINDS.map((kind) => {
      const entries = rows.flatMap(({ path, text, helpful, hits, time }) => {
        const entry = SOURCES[kind].entry({
          ...{ path, comment: text, helpful, createdAt: time },
          ...{ query: text, resolutionStatus: 'unanswered', pageUrl: path, timestamp: time },
          ...{ searchQuery: text, hits, ctr: 0, lastSearchedAt: time },
        })
        return entry === undefined ? [] : [entry]
      })
      const findings = findingsOf(entries)
      return { kind, findings, found: findings.length, rows: rows.length }
    }),
  )

const period = { from: Date.UTC(2026, 6, 6), to: Date.UTC(2026, 6, 13) }
test('9.4 whatever readers write, the summary holds it as code in tables and lists that keep their form', () => {
  fc.assert(
    fc.property(reports, (kinds) => {
      const summary = insightsSummary({ period, file: 'insights.md', kinds, requests: 3, durationMs: 1000 })
      const nodes = nodesOf(pageTree(summary))
      const named = (name: string) => nodes.filter(({ tagName }) => tagName === name)
      for (const name of ['a', 'img', 'blockquote', 'pre', 'h1', 'details']) expect(named(name)).toEqual([])
      const found = kinds.filter(({ findings }) => findings.length > 0)
      expect([named('table').length, named('h3').length]).toEqual([found.length, found.length])
      const quotes = kinds.flatMap(({ kind, findings }) => (kind === 'searches' ? [] : findings))
      expect(named('li')).toHaveLength(quotes.length)
      for (const { children = [] } of named('tr'))
        expect([2, 3]).toContain(children.filter(({ type }) => type === 'element').length)
    }),
    runs(200),
  )
})
