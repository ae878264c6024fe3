import { ActionError } from '../core/errors.ts'
import { duration } from '../core/text.ts'
import { explainFailure } from '../http/explain.ts'
import { type InsistDeps, insist, type Reply } from '../http/insist.ts'
import { callService, type ServiceAccess, type ServiceDeps } from '../http/service.ts'
import { type Page, parsePage } from './page.ts'
import { isoDate, type Period } from './period.ts'

/** A read gives up after 30 s. */
const READ_MS = 30_000

export interface Query {
  readonly period: Period
  /** Rows of one page of results, 1 to 250. */
  readonly limit: number
  readonly offset: number
}

/** The analytics API's one call, and how often it was made. */
export interface VisitorsClient {
  /**
   * Asks until the deadline, as often as it takes.
   * @throws {ActionError} when there is no answer
   * @throws {Cancelled} as soon as the run is told to stop
   */
  page(query: Query): Promise<Page>
  requests(): number
}

export interface Patience {
  /** From the start of the run, in ms; for the sentence. */
  readonly timeoutMs: number
  /** In ms since the epoch. */
  readonly deadline: number
}

export function visitorsClient(
  deps: ServiceDeps & InsistDeps,
  access: ServiceAccess,
  { timeoutMs, deadline }: Patience,
): VisitorsClient {
  const visitors = `/v1/analytics/${encodeURIComponent(access.projectId)}/visitors`
  let requests = 0

  async function ask(query: Query, leftMs: number, signal: AbortSignal): Promise<Reply<Page>> {
    requests++
    const path = `${visitors}?${parameters(query)}`
    const result = await callService(deps, access, {
      method: 'GET',
      path,
      timeoutMs: Math.min(READ_MS, leftMs),
      signal,
    })
    if ('failure' in result) return result
    const page = parsePage(result.answer.text)
    return 'fault' in page ? { failure: { kind: 'unreadable', detail: page.fault } } : { value: page }
  }

  return {
    async page(query) {
      const answer = await insist(deps, {
        ask: (leftMs, signal) => ask(query, leftMs, signal),
        explain: (failure) => explainFailure('visitors', failure, access),
        deadline,
      })
      if ('value' in answer) return answer.value
      throw answer.late ?? new TimeIsUp(timeoutMs, query.offset)
    },
    requests: () => requests,
  }
}

/** Nothing failed, there was only too much to read. */
class TimeIsUp extends ActionError {
  constructor(timeoutMs: number, rows: number) {
    super(
      'network',
      `Only ${rows.toLocaleString('en-US')} rows could be read within ${duration(timeoutMs)}, so nothing was written. Raise \`timeout-minutes\`, or set \`max-rows\`.`,
    )
  }
}

const parameters = ({ period, limit, offset }: Query): URLSearchParams =>
  new URLSearchParams({
    dateFrom: isoDate(period.from),
    dateTo: isoDate(period.to),
    limit: String(limit),
    offset: String(offset),
  })
