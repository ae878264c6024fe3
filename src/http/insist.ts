import { type Cancellation, sleepUnlessCancelled } from '../cancellation.ts'
import { Cancelled } from '../errors.ts'
import { duration } from '../text.ts'
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
}

export type Reply<T> = { readonly value: T } | { readonly failure: Failure }

/** What a read of the service answers. Where the time is up first: the last failure, if there was one. */
export type Insisted<T> = { readonly value: T } | { readonly late: ServiceError | undefined }

/**
 * Asks again after faults that pass, with growing pauses or as `Retry-After` says, until the deadline. A pause that
 * would pass the deadline is not begun.
 * @throws {ServiceError} when asking again is of no use
 * @throws {Cancelled} as soon as the run is told to stop
 */
export async function insist<T>(deps: InsistDeps, question: Question<T>): Promise<Insisted<T>> {
  const { requested } = deps.cancellation
  let late: ServiceError | undefined
  for (let attempt = 1, unreadable = 0; ; attempt++) {
    if (requested.aborted) throw new Cancelled()
    const left = question.deadline - deps.now()
    if (left <= 0) return { late }
    const reply = await question.ask(left, requested)
    if (requested.aborted) throw new Cancelled()
    if ('value' in reply) return reply
    const { failure } = reply
    late = new ServiceError(failure, question.explain(failure))
    unreadable = isUnreadable(failure) ? unreadable + 1 : 0
    if (verdictOf('read', failure) === 'end' || unreadable >= UNREADABLE_TRIES) throw late
    const pause =
      (failure.kind === 'status' ? failure.retryAfterMs : undefined) ?? backoffMs(attempt, deps.random)
    if (deps.now() + pause > question.deadline) return { late }
    deps.log(`${late.message} Trying again in ${duration(pause)}.`)
    await sleepUnlessCancelled(deps, pause)
  }
}
