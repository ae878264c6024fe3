export const CHECKS_STATUSES = ['success', 'failure', 'pending', 'none', 'unavailable'] as const
export type ChecksStatus = (typeof CHECKS_STATUSES)[number]

/**
 * `works` ends by itself, `queued` may never begin or end, `no-verdict` ended without saying whether the commit is good, and
 * `fails-on-base` fails at the head of the base branch as well.
 */
export type CheckResult =
  | 'passed'
  | 'failed'
  | 'fails-on-base'
  | 'works'
  | 'queued'
  | 'needs-approval'
  | 'no-verdict'

/** A check run, a commit status, a suite or a conflict, as far as people read of it. */
export interface Check {
  readonly name: string
  /** A URL that is safe to show, or ''. */
  readonly url: string
  readonly result: CheckResult
  /** What only a person can do about it, where that is known; else undefined. */
  readonly needs?: 'resolve-conflict' | 'approve-workflows' | 'approve-deployment' | undefined
}

export interface ChecksReport {
  readonly status: ChecksStatus
  /** `left`: no run waits for them, and the next sweep looks. Undefined once nobody does more about them. */
  readonly phase?: 'reading' | 'fixing' | 'left' | undefined
  /** As last read; empty where nothing is known of the head. */
  readonly checks: readonly Check[]
  /** How often failures may have gone back. */
  readonly fixes: number
  /** It is not known whether the last of them arrived. */
  readonly isLastInDoubt?: boolean
  /** The person whose later request follows the checks: '' for no person, undefined if this request follows them. */
  readonly followedBy?: string | undefined
  /** Why what fails does not go back, in a sentence; '' or undefined for no reason. */
  readonly notSentBack?: string | undefined
}

/** A run is about to do something about them. */
export const isFollowed = ({ phase }: ChecksReport): boolean => phase === 'reading' || phase === 'fixing'

export const isRed = ({ result }: Pick<Check, 'result'>): boolean =>
  result === 'failed' || result === 'fails-on-base'

/** @param checks that have ended, or that are not waited for any longer */
export function statusOf(checks: readonly Check[]): ChecksStatus {
  if (checks.some(isRed)) return 'failure'
  if (checks.length === 0) return 'none'
  return checks.every(({ result }) => result === 'passed') ? 'success' : 'pending'
}

/** A re-run reads the checks again, unless it is known that they pass. */
export const mayChange = (status: ChecksStatus): boolean => status !== 'success'
