import type { Parsed } from '../analytics/client.ts'
import { EndlessPages, MAX_PAGES } from '../analytics/endless-pages.ts'
import { isObject, type JsonObject, parseJson } from '../json.ts'

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
  if (!isObject(raw)) return { fault: 'an answer that is no JSON object' }
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
 * @throws {EndlessPages} when the service claims more rows and does not lead to them, or never stops
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
    if (cursor === undefined) throw new EndlessPages(rows, pages, 'it names no cursor for them')
    if (seen.has(cursor)) throw new EndlessPages(rows, pages, 'its cursor leads back to an earlier page')
    if (pages >= MAX_PAGES) throw new EndlessPages(rows, pages, 'no site has so many')
    seen.add(cursor)
  }
}
