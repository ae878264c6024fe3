import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from '../base/json.ts'
import { cut } from '../base/text.ts'
import { MAX_BODY_BYTES } from '../http/fetch.ts'
import type { Parsed } from '../http/service.ts'
import { DAY_MS, isoDate, type Period } from '../inputs/period.ts'
import { type AnalyticsClient, endlessPages } from './analytics.ts'
import type { Code, Finding, Kind } from './finding.ts'
import { isUrl, maskedPage, pagePath } from './page-path.ts'
import { readerText } from './reader-text.ts'

interface Source extends CursorList {
  /** Undefined for a row that is no finding. */
  entry(row: JsonObject): ReaderEntry | undefined
  /** What a row is known by; '' where it does not say. */
  id(row: JsonObject): string
  /** Hits of the row, where the service sorts by them; undefined if the row does not say. */
  hits?(row: JsonObject): number | undefined
}

/** A finding whose page may still have the base path of the site. */
export interface ReaderEntry extends Finding {
  /** The service wrote the page as a URL. */
  readonly isUrl: boolean
}

const OPEN = ['pending', 'in_progress']

const NO_PAGE = { page: '', isUrl: false } as const
const ONE_READER = { readers: 1, agents: 0 } as const

export const SOURCES: Readonly<Record<Kind, Source>> = {
  feedback: {
    endpoint: 'feedback',
    field: 'feedback',
    plural: 'feedback entries',
    limit: 100,
    parameters: { status: OPEN.join(',') },
    id: ({ id }) => asString(id),
    // `contact` is never read.
    entry({ path, comment, helpful, status, createdAt, source, ...code }) {
      const text = readerText(asString(comment))
      const isOpen = status === undefined || OPEN.includes(asString(status))
      if (!isOpen || (helpful !== false && text === '')) return undefined
      const rating = helpful === false ? 'not-helpful' : helpful === true ? 'helpful' : 'unrated'
      const by = source === 'agent' ? { readers: 0, agents: 1 } : ONE_READER
      return {
        ...{ kind: 'feedback', text, rating, code: codeOf(code), day: dayOf(createdAt) },
        ...pageOf(asString(path)),
        ...by,
      }
    },
  },
  questions: {
    endpoint: 'assistant',
    field: 'conversations',
    plural: 'conversations',
    limit: 1000,
    id: ({ id }) => asString(id),
    entry({ query, resolutionStatus, pageUrl, sources, timestamp }) {
      const text = readerText(asString(query))
      if (resolutionStatus !== 'unanswered' || text === '') return undefined
      const named = asArray(sources).map((source) => pageOf(asString(asObject(source).url)))
      const cited = named.filter(({ page }) => page !== '').slice(0, MOST_SOURCES)
      const asked = pageOf(asString(pageUrl))
      return {
        ...{ kind: 'questions', text, rating: 'unrated', day: dayOf(timestamp) },
        sources: cited.length === 0 ? undefined : cited.map(({ page }) => page),
        ...(asked.page === '' ? (cited[0] ?? NO_PAGE) : asked),
        ...ONE_READER,
      }
    },
  },
  searches: {
    endpoint: 'searches',
    field: 'searches',
    plural: 'searches',
    limit: 100,
    isRow: (row) => hitsOf(row) !== undefined,
    id: ({ searchQuery }) => asString(searchQuery),
    entry(row) {
      const { searchQuery, ctr, topClickedPage, lastSearchedAt } = row
      const text = readerText(asString(searchQuery))
      const clicked = ctr !== 0 && asString(topClickedPage) !== ''
      if (clicked || text === '') return undefined
      const [readers, day] = [hitsOf(row) ?? 0, dayOf(lastSearchedAt)]
      return { kind: 'searches', ...NO_PAGE, text, rating: 'unrated', readers, agents: 0, day }
    },
    hits: hitsOf,
  },
}

/** Of one question. */
const MOST_SOURCES = 5

/** Characters of a path. */
const MAX_PATH = 200

const pageOf = (pathOrUrl: string) => ({
  page: cut(maskedPage(pagePath(pathOrUrl)), MAX_PATH),
  isUrl: isUrl(pathOrUrl),
})

/** What feedback of the source `code_snippet` is about; every field may be missing. */
function codeOf({ code, filename, lang }: JsonObject): Code | undefined {
  const text = readerText(asString(code))
  if (text === '') return undefined
  return { text, file: readerText(asString(filename)), language: readerText(asString(lang)) }
}

function hitsOf({ hits }: JsonObject): number | undefined {
  return typeof hits === 'number' ? Math.round(hits) : undefined
}

function dayOf(time: unknown): string {
  const ms = Date.parse(asString(time))
  const year = new Date(ms).getUTCFullYear()
  return year >= 2000 ? isoDate(ms - (ms % DAY_MS)) : ''
}

/** A list of the analytics API that is read by cursor. */
interface CursorList {
  readonly endpoint: string
  readonly field: string
  readonly plural: string
  /** The most rows that the service sends at a time: this takes the fewest requests. */
  readonly limit: number
  readonly parameters?: Readonly<Record<string, string>>
  /** Whether a row can be used; any object by default. */
  isRow?(row: JsonObject): boolean
}

/** Pages shrink by this factor after one that was too large, and grow again after one that was small. */
const STEP = 10

interface CursorPage {
  readonly rows: readonly JsonObject[]
  readonly hasMore: boolean
  readonly nextCursor: string | undefined
}

/** @throws {ActionError} when the service claims more rows and does not lead to them */
export async function* cursorRows(
  client: AnalyticsClient,
  call: Kind,
  list: CursorList,
  period: Period,
): AsyncGenerator<readonly JsonObject[], void> {
  const { endpoint, plural, parameters } = list
  let cursor: string | undefined
  let before = ''
  const seen = new Set<string>()
  let { limit } = list
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
    const { nextCursor, rows } = page
    if (nextCursor === undefined) throw endlessPages(plural, pages, 'that page has no cursor for them')
    if (seen.has(nextCursor)) throw endlessPages(plural, pages, 'that cursor leads back to an earlier page')
    const content = JSON.stringify(rows)
    if (rows.length === 0 || content === before)
      throw endlessPages(plural, pages, 'that page brings nothing new')
    seen.add(nextCursor)
    before = content
    cursor = nextCursor
  }
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
