import type { getOctokit } from '@actions/github'
import pLimit from 'p-limit'
import type { Deps } from '../deps.ts'
import { ForgeError, messageOf } from '../errors.ts'
import {
  askedMsOf,
  type CallKind,
  type Failure,
  FORGE_BACKOFF,
  isLimit,
  pauseAfter,
  retryAfterMs,
  SECONDARY_LIMIT_BACKOFF,
  type StatusFailure,
  type TimeLimits,
  verdictOf,
} from '../http/failure.ts'
import { TransportError } from '../http/fetch.ts'
import { asArray, asObject, asString, isObject } from '../json.ts'
import { joined, oneLine } from '../text.ts'

export type Octokit = ReturnType<typeof getOctokit>

export type RequestDeps = Omit<Deps, 'core'>

/** After the runner asked the step to stop, seconds are left. */
const HASTY_PAUSE_MS = 500

/** A page of a list that can be asked for in smaller ones, and that took too long. It is not tried again. */
export class SlowPage extends Error {
  override readonly name = 'SlowPage'
}

/** GitHub ends its own work after this time, and the requests of the action end then, too. */
export const TIMEOUT_MS = 10_000
/** GitHub ends a list that takes it too long a little earlier. */
const SLOW_MS = TIMEOUT_MS - 1000

/** People would see a second comment, issue or commit status, so each next try looks for the first one before. */
const CREATES = /\/(comments|issues|statuses\/\{sha\})$/
const RENDERS = /\/markdown$/

/** @param findEarlier looks for what a try whose answer was lost may have made: before each next try */
export type Retry = <T>(
  call: CallKind,
  attempt: () => Promise<T>,
  findEarlier?: () => Promise<T | undefined>,
) => Promise<T>

/**
 * Makes every request of this octokit try again as `http/failure.ts` says, and paces them, through the hook that
 * `@octokit/plugin-retry` uses. That plugin repeats a POST after a reset, which makes a second comment; and like
 * `@octokit/plugin-throttling` it waits inside Bottleneck, which reads the clock and the timers of the process, so neither
 * can run on the clock that tests hand in. undici's `RetryAgent` cuts `Retry-After` to 30 s.
 * @returns the same tries for a call that first looks for what an earlier try made
 */
export function retryRequests(octokit: Octokit, deps: RequestDeps, limits: TimeLimits, pacer: Pacer): Retry {
  const retry = retryWithin(limits, deps)
  octokit.hook.wrap('request', async (request, options) => {
    const { method, url } = options
    const isLargePage: boolean = options.request?.isLargePage === true
    const attempt = () =>
      pacer.inTurn(options, limits.until, async (queuedMs) => {
        const sentAt = deps.monotonic()
        try {
          const answer = await request(options)
          const { status, data } = answer
          // octokit takes an answer that is no JSON for a text, and an unread thread must not look like an empty one.
          const isJson = typeof data === 'object' && data !== null && !(data instanceof ArrayBuffer)
          if (isJson || (status !== 200 && status !== 201) || RENDERS.test(url)) return answer
          throw new Unreadable('one that is no JSON')
        } catch (error) {
          const failure = failureOf(error, deps.now())
          const isSlow = deps.monotonic() - sentAt >= SLOW_MS && verdictOf('forge', failure) === 'retry'
          if (isLimit(failure)) pacer.hold(failure)
          else if (isLargePage && isSlow) throw new SlowPage('', { cause: error })
          throw new FailedTry(failure, queuedMs, { cause: error })
        }
      })
    return await (method === 'POST' && CREATES.test(url) ? attempt() : retry('forge', attempt))
  })
  return retry
}

function retryWithin({ failingMs, mostMs, until }: TimeLimits, deps: RequestDeps): Retry {
  const { requested, everythingEnds } = deps.cancellation
  return async (call, attempt, findEarlier) => {
    const since = deps.monotonic()
    let [limitsMet, queuedMs, forgivenMs, mayBeThere] = [0, 0, 0, false]
    for (let tries = 1; ; tries++) {
      try {
        return (mayBeThere ? await findEarlier?.() : undefined) ?? (await attempt())
      } catch (error) {
        if (!(error instanceof FailedTry)) throw error
        const { failure, wasSent } = error
        const verdict = verdictOf(call, failure)
        const now = deps.monotonic()
        let askedMs = askedMsOf(failure)
        if (isLimit(failure) && wasSent) {
          limitsMet += 1
          askedMs ??= pauseAfter(limitsMet, SECONDARY_LIMIT_BACKOFF, deps.random)
        }
        queuedMs += error.queuedMs
        const end = Math.min(since + queuedMs + mostMs, until)
        const left = Math.min(since + queuedMs + forgivenMs + failingMs, end) - now
        const isOver = verdict === 'end' || left <= 0 || everythingEnds.aborted
        if (isOver || now + (askedMs ?? 0) > end) throw forgeError(error, now - since, deps.now())
        // An answer can be lost, and its write take effect long after: from now on each try looks first.
        mayBeThere ||= verdict === 'find'
        const backoffMs = requested.aborted ? HASTY_PAUSE_MS : pauseAfter(tries, FORGE_BACKOFF, deps.random)
        // A limit that another request met is no failure of this one.
        if (askedMs !== undefined) forgivenMs = wasSent ? forgivenMs || askedMs : forgivenMs + askedMs
        const pauseMs = askedMs === undefined ? Math.min(left, backoffMs) : Math.max(askedMs, backoffMs)
        await deps.sleep(pauseMs, requested.aborted ? everythingEnds : requested).catch(() => undefined)
      }
    }
  }
}

class Unreadable extends Error {}

/** GitHub's secondary limits have no status of their own. */
const LIMIT = /rate limit|abuse/i

function failureOf(error: unknown, now: number): Failure {
  if (error instanceof Unreadable) return { kind: 'unreadable', detail: error.message }
  const { response, cause } = asObject(error instanceof Error ? { ...error, cause: error.cause } : error)
  if (cause instanceof TransportError) return { kind: 'transport', error: cause }
  if (!isObject(response)) {
    return { kind: 'transport', error: new TransportError('broken', oneLine(messageOf(error), 150)) }
  }
  const status = Number(response.status)
  const headers = new Headers(Object.entries(asObject(response.headers)).map(([k, v]) => [k, String(v)]))
  const { message, errors } = asObject(response.data)
  // GitHub's "Validation Failed" says what failed in its list of errors: texts, or objects that may have one.
  const faults = asArray(errors).map((fault) => {
    const { message: text, resource, field, code } = asObject(fault)
    return (
      asString(fault) || asString(text) || [resource, field, code].map(asString).filter(Boolean).join(' ')
    )
  })
  const said = joined(': ', asString(message), joined(', ', ...faults))
  const detail = oneLine(said || messageOf(error), 150)
  const isSpent = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'
  const isLimited = status === 429 || (status === 403 && (isSpent || LIMIT.test(detail)))
  const asked = isLimited || headers.has('retry-after') ? retryAfterMs(headers, now) : undefined
  return { kind: 'status', status, detail, retryAfterMs: asked, isLimit: isLimited }
}

/** What GitHub refuses stays refused; everything else may pass. */
function forgeError(cause: FailedTry, triedMs: number, now: number): ForgeError {
  const { failure } = cause
  const isRedirect = failure.kind === 'transport' && failure.error.kind === 'redirect'
  const answered = failure.kind === 'unreadable' || isRedirect ? 200 : 0
  const httpStatus = failure.kind === 'status' ? failure.status : answered
  const isRefusal = httpStatus >= 400 && httpStatus < 500 && httpStatus !== 408 && !isLimit(failure)
  const askedMs = isLimit(failure) ? askedMsOf(failure) : undefined
  const kind = isRefusal ? 'refused' : 'away'
  const limitedUntil = askedMs === undefined ? undefined : now + askedMs
  return new ForgeError({ kind, httpStatus, detail: cause.message, triedMs, limitedUntil }, { cause })
}

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

interface Counted extends Cost {
  readonly at: number
}

/** A request that failed, or that was not sent: its turn would come too late, or the forge says that a limit is met. */
class FailedTry extends Error {
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
interface Pacer {
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
      const isRead = method === 'GET' || method === 'HEAD'
      // GitHub does not say which writes create content, so every one that adds or changes something counts.
      const contents = isRead || method === 'DELETE' || RENDERS.test(url) ? 0 : 1
      const cost: Cost = { points: isRead ? 1 : 5, contents }
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
