import { ActionError } from '../core/errors.ts'
import type { Figures, Page, Row } from './page.ts'

/** What one page of results brings. */
export interface Batch {
  /** None that came before. */
  readonly rows: readonly Row[]
  /** Rows left out because they came before: they shift when pages change ranks between two requests. */
  readonly repeated: number
  readonly totals: Figures
  /** With this batch the listing is whole. */
  readonly complete: boolean
}

export interface Limits {
  readonly pageSize: number
  /** `Infinity` for all. */
  readonly maxRows: number
}

/**
 * Pages of results of one period that the service can claim at most: no run lives long enough to read more of them at
 * 100 requests an hour (a job of a hosted runner ends after 6 h).
 */
export const MAX_PAGES = 1000

/** Pages of results in a row that may bring nothing but repeated rows. */
const MAX_BARREN = 3

/**
 * The rows of a period, one page of results at a time: asks for no page before the one before was taken, and for none
 * too many. Remembers the paths and nothing else.
 * @throws {ActionError} `bad-response` when the service claims more rows and sends none, or would do so for ever
 */
export async function* listing(
  read: (offset: number) => Promise<Page>,
  { pageSize, maxRows }: Limits,
): AsyncGenerator<Batch, void> {
  const seen = new Set<string>()
  let barren = 0
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
    barren = fresh.length === 0 ? barren + 1 : 0
    if (page.rows.length === 0) throw new Endless(pages, 'this one is empty')
    if (barren >= MAX_BARREN) throw new Endless(pages, 'it repeats the same rows')
    if (pages >= MAX_PAGES) throw new Endless(pages, 'no site has so many pages')
  }
}

class Endless extends ActionError {
  constructor(pages: number, fault: string) {
    super(
      'bad-response',
      `The service says that more visitors follow after page ${pages.toLocaleString('en-US')} of its results, but ${fault}. Nothing was written: run again later, or set \`max-rows\`.`,
    )
  }
}
