import type { Job } from '../request/job.ts'
import type { Ending } from '../request/outcome.ts'

/** How a run ends without the agent. */
export interface Answer {
  readonly end: Ending
  /** A job that it shows although the request did not go to it. */
  readonly job?: Job
  /** Of the comment that answers, where that is not the one of the request. */
  readonly answerUrl?: string
}
