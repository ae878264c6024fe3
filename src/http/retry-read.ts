import { type Cancellation, sleepUnlessCancelled } from '../cancellation.ts'
import { Cancelled } from '../errors.ts'
import { duration, plainText } from '../text.ts'
import type { HttpDeps } from './exchange.ts'
import { backoffMs, isUnreadable, UNREADABLE_TRIES, verdictOf } from './retry-rules.ts'
import { type Failure, ServiceError } from './service-error.ts'

export interface RetryDeps extends Pick<HttpDeps, 'sleep'> {
  monotonic(): number
  random(): number
  readonly core: { info(line: string): void }
  readonly cancellation: Cancellation
}

export type Reply<T> = { readonly value: T } | { readonly failure: Failure }

export interface RetryOptions<T> {
  /** Reads once. */
  readonly read: (timeoutMs: number, signal: AbortSignal) => Promise<Reply<T>>
  /** The sentence for people. */
  readonly explain: (failure: Failure) => string
  /** On the monotonic clock, in ms; no read starts later. */
  readonly deadline: number
  /** The longest pause, in ms, unless the service asks for a longer one. */
  readonly longestPauseMs?: number
  /** Waits until the given monotonic time. Without it, a line a minute says that the run waits. */
  readonly pause?: (until: number) => Promise<void>
}

/**
 * The value; or, where the deadline came first, the last failure, and how long the service asked to wait if that is
 * why.
 */
export type RetryResult<T> =
  | { readonly value: T }
  | { readonly late: ServiceError | undefined; readonly askedMs?: number }

/**
 * Reads again after faults that pass, with growing pauses or as `Retry-After` says, until the deadline (contract 4.4).
 * It does not begin a wait that would pass the deadline (4.5).
 * @throws {ServiceError} when another try is of no use
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function retryRead<T>(deps: RetryDeps, options: RetryOptions<T>): Promise<RetryResult<T>> {
  const { deadline, longestPauseMs = Number.POSITIVE_INFINITY } = options
  const { requested } = deps.cancellation
  const pause = options.pause ?? ((until) => pauseAloud(deps, until))
  let late: ServiceError | undefined
  for (let attempt = 1, unreadable = 0; ; attempt++) {
    if (requested.aborted) throw new Cancelled()
    const left = deadline - deps.monotonic()
    if (left <= 0) return { late }
    const reply = await options.read(left, requested)
    if (requested.aborted) throw new Cancelled()
    if ('value' in reply) return reply
    const { failure } = reply
    late = new ServiceError(failure, options.explain(failure))
    unreadable = isUnreadable(failure) ? unreadable + 1 : 0
    if (verdictOf('read', failure) === 'end' || unreadable >= UNREADABLE_TRIES) throw late
    const askedMs = failure.kind === 'status' ? failure.retryAfterMs : undefined
    if (askedMs !== undefined && deps.monotonic() + askedMs > deadline) return { late, askedMs }
    // Back off even on `Retry-After: 0`, to avoid a tight loop.
    const wait = Math.max(askedMs ?? 0, Math.min(longestPauseMs, backoffMs(attempt, deps.random)))
    deps.core.info(`${plainText(late.message)} Trying again in ${duration(wait)}.`)
    await pause(Math.min(deadline, deps.monotonic() + wait))
  }
}

/** The log shows at least one line a minute (contract 2.5). */
const MINUTE_MS = 60_000

async function pauseAloud(deps: RetryDeps, until: number): Promise<void> {
  for (let left = until - deps.monotonic(); left > 0; left = until - deps.monotonic()) {
    if (left > MINUTE_MS) deps.core.info(`Waiting for the service, another ${duration(left)}.`)
    await sleepUnlessCancelled(deps, Math.min(left, MINUTE_MS))
  }
}
