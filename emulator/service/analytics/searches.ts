import { hash, unit } from '../../random.ts'
import { pathOf } from '../paths.ts'
import { cursorAt, cursorPage, placeOf } from './cursor.ts'
import type { Period, Query } from './query.ts'
import { type Audience, rowsOf, type Search } from './readers.ts'
import { textAt } from './texts.ts'

const PAGES = 14
/** The fewest hits of endless pages: a caller that stops at rare terms must not stop. */
const LEAST_ENDLESS = 25

/** `searches`, most hits first. There is no `hasMore`: the cursor alone tells. */
export const searches =
  ({ seed, readers }: Audience) =>
  (query: Query) => {
    const period = query.period()
    const wanted = { limit: query.limit(50, 100), place: query.value('cursor', placeOf) }
    return () => {
      const { searches: given = 80, paging = 'plain' } = readers()
      const least = paging === 'endless' ? LEAST_ENDLESS : 1
      const make = (index: number) => searchAt(index, seed, period, least)
      const rows = rowsOf(given, period, ({ lastSearchedAt }) => lastSearchedAt, make)
      const page = cursorPage(rows, wanted, paging)
      const all = Array.from({ length: rows.count }, (_, index) => rows.at(index).hits)
      return {
        searches: page.rows,
        totalSearches: all.reduce((sum, hits) => sum + hits, 0),
        nextCursor: page.hasMore ? (page.nextCursor ?? cursorAt()) : null,
      }
    }
  }

function searchAt(index: number, seed: number, { from, to }: Period, least: number): Search {
  const isMissed = unit(seed, 'missed', index) < 0.4
  return {
    searchQuery: textAt('term', index, seed),
    hits: Math.max(least, Math.round(400 / (index + 2) ** 1.1)),
    ctr: isMissed ? 0 : Math.round(unit(seed, 'ctr', index) * 100) / 100,
    topClickedPage: isMissed ? null : pathOf(hash(seed, 'clicked', index) % PAGES, seed),
    lastSearchedAt: new Date(from + unit(seed, 'searched', index) * (to - from - 1)).toISOString(),
  }
}
