import { hash, unit } from '../random.ts'
import { pathOf } from './paths.ts'

/** The site whose visitors are told. */
export interface Site {
  readonly rows: number
  /** These rows in place of made-up ones, for a period that begins then, in ms since the epoch. */
  visited?(from: number): readonly VisitorRow[]
  /** The paths of the first pages; all others are made up, and some of those are hostile. */
  readonly paths?: readonly string[]
  /** So many pages of results on, one new row appears at the top: all rows shift and some repeat. */
  readonly shiftEvery?: number
  /** Every page is empty, and claims that there are more. */
  readonly emptyPage?: boolean
  /** Whatever the offset, the first page comes, and claims that there are more. */
  readonly samePage?: boolean
}

export interface VisitorRow {
  /** '' is the first page. Null and missing ones break the service's own rules. */
  readonly path?: string | null
  readonly human: number
  readonly ai: number
  readonly total: number
}

export interface VisitorsQuery {
  /** Milliseconds since the epoch; `to` is exclusive. */
  readonly from: number
  readonly to: number
  readonly limit: number
  readonly offset: number
}

export interface VisitorsPage {
  readonly totals: Omit<VisitorRow, 'path'>
  readonly visitors: readonly VisitorRow[]
  readonly hasMore: boolean
}

const DAY_MS = 86_400_000
/** Pages change ranks between periods, but only within blocks of so many: the order needs no memory. */
const BLOCK = 8

export function visitorsPage(site: Site, seed: number, query: VisitorsQuery): VisitorsPage {
  const { limit } = query
  if (site.visited !== undefined) return pageOfGiven(site.visited(query.from), query)
  const offset = site.samePage ? 0 : query.offset
  const period = periodOf(seed, query)
  const shift = site.shiftEvery ? Math.floor(offset / limit / site.shiftEvery) : 0
  const end = Math.min(offset + limit, site.rows + shift)
  const visitors: VisitorRow[] = []
  for (let at = offset; at < end && !site.emptyPage; at += 1) visitors.push(rowAt(at - shift, site, period))
  const hasMore = site.emptyPage === true || site.samePage === true || offset + limit < site.rows + shift
  return { totals: totalsOf(site, period), visitors, hasMore }
}

function pageOfGiven(all: readonly VisitorRow[], { limit, offset }: VisitorsQuery): VisitorsPage {
  const sum = (field: 'human' | 'ai' | 'total') => all.reduce((total, row) => total + row[field], 0)
  const totals = { human: sum('human'), ai: sum('ai'), total: sum('total') }
  return { totals, visitors: all.slice(offset, offset + limit), hasMore: offset + limit < all.length }
}

interface Period {
  readonly seed: number
  readonly key: string
  readonly scale: number
}

function periodOf(seed: number, { from, to }: VisitorsQuery): Period {
  const key = `${from}-${to}`
  return { seed, key, scale: ((to - from) / DAY_MS / 30) * (0.8 + 0.4 * unit(seed, 'period', key)) }
}

/** Rank 0 is the most visited. Totals fall strictly enough with the rank to be in order without sorting. */
function rowAt(rank: number, site: Site, period: Period): VisitorRow & { readonly path: string } {
  const { seed, key, scale } = period
  if (rank < 0) return { path: `/new/${-rank}`, human: 0, ai: 0, total: 0 }
  const total = Math.round((scale * 24_000) / (rank + 3) ** 0.9)
  const page = pageAtRank(rank, site.rows, period)
  const path = site.paths?.[page] ?? pathOf(page, seed)
  const human = Math.round(total * (0.35 + 0.5 * unit(seed, key, path)))
  const both = Math.min(human, Math.round(total * 0.03))
  return { path, human, ai: total - human + both, total }
}

/** A shuffle of each block by rotation and mirroring: one page a rank, one rank a page. */
function pageAtRank(rank: number, rows: number, { seed, key }: Period): number {
  const start = rank - (rank % BLOCK)
  const size = Math.max(1, Math.min(BLOCK, rows - start))
  const turn = hash(seed, key, 'block', start)
  const at = (rank - start + turn) % size
  return rank >= rows ? rank : start + (turn & 1024 ? size - 1 - at : at)
}

/** Visitors of the whole site: fewer than its rows add up to, since people read more than one page. */
function totalsOf(site: Site, period: Period): VisitorsPage['totals'] {
  const known = totals.get(site) ?? new Map<string, VisitorsPage['totals']>()
  const key = `${period.seed}-${period.key}`
  const sum = known.get(key) ?? sumOf(site, period)
  totals.set(site, known.set(key, sum))
  return sum
}

/** Of each period, so that a large site adds its rows up only once. */
const totals = new WeakMap<Site, Map<string, VisitorsPage['totals']>>()

function sumOf(site: Site, period: Period): VisitorsPage['totals'] {
  let human = 0
  let ai = 0
  for (let rank = 0; rank < site.rows; rank += 1) {
    const row = rowAt(rank, site, period)
    human += row.human
    ai += row.ai
  }
  const people = Math.round(human * 0.6)
  const machines = Math.round(ai * 0.6)
  return { human: people, ai: machines, total: people + machines - Math.round((people + machines) * 0.04) }
}
