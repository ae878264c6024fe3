import { EndlessPages, MAX_PAGES } from '../analytics/endless-pages.ts'
import type { Figures, Page, Row } from './page.ts'

/** What one page of results adds. */
export interface Batch {
  /** Rows with new paths. */
  readonly rows: readonly Row[]
  /** Rows left out because their path came before: rows shift when pages change ranks between two requests. */
  readonly repeated: number
  readonly totals: Figures
  /** This batch completes the list. */
  readonly complete: boolean
}

export interface Limits {
  readonly pageSize: number
  /** `Infinity` for all. */
  readonly maxRows: number
}

/** Pages of results in a row that may hold nothing but repeated rows. */
const MAX_REPEATED = 3

/**
 * The rows of a period, one page of results at a time. Requests a page only when the caller took the one before, and
 * none that is not needed. Keeps only the paths in memory.
 * @throws {EndlessPages} when the service claims more rows and sends none, or never stops
 */
export async function* listing(
  read: (offset: number) => Promise<Page>,
  { pageSize, maxRows }: Limits,
): AsyncGenerator<Batch, void> {
  const seen = new Set<string>()
  let repeatedPages = 0
  for (let pages = 1; ; pages++) {
    const page = await read((pages - 1) * pageSize)
    const left = maxRows - seen.size
    const fresh = page.rows.filter(({ path }) => {
      const known = seen.size
      return seen.add(path).size > known
    })
    yield {
      rows: fresh.slice(0, left),
      repeated: page.rows.length - fresh.length,
      totals: page.totals,
      complete: !page.hasMore && fresh.length <= left,
    }
    if (!page.hasMore || fresh.length >= left) return
    repeatedPages = fresh.length === 0 ? repeatedPages + 1 : 0
    if (page.rows.length === 0) throw endless(pages, 'this one is empty')
    if (repeatedPages >= MAX_REPEATED) throw endless(pages, 'it repeats the same rows')
    if (pages >= MAX_PAGES) throw endless(pages, 'no site has so many pages')
  }
}

const endless = (pages: number, fault: string) =>
  new EndlessPages('visitors', pages, fault, 'run again later, or set `max-rows`')
