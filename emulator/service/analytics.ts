import { type EmulatedRequest, type EmulatedResponse, json } from '../http.ts'
import { type Site, type VisitorsPage, type VisitorsQuery, visitorsPage } from './visitors.ts'

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const DAY_MS = 86_400_000

/** `GET /v1/analytics/{project}/visitors`: checks the parameters as the service does, then answers. */
export function visitorsAnswer(request: EmulatedRequest, context: AnalyticsContext): EmulatedResponse {
  const problems: { message: string }[] = []
  const query = readQuery(request.query, context.now(), (message) => problems.push({ message }))
  if (problems.length > 0) return json(400, { error: 'Invalid query parameters', details: problems })
  return json(200, context.page(query))
}

export interface AnalyticsContext {
  readonly now: () => number
  readonly page: (query: VisitorsQuery) => VisitorsPage
}

function readQuery(query: URLSearchParams, now: number, problem: (message: string) => void): VisitorsQuery {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const from = date('dateFrom', today - 30 * DAY_MS)
  const to = date('dateTo', today)
  if (from >= to) problem('dateFrom must be before dateTo')
  return {
    from,
    to,
    limit: whole('limit', 50, 1, 250),
    offset: whole('offset', 0, 0, Number.MAX_SAFE_INTEGER),
  }

  function date(name: string, missing: number): number {
    const given = query.get(name)
    if (given === null) return missing
    const ms = Date.parse(given)
    if (DATE.test(given) && Number.isFinite(ms)) return ms
    problem(`${name} must be an ISO 8601 date`)
    return missing
  }

  function whole(name: string, missing: number, least: number, most: number): number {
    const given = query.get(name)
    if (given === null) return missing
    const value = Number(given)
    if (/^\d+$/.test(given) && value >= least && value <= most) return value
    problem(`${name} must be a whole number from ${least} to ${most}`)
    return missing
  }
}

/** Remembers the last pages asked for, so that large sites cost their totals only once a period. */
export function pages(seed: number, site: () => Site): AnalyticsContext['page'] {
  let known = new Map<string, VisitorsPage['totals']>()
  let of: Site | undefined
  return (query) => {
    if (of !== site()) known = new Map()
    of = site()
    const key = `${query.from}-${query.to}`
    const page = visitorsPage(of, seed, query, known.get(key))
    known.set(key, page.totals)
    return page
  }
}
