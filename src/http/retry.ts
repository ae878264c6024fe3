import { sleepUnlessCancelled, throwIfCancelled } from '../cancellation.ts'
import type { Core, Deps } from '../deps.ts'
import { duration, plainText } from '../text.ts'
import { type Failure, type Reply, ServiceError } from './service.ts'

/** What a failed request allows: another try, the end, or an unknown result. */
export type Verdict = 'retry' | 'end' | 'unknown'

/**
 * What each failure allows. `send` is for create and message, which have no idempotency key: they are tried again
 * only when the request surely was not processed (contract 4.3). A read can always be asked again (4.4).
 */
interface Rule {
  readonly applies: (failure: Failure) => boolean
  readonly send: Verdict
  readonly read: Verdict
}

const transport =
  (...kinds: readonly string[]) =>
  (failure: Failure): boolean =>
    failure.kind === 'transport' && kinds.includes(failure.error.kind)

const status =
  (test: (status: number, retryAfterMs: number | undefined) => boolean) =>
  (failure: Failure): boolean =>
    failure.kind === 'status' && test(failure.status, failure.retryAfterMs)

/** The first rule that applies counts. */
const RULES: readonly Rule[] = [
  { applies: transport('unsent'), send: 'retry', read: 'retry' },
  { applies: transport('certificate', 'unusable'), send: 'end', read: 'end' },
  { applies: transport('timeout', 'broken', 'cancelled', 'too-large'), send: 'unknown', read: 'retry' },
  { applies: (failure) => failure.kind === 'unreadable', send: 'unknown', read: 'retry' },
  { applies: status((code) => code === 429), send: 'retry', read: 'retry' },
  { applies: status((code, wait) => code === 503 && wait !== undefined), send: 'retry', read: 'retry' },
  { applies: status((code) => code >= 500), send: 'unknown', read: 'retry' },
  { applies: status((code) => code === 408), send: 'end', read: 'retry' },
]

export function verdictOf(call: 'send' | 'read', failure: Failure): Verdict {
  return RULES.find((rule) => rule.applies(failure))?.[call] ?? 'end'
}

/** Tries of create and message in all (contract 4.3). */
const SEND_TRIES = 5

/** Reads in a row that may answer with something that is no job: a mistake of the service, no passing fault (4.4). */
const UNREADABLE_TRIES = 3

/** Pause before try `n` + 1, in ms: 1 s, doubled each time, at most 30 s, varied by a tenth. */
export function backoffMs(n: number, random: () => number): number {
  return Math.min(30_000, 1000 * 2 ** (n - 1)) * (0.9 + 0.2 * random())
}

/** What calls of the service need of `Deps`. */
export type RetryDeps = Omit<Deps, 'core'> & { readonly core: Pick<Core, 'info'> }

const askedMsOf = (failure: Failure): number | undefined =>
  failure.kind === 'status' ? failure.retryAfterMs : undefined

/**
 * Sends what has no idempotency key: tries again only after what surely was not processed, five times in all, and
 * obeys `Retry-After` (contract 4.3, 4.5).
 * @param deadline on the monotonic clock, in ms; no request starts later
 * @returns the reply, or the failure after which it is unknown whether the service processed the request
 * @throws {ServiceError} when it surely was not processed
 * @throws {Cancelled} when the runner asks the step to stop before anything was processed
 */
export async function retrySend<T extends object>(
  deps: RetryDeps,
  deadline: number,
  send: (signal: AbortSignal) => Promise<Reply<T>>,
): Promise<T | { readonly unknown: Failure }> {
  for (let attempt = 1; ; attempt++) {
    throwIfCancelled(deps.cancellation)
    const reply = await send(deps.cancellation.sendingEnds)
    if (!(reply instanceof ServiceError)) return reply
    const { failure, message } = reply
    const verdict = verdictOf('send', failure)
    if (verdict === 'unknown') return { unknown: failure }
    const askedMs = askedMsOf(failure)
    const pause = Math.max(askedMs ?? 0, backoffMs(attempt, deps.random))
    const late = deps.monotonic() + pause > deadline
    if (verdict === 'end') throw reply
    // A service that says when to come back limits the rate, whatever the status (contract 4.5).
    if (late && askedMs !== undefined) throw new ServiceError(failure, message, 'rate-limited')
    if (late || attempt >= SEND_TRIES) throw reply
    deps.core.info(`${plainText(message)} Trying again in ${duration(pause)}.`)
    await sleepUnlessCancelled(deps, pause)
  }
}

/** One request. */
export type Read<T> = (leftMs: number, signal: AbortSignal) => Promise<Reply<T>>

export interface ReadOptions {
  /** On the monotonic clock, in ms; no request starts later. */
  readonly deadline: number
  /** The longest pause between two reads, in ms, unless the service asks for a longer one. */
  readonly pollMs?: number
  /** Waits until the given monotonic time. Without it, a line a minute says that the run waits. */
  readonly pause?: (until: number) => Promise<void>
}

/** The deadline came first. */
export interface Late {
  /** Why before its time: the service asks for a longer wait; else ''. */
  readonly timedOut: string
  /** The last failure, if any. */
  readonly failed: ServiceError | undefined
}

/**
 * Reads again after faults that pass, with growing pauses or as `Retry-After` says, until the deadline (contract 4.4).
 * It does not begin a wait that would pass the deadline (4.5).
 * @throws {ServiceError} when another try is of no use
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function retryRead<T extends object>(
  deps: RetryDeps,
  { deadline, pollMs = Number.POSITIVE_INFINITY, pause = (until) => pauseAloud(deps, until) }: ReadOptions,
  read: Read<T>,
): Promise<T | Late> {
  let failed: ServiceError | undefined
  for (let attempt = 1, unreadable = 0; ; attempt++) {
    throwIfCancelled(deps.cancellation)
    const left = deadline - deps.monotonic()
    if (left <= 0) return { timedOut: '', failed }
    const reply = await read(left, deps.cancellation.requested)
    throwIfCancelled(deps.cancellation)
    if (!(reply instanceof ServiceError)) return reply
    failed = reply
    const { failure } = failed
    unreadable = failed.reason === 'bad-response' ? unreadable + 1 : 0
    if (verdictOf('read', failure) === 'end' || unreadable >= UNREADABLE_TRIES) throw failed
    const askedMs = askedMsOf(failure)
    if (askedMs !== undefined && deps.monotonic() + askedMs > deadline) {
      return { timedOut: `The service says to retry in ${duration(askedMs)}.`, failed }
    }
    // Back off even on `Retry-After: 0`, to avoid a tight loop.
    const wait = Math.max(askedMs ?? 0, Math.min(pollMs, backoffMs(attempt, deps.random)))
    deps.core.info(`${plainText(failed.message)} Trying again in ${duration(wait)}.`)
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
