import { hash, hex, pick, unit } from '../../random.ts'
import { pathOf } from '../paths.ts'
import type { Paging } from './cursor.ts'
import type { Period } from './query.ts'
import { hugeComment, textAt } from './texts.ts'

const SOURCES = ['contextual', 'code_snippet', 'agent', 'thumbs_only'] as const
export const STATUSES = ['pending', 'in_progress', 'resolved', 'dismissed'] as const
type Source = (typeof SOURCES)[number]
type Status = (typeof STATUSES)[number]

export interface FeedbackEntry {
  readonly id: string
  /** A path or a URL. */
  readonly path: string
  readonly comment: string | null
  readonly createdAt: string | null
  readonly source: Source
  readonly status: Status
  /** Of a page, not of code. */
  readonly helpful?: boolean | undefined
  readonly contact?: string | null
  /** Of `code_snippet` alone: the block, and where it stands. */
  readonly code?: string
  readonly filename?: string
  readonly lang?: string
}

export interface Conversation {
  readonly id: string
  readonly timestamp: string
  readonly query: string
  readonly response: string
  /** The pages that the answer names. */
  readonly sources: readonly { readonly title: string; readonly url: string }[]
  readonly resolutionStatus: 'answered' | 'unanswered'
  readonly queryCategory: string | null
  readonly pageUrl: string | null
}

export interface Search {
  readonly searchQuery: string
  readonly hits: number
  /** Searches with a click, as a percentage. */
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

const SITE = 'https://docs.example.com'
const PAGES = 14
const HUGE = { source: 'contextual', status: 'pending', helpful: false } as const

/** The rows of a period, the newest first. */
export function rowsIn(readers: Readers, seed: number, period: Period) {
  const { feedback = 60, conversations = 45, searches = 80 } = readers
  return {
    feedback: () =>
      rowsOf(feedback, period, 'createdAt', (index, createdAt) => {
        const entry = feedbackAt(index, seed, createdAt)
        return index === 0 && readers.hugeComment ? { ...entry, ...HUGE, comment: hugeComment() } : entry
      }),
    conversations: () =>
      rowsOf(conversations, period, 'timestamp', (index, timestamp) =>
        conversationAt(index, seed, timestamp),
      ),
    searches: () => rowsOf(searches, period, 'lastSearchedAt', (index, time) => searchAt(index, seed, time)),
  }
}

/** The times of what is made up fall evenly from the period's end to its beginning. */
function rowsOf<K extends string, T extends Readonly<Record<K, string | null>>>(
  given: number | readonly T[],
  { from, to }: Period,
  time: K,
  make: (index: number, time: string) => T,
): readonly T[] {
  if (typeof given !== 'number')
    return given.filter((row) => {
      const at = row[time]
      return at === null || (Date.parse(at) >= from && Date.parse(at) < to)
    })
  const step = (to - from) / Math.max(1, given)
  return Array.from({ length: given }, (_, index) =>
    make(index, new Date(Math.max(from, to - (index + 0.5) * step)).toISOString()),
  )
}

function feedbackAt(index: number, seed: number, createdAt: string): FeedbackEntry {
  const path = pathOf(hash(seed, 'page', index) % PAGES, seed)
  const source = pick<Source>(['contextual', 'contextual', 'thumbs_only', ...SOURCES], seed, 'source', index)
  const isSilent = source === 'thumbs_only' || unit(seed, 'silent', index) < 0.25
  const entry = {
    id: hex(24, seed, 'feedback', index),
    path: index % 4 === 3 ? SITE + path : path,
    comment: isSilent ? null : textAt('comment', index, seed),
    createdAt: index % 17 === 16 ? null : createdAt,
    source,
    status: pick<Status>(['pending', 'pending', ...STATUSES], seed, 'status', index),
  }
  if (source === 'code_snippet') return { ...entry, ...codeAt(index, seed) }
  if (source === 'agent') return entry
  const helpful = unit(seed, 'helpful', index) < 0.4
  const contact = unit(seed, 'contact', index) < 0.4 ? `reader${index}@example.com` : null
  return { ...entry, helpful, contact }
}

/** Every third block has neither a name nor a language. */
function codeAt(index: number, seed: number): Pick<FeedbackEntry, 'code' | 'filename' | 'lang'> {
  const code = textAt('code', index, seed)
  return index % 3 === 2 ? { code } : { code, filename: `example-${index}.ts`, lang: 'ts' }
}

const urlOf = (about: string, index: number, seed: number): string =>
  SITE + encodeURI(pathOf(hash(seed, about, index) % PAGES, seed))

function conversationAt(index: number, seed: number, timestamp: string): Conversation {
  const isAnswered = unit(seed, 'answered', index) < 0.6
  return {
    id: hex(26, seed, 'conversation', index),
    timestamp,
    query: textAt('question', index, seed),
    response: isAnswered ? 'See the guide on retries.' : 'I could not find anything about that.',
    sources: Array.from({ length: index % 4 }, (_, at) => ({
      title: `Page ${at + 1}`,
      url: urlOf(`source ${at}`, index, seed),
    })),
    resolutionStatus: isAnswered ? 'answered' : 'unanswered',
    queryCategory: index % 2 === 0 ? null : 'how-to',
    pageUrl: index % 3 === 0 ? null : urlOf('asked', index, seed),
  }
}

/** The first has most hits. */
function searchAt(index: number, seed: number, lastSearchedAt: string): Search {
  const isMissed = unit(seed, 'missed', index) < 0.4
  return {
    searchQuery: textAt('term', index, seed),
    hits: Math.max(1, Math.round(400 / (index + 2) ** 1.1)),
    ctr: isMissed ? 0 : Math.round(unit(seed, 'ctr', index) * 1000) / 10,
    topClickedPage: isMissed ? null : pathOf(hash(seed, 'clicked', index) % PAGES, seed),
    lastSearchedAt,
  }
}
