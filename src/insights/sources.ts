import type { CursorList } from '../analytics/cursor-rows.ts'
import { asString, type JsonObject } from '../json.ts'
import { DAY_MS, isoDate } from '../period.ts'
import { cut } from '../text.ts'
import type { Entry, Kind } from './finding.ts'
import { masked, readerText } from './reader-text.ts'

export interface Source extends CursorList {
  /** Undefined for a row that is no finding. */
  entry(row: JsonObject): Entry | undefined
  /** Hits of the row, where the service sorts by them; undefined if the row does not say. */
  hits?(row: JsonObject): number | undefined
}

const OPEN = ['pending', 'in_progress']

export const SOURCES: Readonly<Record<Kind, Source>> = {
  feedback: {
    call: 'feedback',
    endpoint: 'feedback',
    field: 'feedback',
    plural: 'feedback entries',
    limit: 100,
    parameters: { status: OPEN.join(',') },
    // `contact` is never read (contract 9.3).
    entry({ path, comment, helpful, status, createdAt }) {
      const text = readerText(asString(comment))
      const isOpen = status === undefined || OPEN.includes(asString(status))
      if (!isOpen || (helpful !== false && text === '')) return undefined
      const rating = helpful === false ? 'not-helpful' : helpful === true ? 'helpful' : 'unrated'
      return { kind: 'feedback', ...placeOf(asString(path)), text, rating, readers: 1, day: dayOf(createdAt) }
    },
  },
  questions: {
    call: 'questions',
    endpoint: 'assistant',
    field: 'conversations',
    plural: 'conversations',
    limit: 1000,
    entry({ query, resolutionStatus, pageUrl, timestamp }) {
      const text = readerText(asString(query))
      if (resolutionStatus !== 'unanswered' || text === '') return undefined
      const place = placeOf(asString(pageUrl))
      return { kind: 'questions', ...place, text, rating: 'unrated', readers: 1, day: dayOf(timestamp) }
    },
  },
  searches: {
    call: 'searches',
    endpoint: 'searches',
    field: 'searches',
    plural: 'searches',
    limit: 100,
    isRow: (row) => hitsOf(row) !== undefined,
    entry(row) {
      const { searchQuery, ctr, topClickedPage, lastSearchedAt } = row
      const text = readerText(asString(searchQuery))
      const clicked = ctr !== 0 && asString(topClickedPage) !== ''
      if (clicked || text === '') return undefined
      const [readers, day] = [hitsOf(row) ?? 0, dayOf(lastSearchedAt)]
      return { kind: 'searches', ...NO_PAGE, text, rating: 'unrated', readers, day }
    },
    hits: hitsOf,
  },
}

function hitsOf({ hits }: JsonObject): number | undefined {
  return typeof hits === 'number' ? Math.round(hits) : undefined
}

function dayOf(time: unknown): string {
  const ms = Date.parse(asString(time))
  const year = new Date(ms).getUTCFullYear()
  return year >= 2000 && year < 10_000 ? isoDate(ms - (ms % DAY_MS)) : ''
}

type Place = Pick<Entry, 'page' | 'host'>

const NO_PAGE: Place = { page: '', host: '' }

/** Never requested: only makes a URL of a path. */
const BASE = 'https://docs.invalid'

/**
 * The page that a path or a URL names, in the one form that all its spellings share: decoded, without host, query,
 * fragment and trailing slash. Safe to show in a code span.
 */
export function placeOf(pathOrUrl: string): Place {
  // The URL parser drops line breaks and invisible characters, so pages could get the name of another one.
  const text = pathOrUrl.trim().replace(UNSAFE, (char) => encodeURIComponent(char))
  if (text === '') return NO_PAGE
  const isUrl = /^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(text)
  const url = URL.parse(isUrl ? text : `/${text.replace(/^[/\\]/, '')}`, BASE)
  if (url === null || !/^https?:$/.test(url.protocol)) return NO_PAGE
  const path = masked(decoded(url.pathname).replace(/(?<!^)\/+$/, ''))
  const page = cut(path, MAX_PATH).replace(UNSAFE, (char) => encodeURIComponent(char))
  return { page, host: isUrl ? url.host : '' }
}

const MAX_PATH = 200

/** What ends a line or a code span, what is not seen, and what makes a path read as a sentence. */
const UNSAFE = /[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800"<>`]/gu

function decoded(pathname: string): string {
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}
