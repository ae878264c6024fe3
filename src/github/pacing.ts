import pLimit from 'p-limit'
import type { Deps } from '../deps.ts'
import { type Failure, SECONDARY_LIMIT_BACKOFF, type StatusFailure } from '../http/failure.ts'
import { TransportError } from '../http/fetch.ts'

interface Cost {
  readonly points: number
  /** 1 for a request that creates content, else 0. */
  readonly contents: number
}

/**
 * GitHub's secondary limits, with a quarter left for other runs of the repository: 900 points a minute (a
 * read 1, a write 5), 80 requests a minute and 500 an hour that create content, 100 at the same time.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 */
const BUDGETS: readonly { readonly windowMs: number; readonly of: keyof Cost; readonly most: number }[] = [
  { windowMs: 60_000, of: 'points', most: 675 },
  { windowMs: 60_000, of: 'contents', most: 60 },
  { windowMs: 3_600_000, of: 'contents', most: 375 },
]
const MOST_AT_ONCE = 8

/** GitHub does not say which writes create content, so every one that adds or changes something counts. */
function costOf(method: string, url: string): Cost {
  if (method === 'GET' || method === 'HEAD') return { points: 1, contents: 0 }
  const isRendering = url.endsWith('/markdown')
  return { points: 5, contents: method === 'DELETE' || isRendering ? 0 : 1 }
}

interface Counted extends Cost {
  readonly at: number
}

/** A request that failed, or that was not sent: its turn would come too late, or the forge says that a limit is met. */
export class FailedTry extends Error {
  override readonly name = 'FailedTry'
  readonly failure: Failure
  /** For its turn among the requests of this process, in ms. */
  readonly queuedMs: number
  readonly wasSent: boolean

  constructor(failure: Failure, queuedMs: number, options?: ErrorOptions) {
    super(failure.kind === 'transport' ? failure.error.message : failure.detail, options)
    this.failure = failure
    this.queuedMs = queuedMs
    // What was sent failed for a cause.
    this.wasSent = options !== undefined
  }
}

/** What all requests of a process share. */
export interface Pacer {
  /**
   * Sends a request when it is its turn. @param send gets how long it waited for that, in ms
   * @param until on the monotonic clock: no turn comes later
   * @throws {FailedTry} where the turn would come later, or the forge says that a limit is met
   */
  inTurn<T>(
    request: { readonly method: string; readonly url: string },
    until: number,
    send: (queuedMs: number) => Promise<T>,
  ): Promise<T>
  /** Sends nothing until the end of a limit that the forge says is met: a minute where it names none. */
  hold(limit: StatusFailure): void
}

/** Lets the requests of a process through as GitHub's secondary limits allow. A normal run never waits. */
export function pacer(deps: Pick<Deps, 'monotonic' | 'sleep' | 'cancellation'>): Pacer {
  const { requested } = deps.cancellation
  const atOnce = pLimit(MOST_AT_ONCE)
  let sent: readonly Counted[] = []
  let met: { readonly failure: StatusFailure; readonly until: number } | undefined

  function waitFor(cost: Cost): number {
    const now = deps.monotonic()
    const waits = BUDGETS.map(({ windowMs, of, most }) => {
      const inWindow = sent.filter(({ at }) => at > now - windowMs)
      let over = inWindow.reduce((sum, request) => sum + request[of], cost[of]) - most
      if (cost[of] === 0 || over <= 0) return 0
      const last = inWindow.find((request) => {
        over -= request[of]
        return over <= 0
      })
      return last === undefined ? 0 : last.at + windowMs - now
    })
    return Math.max(...waits)
  }

  function throwIfMet(queuedAt: number): void {
    const now = deps.monotonic()
    if (met === undefined || met.until <= now) return
    throw new FailedTry({ ...met.failure, retryAfterMs: met.until - now }, now - queuedAt)
  }

  return {
    async inTurn({ method, url }, until, send) {
      const queuedAt = deps.monotonic()
      throwIfMet(queuedAt)
      const cost = costOf(method, url)
      for (let wait = waitFor(cost); wait > 0 && !requested.aborted; wait = waitFor(cost)) {
        if (deps.monotonic() + wait > until) {
          const error = new TransportError('cancelled', 'no time is left within the limits of the forge')
          throw new FailedTry({ kind: 'transport', error }, deps.monotonic() - queuedAt)
        }
        await deps.sleep(wait, requested).catch(() => undefined)
      }
      const now = deps.monotonic()
      const counted = { ...cost, at: now }
      sent = [...sent.filter(({ at }) => at > now - 3_600_000), counted]
      return await atOnce(async () => {
        try {
          throwIfMet(queuedAt)
        } catch (error) {
          sent = sent.filter((other) => other !== counted)
          throw error
        }
        return await send(deps.monotonic() - queuedAt)
      })
    },
    hold(failure) {
      const until = deps.monotonic() + (failure.retryAfterMs ?? SECONDARY_LIMIT_BACKOFF.firstMs)
      if (until > (met?.until ?? 0)) met = { failure, until }
    },
  }
}
