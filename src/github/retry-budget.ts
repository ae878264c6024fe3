import type { Deps } from '../base/deps.ts'
import { askedMsOf, type Backoff, type Failure, fateOf, pauseAfter } from '../http/failure.ts'

/** How long an outage or a limit of the rate is waited out in all, from the first request on that meets it. */
const OUTAGE_MS = 120_000
/** For what a note in the prompt can replace: GitHub may never answer about a diff that is too long. */
export const CONTEXT_MS = 15_000
/** Where a limit names no time: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
const LIMIT_MS = 60_000
const BACKOFF: Backoff = [500, 8000]
/** A write whose answer was lost can take effect a little later. */
const LATE_BACKOFF: Backoff = [2000, 8000]
/** After the runner asked the step to stop, seconds are left. */
const HASTY_MS = 500

interface Tries {
  readonly began: number
  /** How many there were. */
  readonly tries: number
  /** Of an outage, which is waited out for no longer. */
  readonly mostMs?: number | undefined
}

/**
 * What all requests of a process know of GitHub: since when it is away, and until when a limit holds.
 * @param deadline on the monotonic clock, in ms: what begins earlier is not tried beyond it
 */
export function retryBudget(
  { monotonic, sleep, random, cancellation }: Pick<Deps, 'monotonic' | 'sleep' | 'random' | 'cancellation'>,
  deadline: number,
) {
  const { requested, everythingEnds } = cancellation
  let outage: { readonly since: number; readonly last: number } | undefined
  let limit: { readonly error: unknown; readonly until: number } | undefined

  const leftOf = ({ began, mostMs = OUTAGE_MS }: Tries): number => {
    const now = monotonic()
    const until = Math.min(began, outage?.since ?? now) + mostMs
    return (began < deadline ? Math.min(until, deadline) : until) - now
  }
  const backoffOf = (tries: number, backoff: Backoff): number =>
    requested.aborted ? HASTY_MS : pauseAfter(tries, backoff, random)
  const pause = async (ms: number): Promise<void> =>
    await sleep(ms, requested.aborted ? everythingEnds : requested).catch(() => undefined)

  return {
    pause,
    /** @throws what a request met that is limited, for as long as the limit holds: all others wait for its end */
    throwIfLimited(): void {
      if (limit !== undefined && monotonic() < limit.until) throw limit.error
    },
    answered(): void {
      outage = undefined
    },
    /**
     * Waits before the next try. @param error what the request threw
     * @returns undefined, or where no try follows, in how many ms the limit ends, 0 for none
     */
    async beforeNextTry(failure: Failure, error: unknown, request: Tries): Promise<number | undefined> {
      const now = monotonic()
      const isLimited = fateOf(failure) === 'limited'
      // An outage of long ago is another one: meanwhile nothing was asked.
      const isSame = outage !== undefined && now - outage.last <= OUTAGE_MS
      outage = { since: isSame && outage ? outage.since : now, last: now }
      if (isLimited && error !== limit?.error) {
        const until = now + (askedMsOf(failure) ?? LIMIT_MS)
        limit = { error, until: Math.max(until, limit?.until ?? 0) }
      }
      // Between the refusal by a limit and this line it may have ended.
      const askedMs = isLimited && limit ? Math.max(0, limit.until - now) : (askedMsOf(failure) ?? 0)
      const left = leftOf(isLimited ? { ...request, mostMs: OUTAGE_MS } : request)
      const isOver = left <= 0 || (isLimited && askedMs > left) || everythingEnds.aborted
      if (isOver) return isLimited ? askedMs : 0
      const pauseMs = isLimited ? askedMs : Math.max(askedMs, backoffOf(request.tries, BACKOFF))
      await pause(Math.min(pauseMs, left))
      return undefined
    },
    /** Waits before a look for what a lost write made. @returns whether there is time for it */
    async beforeLook(request: Tries): Promise<boolean> {
      const left = leftOf(request)
      if (left <= 0 || everythingEnds.aborted) return false
      await pause(Math.min(backoffOf(request.tries, LATE_BACKOFF), left))
      return true
    },
  }
}
