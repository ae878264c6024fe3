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
import { type Next, tryAgain } from '../http/retry.ts'
import { asArray, asObject, asString, isObject, type JsonObject } from '../json.ts'
import { oneLine } from '../text.ts'
import type { Octokit } from './octokit.ts'
import { costOf, NotSent, type Pacer } from './pacing.ts'

export type RequestDeps = Omit<Deps, 'core'>

/** After the runner asked the step to stop, seconds are left. */
const HASTY_PAUSE_MS = 500

class FailedTry extends Error {
  override readonly name = 'FailedTry'
  readonly failure: Failure
  /** For its turn among the requests of this process, in ms. */
  readonly queuedMs: number
  readonly wasSent: boolean

  constructor(failure: Failure, queuedMs: number, cause: unknown) {
    super(saidBy(failure), { cause })
    this.failure = failure
    this.queuedMs = queuedMs
    this.wasSent = !(cause instanceof NotSent)
  }
}

const saidBy = (failure: Failure): string =>
  failure.kind === 'transport' ? failure.error.message : failure.detail

/** A page of a list that can be asked for in smaller ones, and that took too long. It is not tried again. */
export class SlowPage extends Error {
  override readonly name = 'SlowPage'
}

/** GitHub ends its own work after ten seconds, and the requests of the action end then, too. */
const SLOW_MS = 9000

/** A second comment or issue is visible to people, so `createOnce` looks for the first one before it tries again. */
const CREATES = /\/(comments|issues)$/
const RENDERS = /\/markdown$/

export type Persist = <T>(
  call: CallKind,
  attempt: () => Promise<T>,
  findEarlier?: () => Promise<T | undefined>,
) => Promise<T>

/**
 * Makes every request of this octokit try again as `http/failure.ts` says, and paces them, through the hook that
 * `@octokit/plugin-retry` uses. That plugin and `@octokit/plugin-throttling` wait inside Bottleneck, which reads the
 * clock and the timers of the process, so neither can run on the clock that tests hand in.
 * @returns the same for what is looked for before it is tried again
 */
export function persistRequests(
  octokit: Octokit,
  deps: RequestDeps,
  limits: TimeLimits,
  pacer: Pacer,
): Persist {
  const persist = persistence(deps, limits)
  octokit.hook.wrap('request', async (request, options) => {
    const { method, url } = options
    const isLargePage: boolean = options.request?.isLargePage === true
    const attempt = async () => {
      const queuedAt = deps.monotonic()
      try {
        return await pacer.inTurn(costOf(method, url), limits.until, async () => {
          const sentAt = deps.monotonic()
          try {
            return checked(await request(options), url)
          } catch (error) {
            const failure = failureOf(error, deps.now())
            const isSlow = deps.monotonic() - sentAt >= SLOW_MS && verdictOf('forge', failure) === 'retry'
            if (isLimit(failure)) pacer.hold(failure)
            else if (isLargePage && isSlow) throw new SlowPage(saidBy(failure), { cause: error })
            throw new FailedTry(failure, sentAt - queuedAt, error)
          }
        })
      } catch (error) {
        if (!(error instanceof NotSent)) throw error
        throw new FailedTry(error.failure, deps.monotonic() - queuedAt, error)
      }
    }
    return await (method === 'POST' && CREATES.test(url) ? attempt() : persist('forge', attempt))
  })
  return persist
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

function persistence(deps: RequestDeps, { failingMs, mostMs, until }: TimeLimits): Persist {
  return async (call, attempt, findEarlier) => {
    const since = deps.monotonic()
    let [limitsMet, queuedMs, forgivenMs, mayBeThere] = [0, 0, 0, false]
    const { requested, everythingEnds } = deps.cancellation

    const follow = (error: unknown, tries: number): Next<never> => {
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
      const giveUp = () => forgeError(error, now - since, deps.now())
      if (verdict === 'end' || left <= 0 || everythingEnds.aborted) throw giveUp()
      // An answer can be lost, and its write take effect long after: from now on each try looks first.
      mayBeThere ||= verdict === 'look'
      const backoffMs = requested.aborted ? HASTY_PAUSE_MS : pauseAfter(tries, FORGE_BACKOFF, deps.random)
      if (askedMs === undefined) return { pauseMs: Math.min(left, backoffMs) }
      if (now + askedMs > end) throw giveUp()
      // What another request met is no failure of this one.
      forgivenMs = wasSent ? forgivenMs || askedMs : forgivenMs + askedMs
      return { pauseMs: Math.max(askedMs, backoffMs) }
    }

    const attemptOrFind = async () => (mayBeThere ? await findEarlier?.() : undefined) ?? (await attempt())
    return await tryAgain(attemptOrFind, follow, async (ms) => {
      const pausing = requested.aborted ? everythingEnds : requested
      await deps.sleep(ms, pausing).catch(() => undefined)
    })
  }
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
  return new ForgeError({ kind, httpStatus, said: saidBy(failure), triedMs, limitedUntil }, { cause })
}
