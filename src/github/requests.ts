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
  type TimeLimits,
  verdictOf,
} from '../http/failure.ts'
import { TransportError } from '../http/fetch.ts'
import { asArray, asObject, asString, isObject, type JsonObject } from '../json.ts'
import { oneLine } from '../text.ts'
import type { Octokit } from './octokit.ts'
import { FailedTry, type Pacer } from './pacing.ts'

export type RequestDeps = Omit<Deps, 'core'>

/** After the runner asked the step to stop, seconds are left. */
const HASTY_PAUSE_MS = 500

/** A page of a list that can be asked for in smaller ones, and that took too long. It is not tried again. */
export class SlowPage extends Error {
  override readonly name = 'SlowPage'
}

/** GitHub ends its own work after ten seconds, and the requests of the action end then, too. */
const SLOW_MS = 9000

/** A second comment or issue is visible to people, so `createOnce` looks for the first one before it tries again. */
const CREATES = /\/(comments|issues)$/
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
 * @returns the same for what is looked for before it is tried again
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
          return checked(await request(options), url)
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
        // What another request met is no failure of this one.
        if (askedMs !== undefined) forgivenMs = wasSent ? forgivenMs || askedMs : forgivenMs + askedMs
        const pauseMs = askedMs === undefined ? Math.min(left, backoffMs) : Math.max(askedMs, backoffMs)
        await deps.sleep(pauseMs, requested.aborted ? everythingEnds : requested).catch(() => undefined)
      }
    }
  }
}

class Unreadable extends Error {}

/** octokit takes an answer that is no JSON for a text, and an unread thread must not look like an empty one. */
function checked<T extends { readonly status: number; readonly data: unknown }>(answer: T, url: string): T {
  const { status, data } = answer
  const isJson = typeof data === 'object' && data !== null && !(data instanceof ArrayBuffer)
  if (isJson || (status !== 200 && status !== 201) || RENDERS.test(url)) return answer
  throw new Unreadable('one that is no JSON')
}

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
  const detail = oneLine(saidIn(asObject(response.data)) || messageOf(error), 150)
  const isSpent = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'
  const isLimited = status === 429 || (status === 403 && (isSpent || LIMIT.test(detail)))
  const asked = isLimited || headers.has('retry-after') ? retryAfterMs(headers, now) : undefined
  return { kind: 'status', status, detail, retryAfterMs: asked, isLimit: isLimited }
}

/** GitHub's "Validation Failed" says what failed in its list of errors: texts, or objects that may have one. */
function saidIn({ message, errors }: JsonObject): string {
  const faults = asArray(errors).map((fault) => {
    const { message: text, resource, field, code } = asObject(fault)
    return (
      asString(fault) || asString(text) || [resource, field, code].map(asString).filter(Boolean).join(' ')
    )
  })
  return [asString(message), faults.filter(Boolean).join(', ')].filter(Boolean).join(': ')
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
  return new ForgeError({ kind, httpStatus, said: cause.message, triedMs, limitedUntil }, { cause })
}
