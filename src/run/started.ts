import type { Denied } from '../messages/phrases.ts'
import type { Job } from '../request/job.ts'
import type { Ending } from '../request/outcome.ts'
import type { PlanNote } from '../request/record.ts'

/** What `start` leaves to `settle`, beside the record. */
export interface Started {
  /** The end, where the process knows it before `settle` looks: the agent was not asked, or a sweep has read the job. */
  readonly end?: Ending | undefined
  /** A job that the answer shows although the request did not go to it. */
  readonly job?: Job | undefined
  readonly denied?: Denied
  /** Of the comment that answers, where that is not the one of the request. */
  readonly answerUrl?: string
  /** What the agent gets, or would get. */
  readonly prompt?: string
  readonly note?: PlanNote
  /** As `acknowledge` returns it. */
  readonly eyes?: Promise<readonly number[] | undefined> | undefined
}

/** A run that ends without the agent. */
export type Unasked = Started & { readonly end: Ending }
