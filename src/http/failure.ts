import { code } from '../text.ts'
import type { TransportError } from './fetch.ts'

export type Failure =
  | { readonly kind: 'transport'; readonly error: TransportError }
  | StatusFailure
  | { readonly kind: 'unreadable'; readonly detail: string }

export interface StatusFailure {
  readonly kind: 'status'
  readonly status: number
  /** What the body says, as one short line; '' where it says nothing that helps. */
  readonly detail: string
  readonly retryAfterMs: number | undefined
  /** A limit of the rate, whatever its status: GitHub's secondary limits answer 403. */
  readonly isLimit?: boolean
  /** The answer of another server, such as the page of a CDN, which says nothing about the job (4.4). */
  readonly isForeign?: boolean
}

export const isTooLarge = (failure: Failure): boolean =>
  failure.kind === 'transport' && failure.error.kind === 'too-large'

export const askedMsOf = (failure: Failure): number | undefined =>
  failure.kind === 'status' ? failure.retryAfterMs : undefined

/** `HTTP 401: Invalid key`, `connection refused`, … for the middle of a sentence. */
export function describeFailure(failure: Failure): string {
  if (failure.kind === 'transport') return failure.error.message
  if (failure.kind === 'unreadable') return failure.detail
  const { status, detail } = failure
  return detail === '' ? `HTTP ${status}` : `HTTP ${status}: ${code(detail, 200)}`
}

/**
 * In ms; undefined where the server asks for no wait. `Retry-After` as seconds or as a date (RFC 9110, 10.2.3), else the
 * reset time of a spent `X-RateLimit-*` budget (epoch seconds).
 * @param clock of this machine, for a server that does not tell its own: a runner can be hours ahead or behind
 */
export function retryAfterMs(headers: Headers, clock: number): number | undefined {
  const value = headers.get('retry-after') ?? ''
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1000
  const now = dateOf(headers.get('date') ?? '') ?? clock
  const date = dateOf(value)
  if (date !== undefined) return Math.max(0, date - now)
  const reset = headers.get('x-ratelimit-reset') ?? ''
  if (headers.get('x-ratelimit-remaining') === '0' && /^\d{9,11}$/.test(reset)) {
    return Math.max(0, Number(reset) * 1000 - now)
  }
  return undefined
}

/** In ms since the epoch; undefined for what is no date of HTTP. */
export function dateOf(value: string): number | undefined {
  const date = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : date
}

/** All three forms start with the day's name and hold the time; `Date.parse` alone would take "-1" for a year. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/
