import type { Job } from './job.ts'
import { isTerminal } from './outcome.ts'

/** After a message, a terminal status younger than this can be the last turn's. */
const LAST_TURN_MS = 30_000

/** What is known of the turn that a request began, once its job was read. Times in ms, of one clock as far as clocks agree. */
export interface Turn {
  /** Since the job got the request as a message; undefined for the first turn of a new job. */
  readonly sinceMessage: number | undefined
  /** The job worked right before the message: the service may finish that turn first, and then begin this one. */
  readonly wasBusy: boolean
  /** The job was read while it worked, after the message. */
  readonly wasSeenAtWork: boolean
  /** How long ago the first of the readings was that have said ever since that the job ended; 0 for none. */
  readonly endedFor: number
}

/** How long the service may show the end of an earlier turn, in ms. */
export interface Settling {
  /** After a message to a job that did not work. */
  readonly afterMessage: number
  /** Between a turn that worked when the message came, and the turn that the message begins. */
  readonly betweenTurns: number
}

const SETTLING: Settling = { afterMessage: LAST_TURN_MS, betweenTurns: LAST_TURN_MS }

/** Whether the job ended this turn, and not only one before it. */
export function hasEnded(
  job: Pick<Job, 'status' | 'archivedAt'>,
  { sinceMessage, wasBusy, wasSeenAtWork, endedFor }: Turn,
  { afterMessage, betweenTurns }: Settling = SETTLING,
): boolean {
  if (!isTerminal(job)) return false
  if (sinceMessage === undefined) return true
  if (wasBusy) return endedFor >= betweenTurns
  return wasSeenAtWork || sinceMessage >= afterMessage
}
