import { type Core, type Deps, sleepUnlessCancelled, throwIfCancelled } from '../deps.ts'
import { clock, duration, plainText } from '../text.ts'
import {
  askedMsOf,
  type Failure,
  isLimit,
  LIMIT_BACKOFF,
  pauseAfter,
  SEND_TRIES,
  SERVICE_BACKOFF,
  UNREADABLE_TRIES,
  verdictOf,
} from './failure.ts'
import { ServiceError } from './service.ts'

export type RetryDeps = Omit<Deps, 'core'> & { readonly core: Pick<Core, 'info'> }

export interface SendOptions {
  /** On the monotonic clock, in ms; no request starts later. */
  readonly deadline: number
  /** A limit that names no time is waited out until the deadline, not for a few tries. */
  readonly waitsOutLimits: boolean
}

/**
 * Tries again only after what surely was not processed (contract 4.3, 4.5).
 * @returns the reply, or the failure after which it is unknown whether the service processed the request
 * @throws {ServiceError | Cancelled} when it surely was not processed
 */
export async function retrySend<T extends object>(
  deps: RetryDeps,
  { deadline, waitsOutLimits }: SendOptions,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T | { readonly unknown: Failure }> {
  for (let tries = 1; ; tries++) {
    throwIfCancelled(deps.cancellation)
    try {
      return await send(deps.cancellation.sendingEnds)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const { failure, message } = error
      const verdict = verdictOf('send', failure)
      if (verdict === 'unknown') return { unknown: failure }
      if (verdict === 'end') throw error
      const askedMs = askedMsOf(failure)
      const isOpenLimit = waitsOutLimits && isLimit(failure) && askedMs === undefined
      const backoff = pauseAfter(tries, isOpenLimit ? LIMIT_BACKOFF : SERVICE_BACKOFF, deps.random)
      const pauseMs = Math.max(askedMs ?? 0, backoff)
      const isLate = deps.monotonic() + pauseMs > deadline
      // A service that says when to come back limits the rate, whatever the status (contract 4.5).
      if (isLate && askedMs !== undefined) throw new ServiceError(failure, message, 'rate-limited')
      if (isLate || (tries >= SEND_TRIES && !isOpenLimit)) throw error
      deps.core.info(`${plainText(message)} Trying again in ${duration(pauseMs)}.`)
      await sleepUnlessCancelled(deps, pauseMs)
    }
  }
}

type Read<T> = (leftMs: number, signal: AbortSignal) => Promise<T>

export interface ReadOptions {
  /** On the monotonic clock, in ms; without one, only a job that is missing is read again. */
  readonly deadline?: number
  /** The longest pause between two reads, in ms, unless the service asks for a longer one. */
  readonly pollMs?: number
  /** When the wait for this read began, where that was before the call; a read that begins in time is made. */
  readonly began?: number
  /** The job is known to work: a 404 counts only twice in a row, half a minute apart (4.4). */
  readonly isKnown?: boolean
  /** Waits until that monotonic time. By default, a line a minute says that the run waits. */
  readonly pause?: (until: number) => Promise<void>
}

export interface Late {
  /** Why before the deadline: the service asks for a longer wait; else ''. */
  readonly timedOut: string
  readonly failed: ServiceError | undefined
}

/**
 * Reads again after faults that pass, until the deadline (contract 4.4). It does not begin a wait that would
 * pass the deadline (4.5).
 * @throws {ServiceError} when another try is of no use
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function retryRead<T extends object>(
  deps: RetryDeps,
  options: ReadOptions,
  read: Read<T>,
): Promise<T | Late> {
  const always = Number.POSITIVE_INFINITY
  const { deadline = always, pollMs = always, isKnown = false } = options
  const { began = deps.monotonic(), pause = (until: number) => pauseAloud(deps, until) } = options
  let failed: ServiceError | undefined
  let unreadable = 0
  /** When the first of the 404s in a row came. */
  let missingSince: number | undefined
  throwIfCancelled(deps.cancellation)
  if (began >= deadline) return { timedOut: '', failed }
  for (let tries = 1; ; tries++) {
    throwIfCancelled(deps.cancellation)
    const left = deadline - deps.monotonic()
    // What ended in time is never called late: the last read is at the deadline itself (contract 4.6).
    const isLast = left <= 0
    try {
      const answer = await read(isLast ? LAST_READ_MS : left, deps.cancellation.requested)
      throwIfCancelled(deps.cancellation)
      return answer
    } catch (error) {
      throwIfCancelled(deps.cancellation)
      if (!(error instanceof ServiceError)) throw error
      failed = error
      unreadable = error.reason === 'bad-response' ? unreadable + 1 : 0
      const now = deps.monotonic()
      missingSince = error.reason === 'job-not-found' ? (missingSince ?? now) : undefined
      const isDoubtful = isKnown && missingSince !== undefined && now - missingSince < MISSING_MS
      const isOver = verdictOf('read', error.failure) === 'end' || unreadable >= UNREADABLE_TRIES
      if ((isOver || deadline === always) && !isDoubtful) throw error
      if (isLast) return { timedOut: '', failed }
      const askedMs = askedMsOf(error.failure) ?? 0
      if (now + askedMs > deadline && askedMs > 0) {
        return { timedOut: `The service says to retry in ${duration(askedMs)}.`, failed }
      }
      // Back off even on `Retry-After: 0`, to avoid a tight loop.
      const backoff = Math.min(pollMs, pauseAfter(tries, SERVICE_BACKOFF, deps.random))
      const pauseMs = Math.min(isDoubtful ? MISSING_MS : Math.max(askedMs, backoff), deadline - now)
      deps.core.info(`${plainText(error.message)} Trying again in ${duration(pauseMs)}.`)
      await pause(now + pauseMs)
    }
  }
}

/** How long the read at the deadline may take. */
const LAST_READ_MS = 10_000

/** A service that has just created a job, or that is about to be replaced, may not find it for a moment. */
export const MISSING_MS = 30_000

/** The log shows at least one line a minute (contract 2.5). */
const MINUTE_MS = 60_000

async function pauseAloud(deps: RetryDeps, until: number): Promise<void> {
  for (let left = until - deps.monotonic(); left > 0; left = until - deps.monotonic()) {
    if (left > MINUTE_MS) deps.core.info(`Waiting for the service, another ${duration(left)}.`)
    await sleepUnlessCancelled(deps, Math.min(left, MINUTE_MS))
  }
}

export interface WaitOptions {
  /** On the monotonic clock, in ms, like `startedAt`; nothing is sent or read later. */
  readonly deadline: number
  /** The longest pause between two reads, in ms, unless the service asks for a longer one. */
  readonly pollMs: number
  readonly startedAt: number
}

/**
 * For what is read again and again: its status is logged at each change and once a minute (contract 2.5).
 * @param label before each status: what it is the status of
 */
export function polling(
  deps: RetryDeps,
  { deadline, pollMs, startedAt }: WaitOptions,
  isKnown: (status: string) => boolean,
  label = '',
) {
  const from = deps.monotonic()
  let shown: string | undefined
  let lastLine = from
  const line = (note = '') => {
    lastLine = deps.monotonic()
    deps.core.info(`  ${clock(lastLine - startedAt).padStart(5)}  ${label}${shown || 'no status'}${note}`)
  }
  const pause = async (until: number): Promise<void> => {
    for (let now = deps.monotonic(); now < until; now = deps.monotonic()) {
      if (now >= lastLine + MINUTE_MS) line()
      await sleepUnlessCancelled(deps, Math.min(until, lastLine + MINUTE_MS) - now)
    }
    if (deps.monotonic() >= lastLine + MINUTE_MS) line()
  }
  /** In ms: 2 s and a tenth of the time already waited, varied by a tenth at random (contract 4.6). */
  const pauseMs = (waitedMs: number): number =>
    Math.min(pollMs, Math.min(pollMs, 2000 + waitedMs * 0.1) * (0.9 + 0.2 * deps.random()))
  return {
    log(status: string): void {
      if (status === shown) return
      shown = status
      line(isKnown(shown) ? '' : ' (this version does not know the status, and keeps waiting)')
    },
    /** At most until the deadline. */
    pauseUntil: (until: number): Promise<void> => pause(Math.min(deadline, until)),
    pauseMs,
    /** Pauses before the next read. @returns how `retryRead` makes it */
    async next(): Promise<ReadOptions> {
      const began = deps.monotonic()
      await pause(Math.min(deadline, began + pauseMs(began - from)))
      return { deadline, pollMs, began, isKnown: true, pause }
    },
  }
}
