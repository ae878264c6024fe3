import { ActionError } from '../errors.ts'
import { type Failure, isTooLarge } from '../http/failure.ts'
import { type RetryDeps, retryRead } from '../http/retry.ts'
import { callService, type Parsed, type ServiceAccess, ServiceError } from '../http/service.ts'
import { type AnalyticsCall, explainFailure } from '../messages/errors.ts'
import { isoDate, type Period } from '../period.ts'
import { clock, count, duration, grouped } from '../text.ts'

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

export type AnalyticsClient = ReturnType<typeof analyticsClient>

/**
 * Reads the analytics API, counts the requests, and logs the progress.
 * @param limit `remedy`: what shortens the run, for the error
 */
export function analyticsClient(
  deps: RetryDeps,
  access: ServiceAccess,
  limit: { readonly startedAt: number; readonly timeoutMs: number; readonly remedy: string },
) {
  const { startedAt, timeoutMs, remedy } = limit
  const begin = deps.monotonic()
  let loggedAt = begin
  let [requests, pages, rows] = [0, 0, 0]

  /** A line at most once a second, so a run of less than a second logs none. */
  function logProgress(): void {
    const now = deps.monotonic()
    if (now - loggedAt < PROGRESS_MS) return
    loggedAt = now
    const rate = count(Math.round((rows * 1000) / (now - begin)), 'row')
    const read = `${count(pages, 'page')}, ${count(rows, 'row')}, ${rate} a second`
    deps.core.info(`  ${clock(now - begin).padStart(5)}  ${read}`)
  }

  return {
    /**
     * Tries until the deadline.
     * @throws {ActionError} when there is no usable answer
     * @throws {Cancelled} as soon as the runner asks the step to stop
     */
    async page<P extends { readonly rows: readonly unknown[] }>(request: PageRequest<P>): Promise<P> {
      const { call, parse } = request
      const explain = (failure: Failure) => explainFailure(call, failure, access)
      const deadline = startedAt + timeoutMs
      const result = await retryRead(deps, { deadline }, async (leftMs, signal) => {
        requests++
        const path = pathOf(access, request)
        const reply = await callService(deps, access, { path, leftMs, signal, parse, explain })
        if (reply instanceof ServiceError && isTooLarge(reply.failure)) request.onTooLarge?.()
        return reply
      })
      if ('timedOut' in result) {
        // Where no request failed, there was only too much to read.
        const sentence = `Only ${count(rows, 'row')} could be read within ${duration(timeoutMs)}, so nothing was written. Raise \`timeout-minutes\`, or ${remedy}.`
        throw result.failed ?? new ActionError('network', sentence)
      }
      pages++
      rows += result.rows.length
      logProgress()
      return result
    },
    requests: (): number => requests,
  }
}

const PROGRESS_MS = 1000

function pathOf<P>({ projectId }: ServiceAccess, { endpoint, period, query }: PageRequest<P>): string {
  const parameters = new URLSearchParams({ dateFrom: isoDate(period.from), dateTo: isoDate(period.to) })
  for (const [name, value] of Object.entries(query())) parameters.set(name, String(value))
  return `/v1/analytics/${encodeURIComponent(projectId)}/${endpoint}?${parameters}`
}

/**
 * The most pages of results that a run reads of one list. No run lives long enough to read more at 100 requests an hour
 * (a job of a hosted runner ends after 6 h).
 */
export const MAX_PAGES = 1000

/**
 * The service claims that there is more, but reading on would lead nowhere.
 * @param rows what the pages hold, in the plural
 * @param pages read so far
 */
export const endlessPages = (rows: string, pages: number, fault: string, remedy = 'run again later') =>
  new ActionError(
    'bad-response',
    `The service says that more ${rows} follow after page ${grouped(pages)} of its results, but ${fault}. Nothing was written: ${remedy}.`,
  )
