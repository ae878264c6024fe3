import { promptPath } from '../analytics/paths.ts'
import { asString, type JsonObject } from '../json.ts'
import { DAY_MS, isoDate } from '../period.ts'
import { cut, withoutInvisible } from '../text.ts'
import type { Finding, Kind } from './finding.ts'

/** Where findings of one kind come from: a list of the analytics API. */
export interface Source {
  /** Behind `/v1/analytics/{projectId}/`. */
  readonly endpoint: string
  /** The field of the answer that holds the rows. */
  readonly field: string
  /** The most rows that the service sends at a time: the fewest requests. */
  readonly limit: number
  readonly parameters?: Readonly<Record<string, string>>
  /** What the rows are, in the plural. */
  readonly rows: string
  /** Undefined for a row that is no finding. */
  entry(row: JsonObject): Finding | undefined
  /** Hits of the row, where the service sorts by them; undefined if the row does not say. */
  hits?(row: JsonObject): number | undefined
}

const OPEN = ['pending', 'in_progress']

export const SOURCES: Readonly<Record<Kind, Source>> = {
  feedback: {
    endpoint: 'feedback',
    field: 'feedback',
    limit: 100,
    parameters: { status: OPEN.join(',') },
    rows: 'feedback entries',
    // `contact` is never read (contract 9.3).
    entry({ path, comment, helpful, status, createdAt }) {
      const text = readerText(asString(comment))
      const isOpen = status === undefined || OPEN.includes(asString(status))
      if (!isOpen || (helpful !== false && text === '')) return undefined
      const rating = helpful === false ? 'not-helpful' : helpful === true ? 'helpful' : 'unrated'
      const page = pagePath(asString(path))
      return { kind: 'feedback', page, text, rating, readers: 1, day: dayOf(createdAt) }
    },
  },
  questions: {
    endpoint: 'assistant',
    field: 'conversations',
    limit: 1000,
    rows: 'conversations',
    entry({ query, resolutionStatus, pageUrl, timestamp }) {
      const text = readerText(asString(query))
      if (resolutionStatus !== 'unanswered' || text === '') return undefined
      const page = pagePath(asString(pageUrl))
      return { kind: 'questions', page, text, rating: 'unrated', readers: 1, day: dayOf(timestamp) }
    },
  },
  searches: {
    endpoint: 'searches',
    field: 'searches',
    limit: 100,
    rows: 'searches',
    entry(row) {
      const { searchQuery, ctr, topClickedPage, lastSearchedAt } = row
      const text = readerText(asString(searchQuery))
      const clicked = ctr !== 0 && asString(topClickedPage) !== ''
      if (clicked || text === '') return undefined
      const day = dayOf(lastSearchedAt)
      return { kind: 'searches', page: '', text, rating: 'unrated', readers: hitsOf(row) ?? 0, day }
    },
    hits: hitsOf,
  },
}

function hitsOf({ hits }: JsonObject): number | undefined {
  return typeof hits === 'number' ? Math.round(hits) : undefined
}

/** The UTC day of a time that the service sends. */
function dayOf(time: unknown): string {
  const ms = Date.parse(asString(time))
  const year = new Date(ms).getUTCFullYear()
  return year >= 2000 && year < 10_000 ? isoDate(ms - (ms % DAY_MS)) : ''
}

/** Never requested: only makes a URL of a path. */
const BASE = 'https://docs.invalid'

/**
 * The page that a path or a URL names, in the one form that all its spellings share: decoded, without host, query,
 * fragment and trailing slash. '' for no page. Safe to show in a code span, and to name in a prompt.
 */
export function pagePath(pathOrUrl: string): string {
  // The URL parser drops line breaks and invisible characters, so pages could get the name of another one.
  const text = pathOrUrl.trim().replace(/[\s\p{C}]/gu, (char) => encodeURIComponent(char))
  if (text === '') return ''
  const path = /^https?:\/\//i.test(text) ? text : `/${text.replace(/^[/\\]+/, '')}`
  const url = URL.parse(path, BASE)
  return url === null ? '' : promptPath(masked(decoded(url.pathname).replace(/(?<!^)\/+$/, '')))
}

function decoded(pathname: string): string {
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}

/** UTF-16 units of a text that are kept (contract 9.3). */
export const MAX_LENGTH = 500

/**
 * What a reader wrote, made safe to pass on: visible characters only, addresses and long numbers masked, at most 500
 * characters, lines that end in `\n`, at most one blank line in a row.
 */
export function readerText(text: string): string {
  const lines = withoutInvisible(text.replace(LINE_BREAK, '\n')).split('\n')
  const tidy = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const safe = masked(tidy)
  // V8 keeps the whole text in memory as long as a slice of it lives; a copy lets a comment of a megabyte go.
  return safe.length <= MAX_LENGTH ? safe : Buffer.from(cut(safe, MAX_LENGTH)).toString()
}

const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** The look-behind makes the match start at the first character of a word, so that it takes linear time. */
const EMAIL =
  /(?<![\p{L}\p{M}\p{N}._%+'!#$*^{|}~-])[\p{L}\p{M}\p{N}._%+'!#$*^{|}~-]+(?:[@＠﹫]|%40)[\p{L}\p{M}\p{N}-]+(?:[.。．｡][\p{L}\p{M}\p{N}-]+)+/gu

/** At least twelve digits, as card and phone numbers write them: with spaces, dashes, dots or brackets between. */
const LONG_NUMBER = /\p{Nd}(?:[\p{Zs}\p{Pd}\u2212\t()./]{0,2}\p{Nd}){11,}/gu

/** The text with email addresses and runs of twelve digits or more replaced. */
const masked = (text: string): string => text.replace(EMAIL, '[email]').replace(LONG_NUMBER, '[number]')
