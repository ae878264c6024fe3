import type { Paging, Rows } from './cursor.ts'
import type { Period } from './query.ts'

export const SOURCES = ['contextual', 'code_snippet', 'agent', 'thumbs_only'] as const
export const STATUSES = ['pending', 'in_progress', 'resolved', 'dismissed'] as const
export type Source = (typeof SOURCES)[number]
export type Status = (typeof STATUSES)[number]

export interface FeedbackEntry {
  readonly id: string
  /** A path or a URL. */
  readonly path: string
  readonly comment: string | null
  readonly createdAt: string | null
  readonly source: Source
  readonly status: Status
  readonly helpful?: boolean
  readonly contact?: string | null
  readonly code?: string
  readonly filename?: string
  readonly lang?: string
}

export interface Conversation {
  readonly id: string
  readonly timestamp: string
  readonly query: string
  readonly response: string
  readonly responseType?: 'answer' | 'clarifying_question'
  readonly sources: readonly { readonly title: string; readonly url: string }[]
  readonly resolutionStatus: 'answered' | 'unanswered'
  readonly queryCategory: string | null
  readonly pageUrl: string | null
}

export interface Search {
  readonly searchQuery: string
  readonly hits: number
  /** Clicks a search, from 0 to 1. */
  readonly ctr: number
  readonly topClickedPage: string | null
  readonly lastSearchedAt: string
}

/**
 * What the readers of the site left behind. A number: so many made-up rows in every period. A list: these rows,
 * where their time lies in the period that is asked for.
 */
export interface Readers {
  /** Default 60. */
  readonly feedback?: number | readonly FeedbackEntry[]
  /** Default 45. */
  readonly conversations?: number | readonly Conversation[]
  /** Default 80. */
  readonly searches?: number | readonly Search[]
  /** The newest comment that is made up has a megabyte. */
  readonly hugeComment?: boolean
  /** Default `plain`. */
  readonly paging?: Paging
}

/** What the endpoints of the readers share. */
export interface Audience {
  readonly seed: number
  readonly readers: () => Readers
}

export function rowsOf<T>(
  given: number | readonly T[],
  period: Period,
  timeOf: (row: T) => string | null,
  make: (index: number, count: number) => T,
): Rows<T> {
  if (typeof given === 'number') return { count: given, at: (index) => make(index, given) }
  const due = given.filter((row) => {
    const time = timeOf(row)
    return time === null || (Date.parse(time) >= period.from && Date.parse(time) < period.to)
  })
  return { count: due.length, at: (index) => due[index % due.length] ?? make(index, due.length) }
}

/** Times fall evenly from the period's end to its beginning. */
export function timeAt(index: number, count: number, { from, to }: Period): string {
  const step = (to - from) / Math.max(1, count)
  return new Date(Math.max(from, to - (index + 0.5) * step)).toISOString()
}
