import type { Answer } from '../docs-with-code/answer.ts'
import type { Ending } from '../request/outcome.ts'
import type { PlanNote } from '../request/record.ts'

/** What `start` leaves to `settle`, beside the record. */
export type Started = (Answer | Sent | Resumed) & {
  /** As `acknowledge` returns it. */
  readonly eyes?: Promise<readonly number[] | undefined> | undefined
}

/** The run has a prompt for the agent. */
export interface Sent {
  readonly kind: 'sent'
  /** What the agent gets, or would get. */
  readonly prompt: string
  readonly note: PlanNote
  /** Why the agent did not get it, or may not have. */
  readonly end?: Ending
}

/** The record has all else: another process sent the request, or an error cut this one short. */
export interface Resumed {
  readonly kind: 'resumed'
  /** Where it is known before `settle` looks, as where a sweep has read the job. */
  readonly end?: Ending | undefined
}
