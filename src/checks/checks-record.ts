import { samePullRequest } from '../link.ts'
import { type CheckState, NO_CHECKS } from '../request/check-state.ts'
import type { Job } from '../request/job.ts'
import type { Reported } from '../request/record.ts'
import type { Request } from '../thread/request.ts'

// What the record says while a run follows the checks of the job's pull request (contract 4.12).

export function reportedOf({ state }: Request): Reported & { readonly checks: CheckState } {
  if (state.state !== 'reported') throw new Error(`checks are not followed in the state ${state.state}`)
  return { ...state, checks: state.checks ?? NO_CHECKS }
}

export function noteChecks(request: Request, change: Partial<CheckState>): void {
  request.apply({ type: 'check', checks: { ...reportedOf(request).checks, ...change } })
}

/** The pull request stays the job's, even where its last turn names none. */
export function noteJob(request: Request, job: Job): void {
  const { prLink } = reportedOf(request).job
  request.apply({ type: 'read', job: job.prLink === '' ? { ...job, prLink } : job })
  if (job.prLink === '' || job.prLink === prLink) return
  // The turn answers with another pull request. Another thread may have done some of it there.
  for (const part of ['link', 'reviewers', 'labels'] as const) {
    request.apply({ type: 'reopen', part })
    request.noteMaybeDone(part)
  }
}

/** A head of the pull request had a check, as far as this run and the records of the thread know. */
export function hadChecks(request: Request, serverUrl: string): boolean {
  const { checks, job } = reportedOf(request)
  if (checks.hadAny === true) return true
  const { ownComments = [], others = [] } = request.history ?? {}
  return [...ownComments, ...others].some(
    ({ record }) =>
      record.state === 'reported' &&
      samePullRequest(record.job.prLink, job.prLink, serverUrl) &&
      (record.checks?.hadAny === true || record.checks?.status === 'success'),
  )
}

/** Failures of the commit may go back to the agent: none of them did, and attempts are left. */
export function mayGoBack(request: Request, sha: string, fixAttempts: number): boolean {
  const { sentFor } = reportedOf(request).checks
  return sentFor.length < fixAttempts && !sentFor.includes(sha)
}
