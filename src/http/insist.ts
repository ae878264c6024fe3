import { type Cancellation, sleepUnlessCancelled } from '../core/cancellation.ts'
import { Cancelled } from '../core/errors.ts'
import { duration, plainText } from '../core/text.ts'
import type { HttpDeps } from './exchange.ts'
import { backoffMs, isUnreadable, UNREADABLE_TRIES, verdictOf } from './retry.ts'
import { type Failure, ServiceError } from './service-error.ts'

export interface InsistDeps extends Pick<HttpDeps, 'sleep'> {
  now(): number
  random(): number
  log(line: string): void
  readonly cancellation: Cancellation
}

export interface Question<T> {
  /** Asks once. */
  readonly ask: (timeoutMs: number, signal: AbortSignal) => Promise<Reply<T>>
  /** The sentence for people. */
  readonly explain: (failure: Failure) => string
  /** In ms since the epoch; nothing is asked later. */
  readonly deadline: number
  /** The longest pause, unless the service asks for a longer one. */
  readonly longestPauseMs?: number
  /** Waits until the given time (ms since the epoch). Without it, a line a minute says that the run waits. */
  readonly pause?: (until: number) => Promise<void>
}

export type Reply<T> = { readonly value: T } | { readonly failure: Failure }

/**
 * The answer; or, where the time is up first, the last failure, if there was one, and how long the service asks to
 * wait, if that is why.
 */
export type Insisted<T> =
  | { readonly value: T }
  | { readonly late: ServiceError | undefined; readonly askedMs?: number }

/**
 * Asks again after faults that pass, with growing pauses or as `Retry-After` says, until the deadline (contract 4.4).
 * A wait that the service asks for and that would pass the deadline is not begun (4.5).
 * @throws {ServiceError} when asking again is of no use
 * @throws {Cancelled} as soon as the run is told to stop
 */
export async function insist<T>(deps: InsistDeps, question: Question<T>): Promise<Insisted<T>> {
  const { deadline, longestPauseMs = Number.POSITIVE_INFINITY } = question
  const { requested } = deps.cancellation
  const pause = question.pause ?? ((until) => pauseAloud(deps, until))
  let late: ServiceError | undefined
  for (let attempt = 1, unreadable = 0; ; attempt++) {
    if (requested.aborted) throw new Cancelled()
    const left = deadline - deps.now()
    if (left <= 0) return { late }
    const reply = await question.ask(left, requested)
    if (requested.aborted) throw new Cancelled()
    if ('value' in reply) return reply
    const { failure } = reply
    late = new ServiceError(failure, question.explain(failure))
    unreadable = isUnreadable(failure) ? unreadable + 1 : 0
    if (verdictOf('read', failure) === 'end' || unreadable >= UNREADABLE_TRIES) throw late
    const askedMs = failure.kind === 'status' ? failure.retryAfterMs : undefined
    if (askedMs !== undefined && deps.now() + askedMs > deadline) return { late, askedMs }
    // Asked to come back at once, a service in trouble would be asked without end.
    const wait = Math.max(askedMs ?? 0, Math.min(longestPauseMs, backoffMs(attempt, deps.random)))
    deps.log(`${plainText(late.message)} Trying again in ${duration(wait)}.`)
    await pause(Math.min(deadline, deps.now() + wait))
  }
}

/** The log shows at least one line a minute (contract 2.5). */
const MINUTE_MS = 60_000

async function pauseAloud(deps: InsistDeps, until: number): Promise<void> {
  for (let left = until - deps.now(); left > 0; left = until - deps.now()) {
    if (left > MINUTE_MS) deps.log(`Waiting for the service, another ${duration(left)}.`)
    await sleepUnlessCancelled(deps, Math.min(left, MINUTE_MS))
  }
}
