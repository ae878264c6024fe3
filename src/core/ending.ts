import type { Job } from './job.ts'
import type { JobAction, Outcome, Reason } from './outcome.ts'

/** How a run ended, with all that its comment, summary, annotation, log and outputs say of it. */
export interface Ending {
  readonly outcome: Outcome
  readonly reason: Reason
  /** For `error` and some `skipped`: what failed, why, and what to do; at most three sentences, inline Markdown. */
  readonly message: string
  /** A sentence about the way there, such as why a new job was started; '' for none. */
  readonly note: string
  readonly job: Job | undefined
  readonly jobAction: JobAction
  /** The job was sent the request as a message, now or by an earlier attempt. */
  readonly followUp: boolean
  /** Login of the person to address, '' for nobody. */
  readonly asker: string
  /** What was asked, in the words of who asked. */
  readonly instruction: string
  /** What the agent was, or would have been, told; '' when it did not come to that. */
  readonly prompt: string
  /** From the start of the step, in ms. */
  readonly durationMs: number
}

/** The outcome of a job that has ended. */
export function outcomeOf(job: Job): Outcome {
  if (job.status === 'failed') return 'failed'
  if (job.status === 'archived') return 'archived'
  return job.prLink === '' ? 'no-pull-request' : 'pull-request'
}
