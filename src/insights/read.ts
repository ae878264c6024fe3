import type { AnalyticsClient } from '../analytics/client.ts'
import { MAX_BODY_BYTES } from '../http/exchange.ts'
import { type CursorPage, cursorPages, parseCursorPage } from './cursor-pages.ts'
import { Findings, type Kind } from './finding.ts'
import type { InsightsInputs } from './inputs.ts'
import { SOURCES, type Source } from './sources.ts'

/** What was found of one kind. */
export interface KindFindings {
  readonly kind: Kind
  readonly findings: Findings
  /** Rows that were read. */
  readonly rows: number
}

/** Reads one kind to its end; keeps the findings, not the rows. */
export async function readKind(
  client: AnalyticsClient,
  { period, minCount }: Pick<InsightsInputs, 'period' | 'minCount'>,
  kind: Kind,
): Promise<KindFindings> {
  const source = SOURCES[kind]
  const findings = new Findings()
  let rows = 0
  for await (const page of cursorPages(pageReader(client, source, kind, period), source.rows)) {
    for (const row of page) {
      // The service sorts by hits, so all that follow are rarer.
      if (source.hits !== undefined && (source.hits(row) ?? 0) < minCount) return { kind, findings, rows }
      rows++
      const entry = source.entry(row)
      if (entry !== undefined) findings.add(entry)
    }
  }
  return { kind, findings, rows }
}

/** The factor by which pages shrink after one that was too large, and grow again after one that was small. */
const STEP = 10

function pageReader(
  client: AnalyticsClient,
  { endpoint, field, limit: most, parameters, hits }: Source,
  call: Kind,
  period: InsightsInputs['period'],
): (cursor: string | undefined) => Promise<CursorPage> {
  let limit = most
  return (cursor) =>
    client.page({
      call,
      endpoint,
      period,
      query: () => ({ ...parameters, limit, ...(cursor === undefined ? {} : { cursor }) }),
      parse(text) {
        if (text.length * STEP < MAX_BODY_BYTES) limit = Math.min(most, limit * STEP)
        return parseCursorPage(text, field, (row) => hits === undefined || hits(row) !== undefined)
      },
      // A reader can write a comment of a megabyte, and a page holds a hundred of them.
      onTooLarge() {
        limit = Math.max(1, Math.floor(limit / STEP))
      },
    })
}
