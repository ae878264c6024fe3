import type { ChecksReport } from './check-results.ts'
import type { Log } from './fold.ts'
import type { Job } from './job.ts'
import type { Ending, JobAction } from './outcome.ts'
import type { PlanNote, ReferredDocs, RequestRecord } from './record.ts'

/** How a process comes to the end of a request, with what the record does not tell. */
export interface RunEnding extends Ending, Dispatch {
  readonly note?: PlanNote
  /** A job that an answer shows although the request did not go to it. */
  readonly job?: Job | undefined
  readonly denied?: Denial
  /** Requests of its job in other threads. */
  readonly otherTurns?: readonly RequestRecord[]
  /** Of the thread, as it was when the job was read; undefined for that of now. */
  readonly log?: Log | undefined
  /** When the job was read to this end, on GitHub's clock; undefined where that is not known. */
  readonly readAt?: number | undefined
  /** Of a dry run: what it could prove, in words for the summary. @param failure of the comment */
  readonly setup?: (commentUrl: string, failure: unknown) => string
}

interface Dispatch {
  /** What the agent got, or would get. */
  readonly prompt?: string
  /** Of the thread's job, from before the message. */
  readonly snapshot?: JobSnapshot | undefined
}

/** A job as it was read: this tells nothing of what came later. */
export interface JobSnapshot {
  readonly id: string
  /** Undefined where the service does not know it. */
  readonly job: Job | undefined
  /** On GitHub's clock, in ms since the epoch. */
  readonly at: number
  /** Of the thread, then. */
  readonly log: Log
}

/** The agent has the request, and its job is to be followed. */
interface Accepted extends Dispatch {
  readonly outcome: 'accepted'
}

/** How a request ends before it has a job, or that it has one: its `outcome` tells which. */
export type AskResult = RunEnding | Accepted

/** How a run ended, with everything that comment, summary, annotation, log and outputs say about it. */
export interface Report extends Ending {
  readonly job: Job | undefined
  readonly jobAction: JobAction
  /** The job got the request as a message, now or by an earlier attempt. */
  readonly followUp: boolean
  /** Of the job that may have got the request as a message; '' for a new job. */
  readonly messagedJobId?: string
  readonly note: PlanNote
  /** Login of the person to address, '' for no person. */
  readonly requestedBy: string
  /** Numbers of the merged pull requests that the request is for, besides the thread itself. */
  readonly merged?: readonly number[]
  /** Of a pull request to which that of the request refers. */
  readonly referredDocs?: ReferredDocs | undefined
  /** What the agent got, or would get; '' when the run did not come to that. */
  readonly prompt: string
  /** What a dry run could prove, a section of Markdown; '' or undefined for nothing. */
  readonly setup?: string | undefined
  /** From the moment when the request came in, in ms. */
  readonly durationMs: number
  /** What the agent did not get of it, in words; '' or undefined for nothing. */
  readonly omitted?: string | undefined
  /** Undefined where they are not known. */
  readonly pages?: Pages | undefined
  /** Once the action looks at the checks of the pull request. */
  readonly checks?: ChecksReport | undefined
}

/** What a report says of a run that serves no request. */
export const EMPTY_REPORT = { followUp: false, note: {}, requestedBy: '', prompt: '', durationMs: 0 } as const

/** Files that the agent's pull request changes. */
export interface Pages {
  readonly names: readonly string[]
  /** So many beside those. */
  readonly more: number
  /** There may be others that are not counted. */
  readonly isCut: boolean
}

/** The person without the permission; `has` is '' where it cannot be read, `login` where the event names no person. */
export interface Denial {
  readonly login: string
  readonly has: string
  /** The person did not use the command, and gets no answer. */
  readonly isSilent?: boolean
  /** A later attempt of the run: it asks for the person of the first one. */
  readonly isReRun?: boolean
}
