import type { ChecksStatus } from './check-state.ts'

/** `no-verdict`: it ended without saying whether the commit is good. */
export type CheckResult = 'running' | 'passed' | 'failed' | 'needs-approval' | 'queued-behind' | 'no-verdict'

/** A check run or a commit status, as far as people read of it. */
export interface Check {
  readonly name: string
  /** A URL that is safe to show (contract 2.2), or ''. */
  readonly url: string
  readonly result: CheckResult
  /** It fails at the head of the base branch as well. */
  readonly failsOnBase?: boolean
}

/** How a head of the pull request stands. */
export interface HeadChecks {
  readonly checks: readonly Check[]
  /** The base branch that it conflicts with; '' for none. */
  readonly conflictsWith: string
  /** Its workflows wait for an approval: the forge lists no check of them. */
  readonly isParked: boolean
  /** It got no check although an earlier head had some. */
  readonly lacksChecks?: boolean
  /** The checks that still run may never end. */
  readonly isStalled?: boolean
}

export interface ChecksReport extends HeadChecks {
  readonly status: ChecksStatus
  /** Undefined once the run does nothing more about them. */
  readonly phase?: 'reading' | 'fixing' | undefined
  /** How often failures may have gone back. */
  readonly fixes: number
  /** Names of the failures that went back, as far as this step knows. */
  readonly sentBack: readonly string[]
  /** The person whose later request follows the checks: '' for no person, undefined if this request follows them. */
  readonly followedBy?: string | undefined
  /** A preview that did not build went back, as far as this step knows. */
  readonly isPreviewSentBack?: boolean
}

/** Nothing of the head is known. */
export const UNREAD: HeadChecks = { checks: [], conflictsWith: '', isParked: false }

export const withResult = ({ checks }: Pick<HeadChecks, 'checks'>, result: CheckResult): readonly Check[] =>
  checks.filter((check) => check.result === result)

export function statusOf({ checks, conflictsWith, isParked, lacksChecks }: HeadChecks): ChecksStatus {
  const results = new Set(checks.map(({ result }) => result))
  if (results.has('failed') || conflictsWith !== '') return 'failure'
  if (isParked) return 'pending'
  if (results.size === 0) return lacksChecks === true ? 'pending' : 'none'
  return results.size === 1 && results.has('passed') ? 'success' : 'pending'
}
