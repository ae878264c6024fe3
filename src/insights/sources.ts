import { asString, type JsonObject } from '../json.ts'
import { DAY_MS, isoDate } from '../period.ts'
import type { Entry, Kind } from './finding.ts'
import { pagePath } from './page-path.ts'
import { readerText } from './reader-text.ts'

/** Where findings of one kind come from: a list of the analytics API. */
export interface Source {
  /** Behind `/v1/analytics/{projectId}/`. */
  readonly endpoint: string
  /** The field of the answer that holds the rows. */
  readonly field: string
  /** The most rows that the service sends at a time: the fewest requests. */
  readonly limit: number
  readonly parameters: Readonly<Record<string, string>>
  /** What the rows are, in the plural. */
  readonly rows: string
  /** Undefined for a row that is no finding. */
  entry(row: JsonObject): Entry | undefined
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
      return {
        kind: 'feedback',
        page: pagePath(asString(path)),
        text,
        rating,
        readers: 1,
        day: dayOf(createdAt),
      }
    },
  },
  questions: {
    endpoint: 'assistant',
    field: 'conversations',
    limit: 1000,
    parameters: {},
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
    parameters: {},
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
