import { code } from '../text.ts'
import type { TransportError, TransportKind } from './fetch.ts'

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

/**
 * - `send`: create and message of the service, which have no idempotency key and cannot be looked for (4.3);
 * - `read`: what the service tells (4.4);
 * - `forge`: on GitHub, reads and the writes that change nothing when they come twice (5.7);
 * - `create`: comments and issues on GitHub. People see a second one, and the first one can be looked for.
 */
const CALL_KINDS = ['send', 'read', 'forge', 'create'] as const
export type CallKind = (typeof CALL_KINDS)[number]

/** `find`: try again if the result of this try cannot be found; `unknown`: end, and the server may have acted. */
type TryVerdict = 'retry' | 'find' | 'end' | 'unknown'

type Rule = readonly [
  applies: (failure: Failure) => boolean,
  send: TryVerdict,
  read: TryVerdict,
  forge: TryVerdict,
  create: TryVerdict,
]

const transport =
  (...kinds: readonly TransportKind[]) =>
  (failure: Failure): boolean =>
    failure.kind === 'transport' && kinds.includes(failure.error.kind)

const status =
  (test: (status: number, retryAfterMs: number | undefined) => boolean) =>
  (failure: Failure): boolean =>
    failure.kind === 'status' && test(failure.status, failure.retryAfterMs)

export const isLimit = (failure: Failure): failure is StatusFailure =>
  failure.kind === 'status' && (failure.status === 429 || failure.isLimit === true)

/** The first rule that applies counts; what no rule names ends the request. GitHub may act on what it answers 5xx. */
const RULES: readonly Rule[] = [
  [transport('unsent'), 'retry', 'retry', 'retry', 'retry'],
  [transport('certificate', 'redirect', 'unusable'), 'end', 'end', 'end', 'end'],
  [transport('cancelled'), 'unknown', 'retry', 'end', 'end'],
  [transport('too-large'), 'unknown', 'retry', 'end', 'find'],
  [transport('timeout', 'broken'), 'unknown', 'retry', 'retry', 'find'],
  [({ kind }) => kind === 'unreadable', 'unknown', 'retry', 'retry', 'find'],
  [(failure) => failure.kind === 'status' && failure.isForeign === true, 'end', 'retry', 'end', 'end'],
  [isLimit, 'retry', 'retry', 'retry', 'retry'],
  [status((code, wait) => code === 503 && wait !== undefined), 'retry', 'retry', 'retry', 'find'],
  [status((code) => code >= 500), 'unknown', 'retry', 'retry', 'find'],
  [status((code) => code === 408), 'end', 'retry', 'retry', 'find'],
]

export function verdictOf(call: CallKind, failure: Failure): TryVerdict {
  const [, ...verdicts] = RULES.find(([applies]) => applies(failure)) ?? []
  return verdicts[CALL_KINDS.indexOf(call)] ?? 'end'
}

/** In ms: the first pause, doubled each time, up to the longest; up to `jitter` of it at random. */
interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
  readonly jitter: number
}

export const SERVICE_BACKOFF: Backoff = { firstMs: 900, longestMs: 27_000, jitter: 2 / 9 }
/** The service's limit is one of an hour (4.3). */
export const LIMIT_BACKOFF: Backoff = { ...SERVICE_BACKOFF, longestMs: 49_000 }
export const FORGE_BACKOFF: Backoff = { firstMs: 500, longestMs: 8000, jitter: 1 }
/**
 * Where a secondary limit of GitHub names no time: "wait for at least one minute", and longer each time.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export const SECONDARY_LIMIT_BACKOFF: Backoff = { firstMs: 60_000, longestMs: 900_000, jitter: 0.1 }

/** @param n counted from 1 */
export const pauseAfter = (
  n: number,
  { firstMs, longestMs, jitter }: Backoff,
  random: () => number,
): number => Math.min(longestMs, firstMs * 2 ** (n - 1)) * (1 + jitter * random())

export const SEND_TRIES = 5

/** A body that is no job is a mistake of the service, no passing fault (4.4). */
export const UNREADABLE_TRIES = 3

/** How long a request to GitHub is tried again, in ms. */
export interface TimeLimits {
  /** While it fails; the first pause that a limit asks for does not count. */
  readonly failingMs: number
  /** In all; a limit that asks for a pause beyond it ends the request. */
  readonly mostMs: number
  /** No try starts later, on the monotonic clock. */
  readonly until: number
}

const ALWAYS = Number.POSITIVE_INFINITY

/** Before the agent is asked (contract 5.7). */
export const beforeAsking = (timeoutMs: number): TimeLimits => ({
  failingMs: 30_000,
  mostMs: timeoutMs / 3,
  until: ALWAYS,
})

/** For what reports the end (contract 5.7): two minutes, and a limit of a quarter of an hour. */
export const whileReporting = (until = ALWAYS): TimeLimits => ({
  failingMs: 120_000,
  mostMs: 17 * 60_000,
  until,
})

/** For what the thread learns while the job works: this leaves time to read the job. @param leftMs to the deadline */
export const whileWaiting = (leftMs: number): TimeLimits => ({
  failingMs: Math.min(120_000, leftMs / 3),
  mostMs: leftMs / 3,
  until: ALWAYS,
})

/** For a step that has to stop, and for a look that the run can do without. */
export const briefly = (): TimeLimits => ({ failingMs: 15_000, mostMs: 20_000, until: ALWAYS })

/** For what a note in the prompt replaces if it cannot be read: if GitHub takes ten seconds to answer, two tries. */
export const forContext = (): TimeLimits => ({ failingMs: 15_000, mostMs: 120_000, until: ALWAYS })

export const NO_MORE: TimeLimits = { failingMs: 0, mostMs: 0, until: 0 }
