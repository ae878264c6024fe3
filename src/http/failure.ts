import { codeSpan } from '../base/text.ts'
import type { TransportError } from './fetch.ts'

export type Failure =
  | {
      readonly kind: 'transport'
      readonly error: TransportError
      /** 200 to 299: it was read, and the body of the answer was lost. */
      readonly status?: number
    }
  | {
      readonly kind: 'status'
      readonly status: number
      /** What the body says, as one short line; '' where it says nothing that helps, and where it was lost. */
      readonly detail: string
      readonly retryAfterMs: number | undefined
      /** A limit of the rate, whatever its status: GitHub's secondary limits answer 403. */
      readonly isLimit?: boolean
      /** An error in the shape that the service documents. */
      readonly isOwn?: boolean
      /** A page of HTML. */
      readonly isPage?: boolean
      /** The body was lost, and with it whose answer it is. */
      readonly isCut?: boolean
      /** Of a redirect: the address, without its query; '' for none. */
      readonly location?: string
    }
  | { readonly kind: 'unreadable'; readonly detail: string; readonly isOwn?: boolean }

export const isTooLarge = (failure: Failure): boolean =>
  failure.kind === 'transport' && failure.error.kind === 'too-large'

export const isOwn = (failure: Failure): boolean => failure.kind !== 'transport' && failure.isOwn === true

/** A firewall or a login may have sent it in the place of the service, so it says nothing about a job or a key. */
export const isForeign = (failure: Failure): boolean =>
  failure.kind !== 'transport' &&
  failure.isOwn !== true &&
  (failure.kind === 'unreadable' || (fateOf(failure) === 'refused' && !countsCut(failure)))

/** The status of an answer whose body was lost counts, but a 404 alone ends no job, and a 407 is a proxy's. */
const countsCut = ({ status, isPage, isCut }: Extract<Failure, { kind: 'status' }>): boolean =>
  isCut === true && isPage !== true && status >= 400 && status !== 404 && status !== 407

export const askedMsOf = (failure: Failure): number | undefined =>
  failure.kind === 'status' ? failure.retryAfterMs : undefined

/** `HTTP 401: Invalid key`, `connection refused`, … for the middle of a sentence. */
export function describeFailure(failure: Failure): string {
  if (failure.kind === 'transport') return failure.error.message
  if (failure.kind === 'unreadable') return failure.detail
  const { status, detail } = failure
  return detail === '' ? `HTTP ${status}` : `HTTP ${status}: ${codeSpan(detail, 200)}`
}

/**
 * What became of a request that failed: the server surely did not process it and it can be made again (`unsent`,
 * `limited`), another try changes nothing (`refused`), or the server may have acted (`open`).
 */
export type Fate = 'unsent' | 'limited' | 'refused' | 'open'

export function fateOf(failure: Failure): Fate {
  if (failure.kind === 'unreadable') return 'open'
  if (failure.kind === 'transport') return FATES[failure.error.kind]
  const { status, isLimit, retryAfterMs } = failure
  if (status === 429 || isLimit === true || (status === 503 && retryAfterMs !== undefined)) return 'limited'
  return status >= 500 || status === 408 ? 'open' : 'refused'
}

const FATES = {
  unsent: 'unsent',
  unusable: 'refused',
  broken: 'open',
  'too-large': 'open',
  cancelled: 'open',
} as const satisfies Readonly<Record<TransportError['kind'], Fate>>

/**
 * In ms; undefined where the server asks for no wait. `Retry-After` as seconds or as a date (RFC 9110, 10.2.3), else the
 * reset time of a spent `X-RateLimit-*` budget (epoch seconds).
 * @param clock of this machine, for a server that does not tell its own: a runner can be hours ahead or behind
 */
export function retryAfterMs(headers: Headers, clock: number): number | undefined {
  const [, value = ''] = /^[,\s]*(.*)$/.exec(headers.get('retry-after') ?? '') ?? []
  const [, seconds] = /^(\d{1,9}(?:\.\d+)?)\s*(?:,|$)/.exec(value) ?? []
  if (seconds !== undefined) return Number(seconds) * 1000
  const now = dateOf(headers.get('date') ?? '') ?? clock
  const reset = firstOf(headers, 'x-ratelimit-reset')
  const isReset = isSpent(headers) && /^\d{9,11}$/.test(reset)
  const until = dateOf(value) ?? (isReset ? Number(reset) * 1000 : undefined)
  return until === undefined ? undefined : Math.max(0, until - now)
}

/** Whether the budget of `X-RateLimit-*` is used up. */
export const isSpent = (headers: Headers): boolean => firstOf(headers, 'x-ratelimit-remaining') === '0'

/** `fetch` joins a header that comes twice, as when a proxy adds its own, with commas. */
const firstOf = (headers: Headers, name: string): string =>
  (headers.get(name) ?? '')
    .split(',')
    .map((value) => value.trim())
    .find(Boolean) ?? ''

const THROTTLES =
  /\brate[ -]limit(s|ed|ing)?\b|\babuse (detection|rate)\b|\btemporarily blocked from (creating |calling )?\w+|\b(submitted|created|posted) too (quickly|fast)\b|\bthrottled\b|\btoo many requests\b|\bretry your request again later\b/i

/** Whether GitHub limits the rate, which passes, in words alone: its secondary limits have no status of their own, and often no header. */
export const isThrottle = (status: number, detail: string): boolean =>
  status >= 400 && status < 500 && status !== 401 && status !== 404 && THROTTLES.test(detail)

/** In ms since the epoch, of the first one; undefined for what is no date of HTTP: `Date.parse` alone would take "-1" for a year. */
export function dateOf(value: string): number | undefined {
  const [date] = HTTP_DATE.exec(value) ?? []
  if (date === undefined) return undefined
  // All are in GMT (RFC 9110, 5.6.7), but the form of asctime does not say so.
  return Date.parse(date.endsWith('GMT') ? date : `${date} GMT`) || undefined
}

/** The three forms: with the day's name in short, in full, and that of asctime, which puts the year last. */
const HTTP_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})/

/** The first pause, and the longest one, in ms. */
export type Backoff = readonly [firstMs: number, longestMs: number]

/** In ms: doubled each time, and up to two ninths longer at random. @param n counted from 1 */
export const pauseAfter = (n: number, [firstMs, longestMs]: Backoff, random: () => number): number =>
  Math.min(longestMs, firstMs * 2 ** (n - 1)) * (1 + (2 / 9) * random())

/** Of changes that GitHub finds too large, whatever the status: https://github.com/googleapis/repo-automation-bots/issues/4475 */
const TOO_LARGE = /\bdiff is taking too long\b|\btoo many files changed\b/i

/** Whether GitHub may never list the changes: asked again, it says the same. */
export const isUnlistable = ({ detail }: { readonly detail: string }): boolean => TOO_LARGE.test(detail)
