import pLimit from 'p-limit'
import type { Deps } from '../deps.ts'
import { type Failure, SECONDARY_LIMIT_BACKOFF, type StatusFailure } from '../http/failure.ts'
import { TransportError } from '../http/fetch.ts'

export interface Cost {
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
export function costOf(method: string, url: string): Cost {
  if (method === 'GET' || method === 'HEAD') return { points: 1, contents: 0 }
  const isRendering = url.endsWith('/markdown')
  return { points: 5, contents: method === 'DELETE' || isRendering ? 0 : 1 }
}

interface Counted extends Cost {
  readonly at: number
}

/** Thrown in place of a request that is not sent. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
  readonly failure: Failure

  constructor(failure: Failure) {
    super('not sent')
    this.failure = failure
  }
}

/** What all requests of a process share. */
export interface Pacer {
  /**
   * Sends a request when it is its turn.
   * @param until on the monotonic clock: no turn comes later
   * @throws {NotSent} where the turn would come later, or the forge says that a limit is met
   */
  inTurn<T>(cost: Cost, until: number, send: () => Promise<T>): Promise<T>
  /** Sends nothing until the end of a limit that the forge says is met: a minute where it names none. */
  hold(limit: StatusFailure): void
}

/** Lets the requests of a process through as GitHub's secondary limits allow. A normal run never waits. */
export function pacer(deps: Pick<Deps, 'monotonic' | 'sleep' | 'cancellation'>): Pacer {
  const limit = pLimit(MOST_AT_ONCE)
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

  /** @returns the request, counted */
  async function takeRoom(cost: Cost, until: number): Promise<Counted> {
    const { requested } = deps.cancellation
    for (let wait = waitFor(cost); wait > 0 && !requested.aborted; wait = waitFor(cost)) {
      if (deps.monotonic() + wait > until) {
        const error = new TransportError('cancelled', 'no time is left within the limits of the forge')
        throw new NotSent({ kind: 'transport', error })
      }
      await deps.sleep(wait, requested).catch(() => undefined)
    }
    const now = deps.monotonic()
    const counted = { ...cost, at: now }
    sent = [...sent.filter(({ at }) => at > now - 3_600_000), counted]
    return counted
  }

  function throwIfMet(): void {
    const left = met === undefined ? 0 : met.until - deps.monotonic()
    if (met !== undefined && left > 0) throw new NotSent({ ...met.failure, retryAfterMs: left })
  }

  return {
    async inTurn(cost, until, send) {
      throwIfMet()
      const counted = await takeRoom(cost, until)
      try {
        return await limit(async () => {
          throwIfMet()
          return await send()
        })
      } catch (error) {
        if (error instanceof NotSent) sent = sent.filter((other) => other !== counted)
        throw error
      }
    },
    hold(failure) {
      const until = deps.monotonic() + (failure.retryAfterMs ?? SECONDARY_LIMIT_BACKOFF.firstMs)
      if (until > (met?.until ?? 0)) met = { failure, until }
    },
  }
}
