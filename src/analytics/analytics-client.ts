import { ActionError } from '../errors.ts'
import { type Failure, isTooLarge } from '../http/failure.ts'
import { type RetryDeps, retryRead } from '../http/retry.ts'
import { callService, type Parsed, type ServiceAccess, ServiceError } from '../http/service.ts'
import { type AnalyticsCall, explainFailure } from '../messages/explain.ts'
import { isoDate, type Period } from '../period.ts'
import { clock, count, duration, grouped } from '../text.ts'

export interface AnalyticsClient {
  /**
   * @throws {ActionError} when there is no usable answer until the deadline
   * @throws {Cancelled} as soon as the runner asks the step to stop
   */
  page<P extends { readonly rows: readonly unknown[] }>(request: PageRequest<P>): Promise<P>
  requests(): number
}

interface PageRequest<P> {
  readonly call: AnalyticsCall
  /** Behind `/v1/analytics/{projectId}/`. */
  readonly endpoint: string
  readonly period: Period
  /** Beside the dates; read again before each try. */
  query(): Readonly<Record<string, string | number>>
  parse(text: string): Parsed<P>
  /** The answer had more than the 5 MiB that the action reads. */
  onTooLarge?(): void
}

/** At most one line of progress in this time: a short run logs none. */
const PROGRESS_MS = 1000

interface Limit {
  /** On the monotonic clock, in ms. */
  readonly deadline: number
  readonly timeoutMs: number
  /** What shortens the run: "set `max-rows`". */
  readonly remedy: string
}

export function analyticsClient(deps: RetryDeps, access: ServiceAccess, limit: Limit): AnalyticsClient {
  const begin = deps.monotonic()
  let loggedAt = begin
  let [requests, pages, rows] = [0, 0, 0]

  function logProgress(): void {
    const now = deps.monotonic()
    if (now - loggedAt < PROGRESS_MS) return
    loggedAt = now
    deps.core.info(`  ${clock(now - begin).padStart(5)}  ${count(pages, 'page')}, ${count(rows, 'row')}`)
  }

  async function page<P extends { readonly rows: readonly unknown[] }>(request: PageRequest<P>): Promise<P> {
    const { call, parse } = request
    const explain = (failure: Failure) => explainFailure(call, failure, access)
    const result = await retryRead(deps, { deadline: limit.deadline }, async (leftMs, signal) => {
      requests++
      const path = pathOf(access, request)
      const reading = callService(deps, access, { path, leftMs, signal, parse, explain })
      return await reading.catch((error: unknown) => {
        if (error instanceof ServiceError && isTooLarge(error.failure)) request.onTooLarge?.()
        throw error
      })
    })
    if ('timedOut' in result) throw result.failed ?? tooSlow(rows, limit)
    pages++
    rows += result.rows.length
    logProgress()
    return result
  }

  return { page, requests: () => requests }
}

function pathOf<P>({ projectId }: ServiceAccess, { endpoint, period, query }: PageRequest<P>): string {
  const parameters = new URLSearchParams({ dateFrom: isoDate(period.from), dateTo: isoDate(period.to) })
  for (const [name, value] of Object.entries(query())) parameters.set(name, String(value))
  return `/v1/analytics/${encodeURIComponent(projectId)}/${endpoint}?${parameters}`
}

/** No request failed: there was only too much to read. */
const tooSlow = (rows: number, limit: Limit) =>
  new ActionError(
    'network',
    `Only ${count(rows, 'row')} could be read within ${duration(limit.timeoutMs)}, so nothing was written. Raise \`timeout-minutes\`, or ${limit.remedy}.`,
  )

/** The most pages of results of one list: at 100 requests an hour, no job of a hosted runner (6 h) can read more. */
export const MAX_PAGES = 1000

export const endlessPages = (rows: string, pages: number, fault: string, remedy = 'run again later') =>
  new ActionError(
    'bad-response',
    `The service says that more ${rows} follow after page ${grouped(pages)} of its results, but ${fault}. Nothing was written: ${remedy}.`,
  )
