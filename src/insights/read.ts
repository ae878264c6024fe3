import { type AnalyticsClient, endlessPages, MAX_PAGES } from '../analytics/client.ts'
import { MAX_BODY_BYTES } from '../http/fetch.ts'
import type { Parsed } from '../http/service.ts'
import { isObject, type JsonObject, parseJson } from '../json.ts'
import type { Period } from '../period.ts'
import { Findings, type Kind } from './finding.ts'
import { SOURCES, type Source } from './sources.ts'

/**
 * Reads one kind to its end; keeps the findings, not the rows.
 * @param minCount searches with fewer hits are left out
 * @returns `rows`: how many were read
 */
export async function readKind(
  client: AnalyticsClient,
  kind: Kind,
  period: Period,
  minCount: number,
): Promise<{ readonly findings: Findings; readonly rows: number }> {
  const source = SOURCES[kind]
  const findings = new Findings()
  let rows = 0
  for await (const page of cursorPages(pageReader(client, source, kind, period), source.rows)) {
    for (const row of page) {
      // The service sorts by hits, so all that follow are rarer.
      if (source.hits !== undefined && (source.hits(row) ?? 0) < minCount) return { findings, rows }
      rows++
      const entry = source.entry(row)
      if (entry !== undefined) findings.add(entry)
    }
  }
  return { findings, rows }
}

/** The factor by which pages shrink after one that was too large, and grow again after one that was small. */
const STEP = 10

function pageReader(
  client: AnalyticsClient,
  { endpoint, field, limit: most, parameters, hits }: Source,
  call: Kind,
  period: Period,
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

/** One page of results of a list that is read by cursor. */
export interface CursorPage {
  readonly rows: readonly JsonObject[]
  readonly hasMore: boolean
  readonly nextCursor: string | undefined
}

/**
 * @param field that holds the rows
 * @param isRow whether a row can be used
 */
export function parseCursorPage(
  text: string,
  field: string,
  isRow: (row: JsonObject) => boolean,
): Parsed<CursorPage> {
  const raw = parseJson(text)
  if (!isObject(raw)) return { fault: 'an answer that is not a JSON object' }
  const { [field]: rows, hasMore, nextCursor } = raw
  if (!Array.isArray(rows)) return { fault: `an answer without a list of \`${field}\`` }
  const odd = rows.findIndex((row) => !isObject(row) || !isRow(row))
  if (odd >= 0) return { fault: `an answer whose row ${odd + 1} cannot be used` }
  const cursor = typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined
  // `searches` has no `hasMore`; its cursor is null at the end.
  if (hasMore === undefined && (cursor !== undefined || nextCursor === null)) {
    return { rows, hasMore: cursor !== undefined, nextCursor: cursor }
  }
  if (typeof hasMore !== 'boolean') return { fault: 'an answer without `hasMore`' }
  return { rows, hasMore, nextCursor: cursor }
}

/**
 * The pages of a list, from the first to the last; requests a page only when the caller took the one before.
 * @param rows what the pages hold, in the plural, for the error
 * @throws {ActionError} when the service claims more rows and does not lead to them, or never stops
 */
export async function* cursorPages(
  read: (cursor: string | undefined) => Promise<CursorPage>,
  rows: string,
): AsyncGenerator<readonly JsonObject[], void> {
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let pages = 1; ; pages++) {
    const page = await read(cursor)
    yield page.rows
    if (!page.hasMore) return
    cursor = page.nextCursor
    if (cursor === undefined) throw endlessPages(rows, pages, 'that page has no cursor for them')
    if (seen.has(cursor)) throw endlessPages(rows, pages, 'that cursor leads back to an earlier page')
    if (pages >= MAX_PAGES) throw endlessPages(rows, pages, 'no site has that many')
    seen.add(cursor)
  }
}
