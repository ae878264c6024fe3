import * as v from 'valibot'
import { parseJson } from '../base/json.ts'
import type { Parsed } from '../http/service.ts'
import type { Period } from '../inputs/period.ts'
import { type AnalyticsClient, endlessPages } from './analytics.ts'

const COUNT = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
/** The total counts a visitor once who is both. */
const FIGURES = v.object({ human: COUNT, ai: COUNT, total: COUNT })
export type Figures = v.InferOutput<typeof FIGURES>

/** Known fields only, so that files have the same columns whatever the service adds. */
const ROW = v.object({
  path: v.nullish(
    v.pipe(
      v.string(),
      v.transform((path) => path.toWellFormed()),
    ),
  ),
  ...FIGURES.entries,
})

/** The visitors of a path. Visitors choose the paths that they request, so it may hold anything; '' is the first page. */
export type Row = Readonly<Figures & { path: string }>

const PAGE = v.object({ totals: FIGURES, hasMore: v.boolean(), visitors: v.array(ROW) })

export interface Visitors {
  /** Of the whole site, as the service counts them: pages do not add up to them. */
  readonly totals: Figures
  /** By path, in the order of the service. */
  readonly rows: ReadonlyMap<string, Row>
  /** Rows left out because their path came before: rows shift when pages change ranks between two requests. */
  readonly repeated: number
  /** Rows left out because they name no path. */
  readonly unnamed: number
  /** `maxRows` can cut them. */
  readonly complete: boolean
}

export const MAX_PAGE_SIZE = 250

/** @throws {ActionError} when the service claims more rows and sends none that are new */
export async function readVisitors(
  client: AnalyticsClient,
  period: Period,
  { pageSize, maxRows }: { readonly pageSize: number; readonly maxRows: number },
): Promise<Visitors> {
  const limit = Math.min(pageSize, maxRows)
  const rows = new Map<string, Row>()
  let [repeated, unnamed] = [0, 0]
  /** Since the last row that was new. */
  let stale = 0
  for (let pages = 1; ; pages++) {
    const offset = (pages - 1) * limit
    const request = { call: 'visitors', endpoint: 'visitors', period, parse: parsePage } as const
    const page = await client.page({ ...request, query: () => ({ limit, offset }) })
    const named = page.rows.filter(isNamed)
    const fresh = new Map(named.filter(({ path }) => !rows.has(path)).map((row) => [row.path, row]))
    const added = [...fresh.values()].slice(0, maxRows - rows.size)
    for (const row of added) rows.set(row.path, row)
    unnamed += page.rows.length - named.length
    repeated += named.length - fresh.size
    const complete = !page.hasMore && added.length === fresh.size
    if (!page.hasMore || rows.size >= maxRows)
      return { totals: page.totals, rows, repeated, unnamed, complete }
    stale = fresh.size === 0 ? stale + page.rows.length : 0
    // One row alone can be the last one of the page before, moved down by a new row.
    if (page.rows.length === 0 || stale > 1) {
      const remedy = 'run again later, or set `max-rows`'
      throw endlessPages('visitors', pages, 'that page brings nothing new', remedy)
    }
  }
}

type NamelessRow = v.InferOutput<typeof ROW>

const isNamed = (row: NamelessRow): row is Row => typeof row.path === 'string'

function parsePage(text: string): Parsed<v.InferOutput<typeof PAGE> & { rows: NamelessRow[] }> {
  const { success, output, issues } = v.safeParse(PAGE, parseJson(text), { abortEarly: true })
  if (success) return { ...output, rows: output.visitors }
  const [field, row] = (issues[0].path ?? []).map(({ key }) => key)
  if (row !== undefined && field === 'visitors')
    return { fault: `an answer whose row ${Number(row) + 1} is not a path with visitor counts` }
  return { fault: `an answer without usable ${field === undefined ? 'fields' : `\`${String(field)}\``}` }
}
