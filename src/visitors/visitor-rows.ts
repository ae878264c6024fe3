import { type AnalyticsClient, endlessPages, MAX_PAGES } from '../analytics/analytics.ts'
import type { Parsed } from '../http/service.ts'
import type { Period } from '../inputs/period.ts'
import { isObject, parseJson } from '../json.ts'

/** The total counts a visitor once who is both. */
export interface Figures {
  readonly human: number
  readonly ai: number
  readonly total: number
}

export const FIGURES = ['human', 'ai', 'total'] as const satisfies readonly (keyof Figures)[]

export interface Row extends Figures {
  /** Visitors choose the paths that they request, so it may hold anything. */
  readonly path: string
}

export interface Visitors {
  /** Of the whole site, as the service counts them: pages do not add up to them. */
  readonly totals: Figures
  /** By path, in the order of the service. */
  readonly rows: ReadonlyMap<string, Row>
  /** Rows left out because their path came before: rows shift when pages change ranks between two requests. */
  readonly repeated: number
  /** `maxRows` can cut them. */
  readonly complete: boolean
}

export const MAX_PAGE_SIZE = 250

/** Pages of results in a row that may hold nothing but repeated rows. */
const MAX_REPEATED = 3

/**
 * @param take gets the new rows of each page of results before the next one is requested
 * @throws {ActionError} when the service claims more rows and sends none, or never stops
 */
export async function readVisitors(
  client: AnalyticsClient,
  period: Period,
  limits: { readonly pageSize: number; readonly maxRows: number },
  take: (rows: readonly Row[]) => Promise<void> = async () => {},
): Promise<Visitors> {
  const { maxRows } = limits
  const limit = Math.min(limits.pageSize, maxRows)
  const rows = new Map<string, Row>()
  let [repeated, repeatedPages] = [0, 0]
  for (let pages = 1; ; pages++) {
    const offset = (pages - 1) * limit
    const request = { call: 'visitors', endpoint: 'visitors', period, parse: parsePage } as const
    const page = await client.page({ ...request, query: () => ({ limit, offset }) })
    const fresh = new Map(page.rows.filter(({ path }) => !rows.has(path)).map((row) => [row.path, row]))
    const added = [...fresh.values()].slice(0, maxRows - rows.size)
    for (const row of added) rows.set(row.path, row)
    repeated += page.rows.length - fresh.size
    await take(added)
    const complete = !page.hasMore && added.length === fresh.size
    if (!page.hasMore || rows.size >= maxRows) return { totals: page.totals, rows, repeated, complete }
    repeatedPages = fresh.size === 0 ? repeatedPages + 1 : 0
    if (page.rows.length === 0) throw endless(pages, 'that page is empty')
    if (repeatedPages >= MAX_REPEATED) throw endless(pages, 'the last pages repeat the same rows')
    if (pages >= MAX_PAGES) throw endless(pages, 'no site has that many pages')
  }
}

const endless = (pages: number, fault: string) =>
  endlessPages('visitors', pages, fault, 'run again later, or set `max-rows`')

interface Page {
  readonly totals: Figures
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

function parsePage(text: string): Parsed<Page> {
  const raw = parseJson(text)
  if (!isObject(raw)) return { fault: 'an answer that is not a JSON object' }
  const { totals, visitors, hasMore } = raw
  if (!isFigures(totals)) return { fault: 'an answer without usable `totals`' }
  if (typeof hasMore !== 'boolean') return { fault: 'an answer without `hasMore`' }
  if (!Array.isArray(visitors)) return { fault: 'an answer without a list of `visitors`' }
  const odd = visitors.findIndex((each) => !isRow(each))
  if (odd >= 0) return { fault: `an answer whose row ${odd + 1} is not a path with visitor counts` }
  return { totals: figures(totals), rows: visitors.map(row), hasMore }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isFigures = (value: unknown): value is Figures =>
  isObject(value) && FIGURES.every((name) => isCount(value[name]))

const isRow = (value: unknown): value is Row =>
  isFigures(value) && 'path' in value && typeof value.path === 'string' && value.path !== ''

/** Known fields only, so that files have the same columns whatever the service adds. */
const figures = ({ human, ai, total }: Figures): Figures => ({ human, ai, total })

/** Half a surrogate pair cannot be written as UTF-8. */
const row = (each: Row): Row => ({ path: each.path.toWellFormed(), ...figures(each) })
