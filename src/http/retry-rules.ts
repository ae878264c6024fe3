import type { Failure } from './service-error.ts'

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
  { applies: transport('timeout', 'broken', 'cancelled'), send: 'unknown', read: 'retry' },
  { applies: transport('too-large'), send: 'unknown', read: 'retry' },
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
export const SEND_TRIES = 5

/** Reads in a row that may answer with something that is no job (contract 4.4). */
export const UNREADABLE_TRIES = 3

/** Answers that look like a mistake of the service rather than a passing fault. */
export const isUnreadable = (failure: Failure): boolean =>
  failure.kind === 'unreadable' || (failure.kind === 'transport' && failure.error.kind === 'too-large')

/** Pause before try `n` + 1, in ms: 1 s, doubled each time, at most 30 s, varied by a tenth. */
export function backoffMs(n: number, random: () => number): number {
  return Math.min(30_000, 1000 * 2 ** (n - 1)) * (0.9 + 0.2 * random())
}
