import type { ChecksStatus } from './record.ts'

/** `person`: a person has to act first. `open`: it ended without saying whether the commit is good. */
export type CheckResult = 'running' | 'passed' | 'failed' | 'person' | 'open'

/** A check run or a commit status, as far as people read of it. */
export interface Check {
  readonly name: string
  /** A URL that is safe to show (contract 2.2), or ''. */
  readonly url: string
  readonly result: CheckResult
}

export interface ChecksReport {
  readonly status: ChecksStatus
  /** Undefined once the run does nothing more about them. */
  readonly phase?: 'reading' | 'fixing' | undefined
  /** As last read; none where the run could not read them to the end. */
  readonly checks: readonly Check[]
  /** How often failures may have gone back. */
  readonly fixes: number
  /** Names of the failures that went back, as far as this step knows. */
  readonly sentBack: readonly string[]
  /** A preview that did not build went back, as far as this step knows. */
  readonly isPreviewSentBack?: boolean
}

/** https://docs.github.com/rest/checks/runs; what is not here ends without a verdict, such as `cancelled`. */
const CONCLUSIONS: ReadonlyMap<string, CheckResult> = new Map([
  ['success', 'passed'],
  ['neutral', 'passed'],
  ['skipped', 'passed'],
  ['failure', 'failed'],
  ['timed_out', 'failed'],
  ['startup_failure', 'failed'],
  ['action_required', 'person'],
])

/** A job that `waiting` is for the protection rules of its environment, such as the approval of a person. */
export function resultOfRun(run: { readonly status: string; readonly conclusion: string }): CheckResult {
  if (run.status === 'waiting') return 'person'
  return run.status === 'completed' ? (CONCLUSIONS.get(run.conclusion) ?? 'open') : 'running'
}

/** https://docs.github.com/rest/commits/statuses; Gitea has `warning` and `skipped` as well. */
const STATES: ReadonlyMap<string, CheckResult> = new Map([
  ['pending', 'running'],
  ['success', 'passed'],
  ['warning', 'passed'],
  ['skipped', 'passed'],
  ['failure', 'failed'],
  ['error', 'failed'],
])

export const resultOfStatus = ({ state }: { readonly state: string }): CheckResult =>
  STATES.get(state) ?? 'open'

export const withResult = ({ checks }: Pick<ChecksReport, 'checks'>, result: CheckResult): readonly Check[] =>
  checks.filter((check) => check.result === result)

export function statusOf(checks: readonly Check[]): ChecksStatus {
  const results = new Set(checks.map(({ result }) => result))
  if (results.has('failed')) return 'failure'
  if (results.size === 0) return 'none'
  return results.size === 1 && results.has('passed') ? 'success' : 'pending'
}
