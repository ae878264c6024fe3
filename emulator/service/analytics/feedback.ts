import { hash, hex, pick, unit } from '../../random.ts'
import { pathOf } from '../paths.ts'
import { cursorPage, placeOf, type Rows } from './cursor.ts'
import type { Period, Query } from './query.ts'
import {
  type Audience,
  type FeedbackEntry,
  type Readers,
  rowsOf,
  SOURCES,
  type Source,
  STATUSES,
  type Status,
  timeAt,
} from './readers.ts'
import { hugeComment, textAt } from './texts.ts'

const SITE = 'https://docs.example.com'
const PAGES = 14
const HUGE = { source: 'contextual', status: 'pending', helpful: false } as const

interface Filter {
  readonly source: Source | null
  readonly status: readonly Status[] | null
}

/** `feedback`, newest first, and `feedback/by-page`, most feedback first: two views of the same entries. */
export function feedback(audience: Audience) {
  const entries = filtered(audience)
  return {
    list(query: Query) {
      const period = query.period()
      const filter = filterOf(query)
      const wanted = { limit: query.limit(50, 100), place: query.value('cursor', placeOf) }
      return () => {
        const paging = audience.readers().paging ?? 'plain'
        const { rows, nextCursor, hasMore } = cursorPage(entries(period, filter), wanted, paging)
        return { feedback: rows, nextCursor, hasMore }
      }
    },
    byPage(query: Query) {
      const period = query.period()
      const filter = filterOf(query)
      const limit = query.limit(10, 100)
      return () => {
        const { count, at } = entries(period, filter)
        const pages = totals(Array.from({ length: count }, (_, index) => at(index)))
        return { feedback: pages.slice(0, limit), hasMore: pages.length > limit }
      }
    },
  }
}

function filterOf(query: Query): Filter {
  return {
    source: query.value('source', (given) => SOURCES.find((source) => source === given)),
    status: query.value('status', (given) => {
      const wanted = STATUSES.filter((status) => given.split(',').includes(status))
      return wanted.length === given.split(',').length ? wanted : undefined
    }),
  }
}

/** Remembers the entries of the last request, since the next one is for another page of them. */
function filtered({ seed, readers }: Audience): (period: Period, filter: Filter) => Rows<FeedbackEntry> {
  let last: { readonly of: Readers; readonly key: string; readonly rows: Rows<FeedbackEntry> } | undefined
  return (period, filter) => {
    const of = readers()
    const key = JSON.stringify([period, filter])
    if (last?.of === of && last.key === key) return last.rows
    const all = rowsOf(
      of.feedback ?? 60,
      period,
      ({ createdAt }) => createdAt,
      (index, count) => {
        const entry = entryAt(index, seed, timeAt(index, count, period))
        return index === 0 && of.hugeComment ? { ...entry, ...HUGE, comment: hugeComment() } : entry
      },
    )
    const { source, status } = filter
    const kept = Array.from({ length: all.count }, (_, index) => all.at(index)).filter(
      (entry) => (!source || entry.source === source) && (!status || status.includes(entry.status)),
    )
    const rows = {
      count: kept.length,
      // Beyond the last one, for pages without end: entries that no filter has seen.
      at: (index: number) =>
        kept[index] ?? {
          ...all.at(all.count + index),
          ...(source && { source }),
          ...(status?.[0] && { status: status[0] }),
        },
    }
    last = { of, key, rows }
    return rows
  }
}

function entryAt(index: number, seed: number, createdAt: string): FeedbackEntry {
  const path = pathOf(hash(seed, 'page', index) % PAGES, seed)
  const source = pick<Source>(['contextual', 'contextual', 'thumbs_only', ...SOURCES], seed, 'source', index)
  const isSilent = source === 'thumbs_only' || unit(seed, 'silent', index) < 0.25
  const common = {
    id: hex(24, seed, 'feedback', index),
    path: index % 4 === 3 ? SITE + path : path,
    comment: isSilent ? null : textAt('comment', index, seed),
    createdAt: index % 17 === 16 ? null : createdAt,
    source,
    status: pick<Status>(['pending', 'pending', ...STATUSES], seed, 'status', index),
  }
  const helpful = unit(seed, 'helpful', index) < 0.4
  if (source === 'code_snippet')
    return { ...common, code: 'await client.retry({ times: 3 })', filename: 'retry.ts', lang: 'typescript' }
  if (source === 'thumbs_only') return { ...common, helpful }
  if (source === 'agent') return common
  const contact = unit(seed, 'contact', index) < 0.4 ? `reader${index}@example.com` : null
  return { ...common, helpful, contact }
}

function totals(entries: readonly FeedbackEntry[]) {
  const pages = new Map<string, { thumbsUp: number; thumbsDown: number; code: number; total: number }>()
  for (const { path, helpful, source } of entries) {
    const page = pages.get(path) ?? { thumbsUp: 0, thumbsDown: 0, code: 0, total: 0 }
    pages.set(path, page)
    page.total += 1
    if (source === 'code_snippet') page.code += 1
    if (helpful === true) page.thumbsUp += 1
    if (helpful === false) page.thumbsDown += 1
  }
  return [...pages]
    .map(([path, counts]) => ({ path, ...counts }))
    .sort((a, b) => b.total - a.total || (a.path < b.path ? -1 : 1))
}
