import { isActive, isArchived, isTerminal, type StatusOf } from './outcome.ts'
import type { Running } from './record.ts'

/** What is known of the turn that a request began in its job. Times in ms, all by one clock. */
export interface Turn {
  /** When the job got the request as a message; undefined for the first turn of a new job. */
  readonly messagedAt: number | undefined
  /** The job worked right before the message: the service may finish that turn first, and then begin this one. */
  readonly wasBusy: boolean
  /** The job was read while it worked, after the message. */
  readonly wasSeenAtWork: boolean
  /**
   * How the job ended, and the first of the readings that have said so ever since; undefined while it works. After the last end,
   * no turn begins.
   */
  readonly end: { readonly status: string; readonly since: number; readonly isLast: boolean } | undefined
}

/** How long the service may show the end of an earlier turn, in ms. */
export interface Lag {
  /** After a message to a job that did not work. */
  readonly afterMessage: number
  /** Between a turn that worked when the message came, and the turn that the message begins. */
  readonly betweenTurns: number
}

/** A turn of which the job, as it was when the request was accepted, is all that is known. */
export const beginTurn = (
  job: StatusOf,
  messagedAt: number | undefined,
  wasBusy: boolean,
  at: number,
): Turn => afterReading({ messagedAt, wasBusy, wasSeenAtWork: false, end: undefined }, job, at)

/** A turn as its record tells it, on the clock of the runner that wrote the record. */
export const turnOf = (
  { job, messagedAt, wasBusy }: Pick<Running, 'job' | 'messagedAt' | 'wasBusy'>,
  writtenAt: number,
): Turn =>
  // The answer to the message may have said first that the job ended, after the record was written.
  beginTurn(job, messagedAt === 0 ? undefined : messagedAt, wasBusy, Math.max(writtenAt, messagedAt))

export function afterReading({ end, ...turn }: Turn, job: StatusOf, at: number): Turn {
  const { status } = job
  const wasSeenAtWork = turn.wasSeenAtWork || isActive(job)
  if (!isTerminal(job)) return { ...turn, wasSeenAtWork, end: undefined }
  const since = end?.status === status ? end.since : at
  return { ...turn, wasSeenAtWork, end: { status, since, isLast: isArchived(job) } }
}

/** Whether the turn has ended, and not only one before it. @param now by the clock of the turn, which has all readings */
export function turnIsOver(
  { messagedAt, wasBusy, wasSeenAtWork, end }: Turn,
  now: number,
  { afterMessage, betweenTurns }: Lag,
): boolean {
  if (end === undefined) return false
  if (messagedAt === undefined || end.isLast) return true
  if (wasBusy) return now - end.since >= betweenTurns
  return wasSeenAtWork || now - messagedAt >= afterMessage
}
