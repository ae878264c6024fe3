import type { History } from '../request/history.ts'
import type { Job } from '../request/job.ts'
import type { Ending } from '../request/outcome.ts'
import type { RequestIdentity, RequestRecord, RequestState } from '../request/record.ts'
import type { Thread } from '../thread/thread.ts'

/** How a run ends without the agent. */
export interface Answer {
  readonly end: Ending
  /** A job that it shows although the request did not go to it. */
  readonly job?: Job
  /** Of the comment that answers, where that is not the one of the request. */
  readonly answerUrl?: string
}

/** What this folder needs of a request, whichever process serves it. */
export interface CodeRequest {
  readonly identity: RequestIdentity
  readonly state: RequestState
  readonly thread: Thread | undefined
  /** What the thread tells; undefined while it is not known. */
  readonly history: History | undefined
  /** No earlier run can have left anything of this request. */
  readonly isFirstRun: boolean
  /** This run sent the request to the agent. */
  readonly hasSent: boolean
  /** From now on this run serves the request of the record, as a re-run does. */
  goOnFrom(record: RequestRecord, body?: string): void
  amend(identity: Partial<RequestIdentity>): void
  leaveThread(): void
}
