import { ActionError } from '../errors.ts'
import { parseJson } from '../json.ts'
import type { ErrorReason } from '../request/outcome.ts'
import { code, oneLine, redact, redactJson } from '../text.ts'
import type { HttpAnswer, TransportError } from './fetch.ts'

/** What came back instead of the answer that was asked for. */
export type Failure =
  | { readonly kind: 'transport'; readonly error: TransportError }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly detail: string
      readonly retryAfterMs: number | undefined
    }
  | { readonly kind: 'unreadable'; readonly detail: string }

/** A request to the service that failed, with what is known of why. */
export class ServiceError extends ActionError {
  readonly failure: Failure

  constructor(failure: Failure, sentence: string, reason = reasonOf(failure)) {
    super(reason, sentence, failure.kind === 'transport' ? { cause: failure.error } : undefined)
    this.failure = failure
  }
}

/** Contract 2, "Reasons of `error`". Every status that is not listed goes by its hundred. */
const STATUS_REASONS: Readonly<Record<number, ErrorReason>> = {
  401: 'unauthorized',
  402: 'payment-required',
  403: 'forbidden',
  404: 'job-not-found',
  429: 'rate-limited',
}

export function reasonOf(failure: Failure): ErrorReason {
  if (failure.kind === 'transport') return failure.error.kind === 'too-large' ? 'bad-response' : 'network'
  if (failure.kind === 'unreadable') return 'bad-response'
  const { status } = failure
  return (
    STATUS_REASONS[status] ??
    (status >= 500 ? 'service-unavailable' : status >= 400 ? 'rejected' : 'bad-response')
  )
}

/**
 * How long the server asks us to wait, in ms from `now`, or undefined when it does not say. `Retry-After` as seconds
 * or as a date (RFC 9110, 10.2.3); without it, the reset time of a spent `X-RateLimit-*` budget (epoch seconds).
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after') ?? ''
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1000
  const date = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(date)) return Math.max(0, date - now)
  const reset = headers.get('x-ratelimit-reset') ?? ''
  if (headers.get('x-ratelimit-remaining') === '0' && /^\d{9,11}$/.test(reset)) {
    return Math.max(0, Number(reset) * 1000 - now)
  }
  return undefined
}

/** All three forms start with the day's name and hold the time; `Date.parse` alone would take "-1" for a year. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/

/** The failure that an answer other than 2xx stands for. */
export function statusFailure(answer: HttpAnswer, now: number, secrets: readonly string[]): Failure {
  // A spent budget explains a 429; a 503 that says nothing itself stays one that leaves everything open (4.3).
  const limited = answer.status === 429 || answer.headers.has('retry-after')
  return {
    kind: 'status',
    status: answer.status,
    detail: detailOf(answer, secrets),
    retryAfterMs: limited ? retryAfterMs(answer.headers, now) : undefined,
  }
}

/**
 * What the body says, as one short line: `error` and the `details` of a JSON body, else plain text. A page of HTML
 * says nothing that helps. The service may echo what it was sent, so the secrets go.
 */
function detailOf(answer: HttpAnswer, secrets: readonly string[]): string {
  const text = secrets.reduce(redactJson, answer.text)
  if (/^\s*</.test(text)) return ''
  const value = parseJson(text)
  const said = value === undefined ? text : messages(value).join('; ')
  return oneLine(redact(said, secrets), 200)
}

/** The strings under `error`, `message` and `details`, wherever the shapes seen so far put them. */
function messages(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (depth > 3) return []
  if (Array.isArray(value)) return value.slice(0, 3).flatMap((item) => messages(item, depth + 1))
  if (typeof value !== 'object' || value === null) return []
  const { error, message, details } = value as Record<string, unknown>
  return [error, message, details].flatMap((part) => messages(part, depth + 1))
}

/** `401: Invalid key`, `connection refused`, … for the middle of a sentence. */
export function describeFailure(failure: Failure): string {
  if (failure.kind === 'transport') return failure.error.message
  if (failure.kind === 'unreadable') return failure.detail
  return failure.detail === ''
    ? `HTTP ${failure.status}`
    : `HTTP ${failure.status}: ${code(failure.detail, 200)}`
}
