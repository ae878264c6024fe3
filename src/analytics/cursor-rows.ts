import { MAX_BODY_BYTES } from '../http/fetch.ts'
import type { Parsed } from '../http/service.ts'
import { isObject, type JsonObject, parseJson } from '../json.ts'
import type { AnalyticsCall } from '../messages/explain.ts'
import type { Period } from '../period.ts'
import { type AnalyticsClient, endlessPages, MAX_PAGES } from './analytics-client.ts'

/** A list of the analytics API that is read by cursor. */
export interface CursorList {
  readonly call: AnalyticsCall
  readonly endpoint: string
  readonly field: string
  readonly plural: string
  /** The most rows that the service sends at a time: this takes the fewest requests. */
  readonly limit: number
  readonly parameters?: Readonly<Record<string, string>>
  /** Whether a row can be used; any object by default. */
  isRow?(row: JsonObject): boolean
}

/** Empty pages in a row, each with a new cursor. */
const MAX_EMPTY = 10

/** Pages shrink by this factor after one that was too large, and grow again after one that was small. */
const STEP = 10

/** @throws {ActionError} when the service claims more rows and does not lead to them, or never stops */
export async function* cursorRows(
  client: AnalyticsClient,
  list: CursorList,
  period: Period,
): AsyncGenerator<readonly JsonObject[], void> {
  const { call, endpoint, plural, parameters } = list
  const seen = new Set<string>()
  let cursor: string | undefined
  let [limit, empty] = [list.limit, 0]
  for (let pages = 1; ; pages++) {
    const page = await client.page({
      call,
      endpoint,
      period,
      query: () => ({ ...parameters, limit, ...(cursor === undefined ? {} : { cursor }) }),
      parse(text) {
        if (text.length * STEP < MAX_BODY_BYTES) limit = Math.min(list.limit, limit * STEP)
        return parsePage(text, list)
      },
      // A reader can write a comment of a megabyte, and a page holds a hundred of them.
      onTooLarge() {
        limit = Math.max(1, Math.floor(limit / STEP))
      },
    })
    yield page.rows
    if (!page.hasMore) return
    cursor = page.nextCursor
    empty = page.rows.length === 0 ? empty + 1 : 0
    if (cursor === undefined) throw endlessPages(plural, pages, 'that page has no cursor for them')
    if (seen.has(cursor)) throw endlessPages(plural, pages, 'that cursor leads back to an earlier page')
    if (empty >= MAX_EMPTY) throw endlessPages(plural, pages, `the last ${MAX_EMPTY} pages are empty`)
    if (pages >= MAX_PAGES) throw endlessPages(plural, pages, 'no site has that many')
    seen.add(cursor)
  }
}

interface CursorPage {
  readonly rows: readonly JsonObject[]
  readonly hasMore: boolean
  readonly nextCursor: string | undefined
}

function parsePage(text: string, { field, isRow = () => true }: CursorList): Parsed<CursorPage> {
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
