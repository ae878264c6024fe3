import type { WaitOptions } from '../../http/retry.ts'
import type { ChecksReport } from '../../record/check-results.ts'
import type { Facts } from '../../record/fold.ts'
import type { Job } from '../../record/job.ts'
import type { CheckState } from '../../record/record.ts'
import type { GoingBack } from './may-go-back.ts'

/** What the record says of the job and of the checks of its pull request. */
export interface ChecksRecord {
  readonly job: Job
  readonly checks: CheckState
}

export interface ChecksPolicy extends Pick<GoingBack, 'quota'> {
  readonly waiting: WaitOptions
  /** Undefined for a run that waits. */
  readonly sweep?: ChecksSweep
  /** How often failures may go back to the agent in all, over all attempts. */
  readonly fixAttempts: number
  /** What checks print goes back also from a repository that is not public. */
  readonly checkLogs: boolean
}

/** One look at checks that no run follows. */
export interface ChecksSweep {
  /** Nobody looks again: what is not known by now stays so. */
  readonly isLast: boolean
  /** Why nothing may go back any more, in a sentence; undefined for no reason. @throws {GitHubError} where GitHub does not answer */
  readonly objection: () => Promise<string | undefined>
}

/** `taken`: another process has the request now. `refused`: the thread takes no record. */
export type Saved = 'done' | 'taken' | 'refused'

export interface ChecksTask extends ChecksPolicy {
  readonly record: ChecksRecord
  /** SHA of the head from before the request went to the job as a message; '' for none. */
  readonly headBefore: string
  /** What the thread knows of the job. */
  readonly before: Pick<Facts, 'sentFor'> & { readonly hadChecks: boolean }
  /** Reads what other requests did about the job. @throws {GitHubError} */
  readonly others: GoingBack['others']
  /** Writes the record, and shows how the checks stand. */
  readonly save: (record: ChecksRecord, report: ChecksReport) => Promise<Saved>
}
