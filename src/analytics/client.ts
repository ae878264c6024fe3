import type { Core } from '../core.ts'
import { ActionError } from '../errors.ts'
import { type Reply, type RetryDeps, retryRead } from '../http/retry.ts'
import { callService, type ServiceAccess, type ServiceDeps } from '../http/service.ts'
import { type AnalyticsCall, explainFailure } from '../messages/errors.ts'
import { isoDate, type Period } from '../period.ts'
import { clock, count, duration, grouped } from '../text.ts'

/** A read gives up after 30 s. */
const READ_MS = 30_000

/** One page of results; `fault` says what is wrong with it, for the middle of a sentence. */
export type Parsed<P> = P | { readonly fault: string }

export interface PageRequest<P> {
  readonly call: AnalyticsCall
  /** Behind `/v1/analytics/{projectId}/`. */
  readonly endpoint: string
  readonly period: Period
  /** The parameters beside the dates; asked anew before each try. */
  query(): Readonly<Record<string, string | number>>
  parse(text: string): Parsed<P>
  /** The answer was larger than the 5 MiB that the action reads. */
  onTooLarge?(): void
}

/** Reads the analytics API, counts the requests, and logs the progress. */
export interface AnalyticsClient {
  /**
   * Tries until the deadline.
   * @throws {ActionError} when there is no usable answer
   * @throws {Cancelled} as soon as the runner asks the step to stop
   */
  page<P extends { readonly rows: readonly unknown[] }>(request: PageRequest<P>): Promise<P>
  /** Sent so far. */
  requests(): number
}

export interface TimeLimit {
  readonly startedAt: number
  readonly timeoutMs: number
  /** What shortens the run, for the error: "set `max-rows`". */
  readonly remedy: string
}

export function analyticsClient(
  deps: ServiceDeps & RetryDeps,
  access: ServiceAccess,
  limit: TimeLimit,
): AnalyticsClient {
  const deadline = limit.startedAt + limit.timeoutMs
  const logProgress = progress(deps)
  let requests = 0
  let rows = 0

  async function readOnce<P>(
    request: PageRequest<P>,
    leftMs: number,
    signal: AbortSignal,
  ): Promise<Reply<P>> {
    requests++
    const result = await callService(deps, access, {
      method: 'GET',
      path: pathOf(access, request),
      timeoutMs: Math.min(READ_MS, leftMs),
      signal,
    })
    if ('answer' in result) {
      const page = request.parse(result.answer.text)
      return isFault(page) ? { failure: { kind: 'unreadable', detail: page.fault } } : { value: page }
    }
    const { failure } = result
    if (failure.kind === 'transport' && failure.error.kind === 'too-large') request.onTooLarge?.()
    return result
  }

  return {
    async page(request) {
      const result = await retryRead(deps, {
        read: (leftMs, signal) => readOnce(request, leftMs, signal),
        explain: (failure) => explainFailure(request.call, failure, access),
        deadline,
      })
      if (!('value' in result)) throw result.late ?? new TimeIsUp(limit, rows)
      rows += result.value.rows.length
      logProgress(result.value.rows.length)
      return result.value
    },
    requests: () => requests,
  }
}

function pathOf<P>({ projectId }: ServiceAccess, { endpoint, period, query }: PageRequest<P>): string {
  const parameters = new URLSearchParams({ dateFrom: isoDate(period.from), dateTo: isoDate(period.to) })
  for (const [name, value] of Object.entries(query())) parameters.set(name, String(value))
  return `/v1/analytics/${encodeURIComponent(projectId)}/${endpoint}?${parameters}`
}

function isFault<P>(page: Parsed<P>): page is { readonly fault: string } {
  return typeof page === 'object' && page !== null && 'fault' in page
}

/** No request failed; there was only too much to read. */
class TimeIsUp extends ActionError {
  constructor({ timeoutMs, remedy }: TimeLimit, rows: number) {
    super(
      'network',
      `Only ${count(rows, 'row')} could be read within ${duration(timeoutMs)}, so nothing was written. Raise \`timeout-minutes\`, or ${remedy}.`,
    )
  }
}

const PROGRESS_MS = 1000

/** Logs a line at most once a second, so a run of less than a second logs none. */
function progress(deps: { monotonic(): number; readonly core: Pick<Core, 'info'> }): (rows: number) => void {
  const startedAt = deps.monotonic()
  let loggedAt = startedAt
  let [pages, rows] = [0, 0]
  return (more) => {
    pages++
    rows += more
    const now = deps.monotonic()
    if (now - loggedAt < PROGRESS_MS) return
    loggedAt = now
    const rate = Math.round((rows * 1000) / (now - startedAt))
    deps.core.info(
      `  ${clock(now - startedAt).padStart(5)}  ${count(pages, 'page')}, ${count(rows, 'row')}, ${count(rate, 'row')} a second`,
    )
  }
}

/**
 * The most pages of results that a run reads of one list. No run lives long enough to read more at 100 requests an hour
 * (a job of a hosted runner ends after 6 h).
 */
export const MAX_PAGES = 1000

/** The service claims that there is more, but reading on would lead nowhere. */
export class EndlessPages extends ActionError {
  /**
   * @param rows what the pages hold, in the plural
   * @param pages read so far
   */
  constructor(rows: string, pages: number, fault: string, remedy = 'run again later') {
    super(
      'bad-response',
      `The service says that more ${rows} follow after page ${grouped(pages)} of its results, but ${fault}. Nothing was written: ${remedy}.`,
    )
  }
}
