import { type Core, type Deps, sleepUnlessCancelled, throwIfCancelled } from '../base/deps.ts'
import { isLoopback } from '../base/link.ts'
import { clock, duration, plainText, withoutRerun } from '../base/text.ts'
import { askedMsOf, type Backoff, type Failure, isForeign, isOwn, pauseAfter } from './failure.ts'
import { ServiceError } from './service.ts'

export type RetryDeps = Omit<Deps, 'core'> & { readonly core: Pick<Core, 'info'> }

/** The longest pause between two reads where no input sets another one. */
export const DEFAULT_POLL_MS = 15_000
/** A limit that names no time is waited out until the deadline instead. */
const SEND_TRIES = 5
/** The service's limit is one of an hour. */
const SEND_BACKOFF: Backoff = [900, 49_000]
const READ_BACKOFF: Backoff = [900, 27_000]
/** A body that is no job is a mistake of the service, no passing fault. */
const UNREADABLE_TRIES = 3
/** Without an answer of the service's own for so long, another server answers in its place. */
const FOREIGN_MS = 600_000
/** How long the read at the deadline may take: what ended in time is never called late. */
const LAST_READ_MS = 10_000
/** A service that has just created a job, or that is about to be replaced, may not find it for a moment. */
const MISSING_MS = 30_000
/** The log shows at least one line a minute. */
const MINUTE_MS = 60_000

export type Waits = ReturnType<typeof waitsFor>

/**
 * How long the action waits for what GitHub and the service do late, in ms. On a loopback host, where tests run, each wait
 * is as many pauses between two readings as elsewhere.
 */
export function waitsFor(baseUrl: string, pollMs: number) {
  const pace = isLoopback(baseUrl) ? pollMs / DEFAULT_POLL_MS : 1
  return {
    /** Checks that have ended, and a job between two turns, count once nothing has changed for so long. */
    quietMs: 30_000 * pace,
    /** A push, the first check and GitHub's word on conflicts may take so long. */
    lateMs: 60_000 * pace,
    /** The service may name the pull request of a job that has ended so much later. */
    linkMs: 10_000 * pace,
    /** A sweep takes a head that is older for one that gets no checks. */
    noneMs: 600_000 * pace,
    /** What may never end is waited for until nothing has changed for so long. */
    stalledMs: 300_000 * pace,
  }
}

/**
 * Tries again only after what surely was not processed.
 * @param deadline on the monotonic clock, in ms; no request starts later
 * @param whileWaiting called at least once a minute between two tries
 * @returns the reply, or the failure after which it is unknown whether the service processed the request
 * @throws {ServiceError | Cancelled} when it surely was not processed
 */
export async function retrySend<T extends object>(
  deps: RetryDeps,
  deadline: number,
  send: (signal: AbortSignal) => Promise<T>,
  whileWaiting: () => Promise<void> = async () => {},
): Promise<T | { readonly unknown: Failure }> {
  for (let tries = 1; ; tries++) {
    throwIfCancelled(deps.cancellation)
    try {
      return await send(deps.cancellation.sendingEnds)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const { failure, fate, message: sentence } = error
      if (fate === 'open') return { unknown: failure }
      const askedMs = askedMsOf(failure)
      const isOpenLimit = fate === 'limited' && askedMs === undefined
      const pauseMs = Math.max(askedMs ?? 0, pauseAfter(tries, SEND_BACKOFF, deps.random))
      if (fate === 'refused') throw error
      const isLate = deps.monotonic() + pauseMs > deadline
      // A service that says when to come back limits the rate, whatever the status.
      if (isLate && askedMs !== undefined)
        throw new ServiceError(failure, { reason: 'rate-limited', fate, sentence })
      if (isLate || (tries >= SEND_TRIES && !isOpenLimit)) throw error
      deps.core.info(`${plainText(withoutRerun(sentence))} The run tries again in ${duration(pauseMs)}.`)
      for (let left = pauseMs; left > 0; left -= MINUTE_MS) {
        await sleepUnlessCancelled(deps, Math.min(left, MINUTE_MS))
        await whileWaiting()
      }
    }
  }
}

export interface ReadOptions {
  /** On the monotonic clock, in ms; without one, only a job that is missing is read again. */
  readonly deadline?: number
  /** The longest pause between two reads, in ms, unless the service asks for a longer one. */
  readonly pollMs?: number
  /** When the wait for this read began, where that was before the call; a read that begins in time is made. */
  readonly began?: number
  /** The job is known to work: a 404 counts only twice in a row, half a minute apart. */
  readonly isKnown?: boolean
  /** Ends a read that gets no answer. */
  readonly signal?: AbortSignal
  /** Waits until that monotonic time. By default, a line a minute says that the run waits. */
  readonly pause?: (until: number) => Promise<void>
}

/** The deadline came before an answer. */
export interface ReadTimeout {
  readonly kind: 'timeout'
  /** Why before the deadline: the service asks for a longer wait; else ''. */
  readonly why: string
  readonly failed: ServiceError | undefined
}

export const isReadTimeout = (answer: object): answer is ReadTimeout =>
  'kind' in answer && answer.kind === 'timeout'

/**
 * Reads again after faults that pass, until the deadline. It does not begin a wait that would pass the deadline.
 * @throws {ServiceError} when another try is of no use
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function retryRead<T extends object>(
  deps: RetryDeps,
  options: ReadOptions,
  read: Reading<T>,
): Promise<T | ReadTimeout> {
  const always = Number.POSITIVE_INFINITY
  const { deadline = always, pollMs = always, isKnown = false, began = deps.monotonic(), signal } = options
  const { pause = polling(deps, { deadline, pollMs, startedAt: began }).pause } = options
  const judge = judgeInARow(isKnown)
  let failed: ServiceError | undefined
  const late = (why = ''): ReadTimeout => ({ kind: 'timeout', why, failed })
  throwIfCancelled(deps.cancellation)
  if (began >= deadline) return late()
  for (let tries = 1; ; tries++) {
    const left = deadline - deps.monotonic()
    const leftMs = left <= 0 ? LAST_READ_MS : left
    const answer = await tryRead(deps, leftMs, signal, read)
    if (!(answer instanceof ServiceError)) return answer
    const isSame = failed?.message === answer.message
    failed = answer
    const now = deps.monotonic()
    const fault = judge(failed, now)
    if (fault === 'final' || (fault === 'passing' && deadline === always)) throw failed
    if (left <= 0) return late()
    const askedMs = askedMsOf(failed.failure) ?? 0
    if (askedMs > 0 && now + askedMs > deadline)
      return late(`The service says to retry in ${duration(askedMs)}.`)
    // Back off even on `Retry-After: 0`, to avoid a tight loop.
    const backoffMs = Math.max(askedMs, Math.min(pollMs, pauseAfter(tries, READ_BACKOFF, deps.random)))
    // The read itself may have taken until the deadline.
    const pauseMs = Math.max(0, Math.min(fault === 'missing' ? MISSING_MS : backoffMs, deadline - now))
    const why = isSame ? 'The same again.' : plainText(withoutRerun(failed.message))
    deps.core.info(`${why} The run tries again in ${duration(pauseMs)}.`)
    await pause(now + pauseMs)
  }
}

type Reading<T> = (leftMs: number, signal: AbortSignal) => Promise<T>

/** @returns the failure in the place of an answer */
async function tryRead<T extends object>(
  { cancellation }: Pick<RetryDeps, 'cancellation'>,
  leftMs: number,
  signal: AbortSignal | undefined,
  read: Reading<T>,
): Promise<T | ServiceError> {
  const { requested } = cancellation
  throwIfCancelled(cancellation)
  try {
    const answer = await read(leftMs, signal === undefined ? requested : AbortSignal.any([requested, signal]))
    throwIfCancelled(cancellation)
    return answer
  } catch (error) {
    throwIfCancelled(cancellation)
    if (error instanceof ServiceError) return error
    throw error
  }
}

/** `final`: another try is of no use. `missing`: a job that is known to work may be there half a minute later. */
type Fault = 'passing' | 'missing' | 'final'

/** Judges the failures of one read, each by those before it. @param isKnown as in `ReadOptions` */
function judgeInARow(isKnown: boolean): (failed: ServiceError, now: number) => Fault {
  let unreadable = 0
  /** When the first answer of another server came; only one of the service's own ends that. */
  let foreignSince: number | undefined
  /** When the first of the 404s in a row came. */
  let missingSince: number | undefined
  return ({ reason, failure, fate }, now) => {
    unreadable = reason === 'bad-response' ? unreadable + 1 : 0
    if (isForeign(failure)) foreignSince ??= now
    else if (isOwn(failure)) foreignSince = undefined
    missingSince = reason === 'job-not-found' ? (missingSince ?? now) : undefined
    if (isKnown && missingSince !== undefined && now - missingSince < MISSING_MS) return 'missing'
    if (unreadable >= UNREADABLE_TRIES) return 'final'
    if (isForeign(failure)) return now - (foreignSince ?? now) < FOREIGN_MS ? 'passing' : 'final'
    return fate === 'refused' ? 'final' : 'passing'
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
 * For what is read again and again: its status is logged at each change and once a minute.
 * @param label before each status: what it is the status of
 */
export function polling(
  deps: RetryDeps,
  { deadline, pollMs, startedAt }: WaitOptions,
  isKnown: (status: string) => boolean = () => true,
  label = '',
) {
  const from = deps.monotonic()
  let shown: string | undefined
  let lastLine = from
  const line = (note = '') => {
    lastLine = deps.monotonic()
    const status = shown === undefined ? 'waiting for the service' : shown || 'no status'
    deps.core.info(`  ${clock(lastLine - startedAt).padStart(5)}  ${label}${status}${note}`)
  }
  const pause = async (until: number): Promise<void> => {
    for (let now = deps.monotonic(); now < until; now = deps.monotonic()) {
      if (now >= lastLine + MINUTE_MS) line()
      await sleepUnlessCancelled(deps, Math.min(until, lastLine + MINUTE_MS) - now)
    }
    if (deps.monotonic() >= lastLine + MINUTE_MS) line()
  }
  /** In ms: 2 s and a tenth of the time already waited, varied by a tenth at random. */
  const pauseMs = (waitedMs: number): number =>
    Math.min(pollMs, Math.min(pollMs, 2000 + waitedMs * 0.1) * (0.9 + 0.2 * deps.random()))
  return {
    pause,
    pauseMs,
    log(status: string): void {
      if (status === shown) return
      shown = status
      line(isKnown(shown) ? '' : ' (this version does not know the status, and keeps waiting)')
    },
    /** At most until the deadline. */
    pauseUntil: (until: number): Promise<void> => pause(Math.min(deadline, until)),
    /** Pauses before the next read. @returns how `retryRead` makes it */
    async next(): Promise<ReadOptions> {
      const began = deps.monotonic()
      await pause(Math.min(deadline, began + pauseMs(began - from)))
      return { deadline, pollMs, began, isKnown: true, pause }
    },
  }
}
