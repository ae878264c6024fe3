import { sleepUnlessCancelled } from '../cancellation.ts'
import { Cancelled } from '../errors.ts'
import { duration, plainText } from '../text.ts'
import type { Reply, RetryDeps } from './retry-read.ts'
import { backoffMs, SEND_TRIES, verdictOf } from './retry-rules.ts'
import { type Failure, ServiceError } from './service-error.ts'

export interface SendOptions<T> {
  /** Sends once. */
  readonly send: (signal: AbortSignal) => Promise<Reply<T>>
  /** The sentence for people. */
  readonly explain: (failure: Failure) => string
  /** On the monotonic clock, in ms; nothing is sent later. */
  readonly deadline: number
}

/**
 * Sends what has no idempotency key: tries again only after what surely was not processed, five times in all, and
 * obeys `Retry-After` (contract 4.3, 4.5).
 * @returns the value, or the failure after which it is unknown whether the service processed the request
 * @throws {ServiceError} when it surely was not processed
 * @throws {Cancelled} when the runner asks the step to stop before anything was processed
 */
export async function retrySend<T>(
  deps: RetryDeps,
  { send, explain, deadline }: SendOptions<T>,
): Promise<{ readonly value: T } | { readonly unknown: Failure }> {
  const { requested, sendingEnds } = deps.cancellation
  for (let attempt = 1; ; attempt++) {
    if (requested.aborted) throw new Cancelled()
    const reply = await send(sendingEnds)
    if ('value' in reply) return reply
    const { failure } = reply
    const verdict = verdictOf('send', failure)
    if (verdict === 'unknown') return { unknown: failure }
    const askedMs = failure.kind === 'status' ? failure.retryAfterMs : undefined
    const pause = Math.max(askedMs ?? 0, backoffMs(attempt, deps.random))
    const late = deps.monotonic() + pause > deadline
    // A service that says when to come back limits the rate, whatever the status (contract 4.5).
    const limited = verdict === 'retry' && late && askedMs !== undefined
    const error = new ServiceError(failure, explain(failure), limited ? 'rate-limited' : undefined)
    if (verdict === 'end' || attempt >= SEND_TRIES || late) throw error
    deps.core.info(`${plainText(error.message)} Trying again in ${duration(pause)}.`)
    await sleepUnlessCancelled(deps, pause)
  }
}
