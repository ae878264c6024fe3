import type { Ending } from '../request/outcome.ts'
import type { PlanNote } from '../request/record.ts'
import type { Answer } from '../thread/answer.ts'

/** What `start` leaves to `settle`, beside the record. */
export type Started = Answer | Prompted | Recorded

/** The run has a prompt for the agent, whether or not it went out. */
export interface Prompted {
  readonly kind: 'prompted'
  /** What the agent gets, or would get. */
  readonly prompt: string
  readonly note: PlanNote
  /** Why the agent did not get it, or may not have. */
  readonly end?: Ending
}

/** It goes on with the record of another process, or an error cut it short: the record says how far the request came. */
export interface Recorded {
  readonly kind: 'recorded'
  /** Where it is known before `settle` looks, as where a sweep has read the job. */
  readonly end?: Ending | undefined
}
