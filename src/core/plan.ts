import { type Job, jobWithId } from './job.ts'
import { isClosed, isTerminal } from './outcome.ts'
import type { PlanNote } from './record.ts'
import type { SeenJob } from './report.ts'

/** What to do when the thread already has a job (the input `conversation`). */
export const CONVERSATIONS = ['continue', 'skip', 'new'] as const
type Conversation = (typeof CONVERSATIONS)[number]

/** Of the job's pull request; `unreadable` counts as open. */
export type PullRequestState = 'none' | 'open' | NonNullable<PlanNote['pullRequest']>

/** What goes to the agent: a message to `job`, or a new job without one. */
export interface Send {
  readonly kind: 'send'
  readonly job?: Job
  readonly note: PlanNote
  /** Of the job's pull request before the message; '' where it is not known. */
  readonly headBefore?: string
  /** Of the thread. */
  readonly seen?: SeenJob
}

export type Plan =
  | Send
  | {
      readonly kind: 'skip'
      readonly reason: 'job-active' | 'pull-request-open'
      readonly job: Job
      readonly unreadable: boolean
    }

const create = (note: PlanNote = {}): Plan => ({ kind: 'send', note })

/** The job that an input names. Keeps what the thread remembers of it, such as its pull request, but not its status. */
export const planForId = (id: string, remembered: Job | undefined): Send => ({
  kind: 'send',
  job: remembered?.id === id ? { ...remembered, status: '' } : jobWithId(id),
  note: {},
})

interface JobSituation {
  readonly conversation: Conversation
  /** The job of the thread. */
  readonly remembered: Job
  /** As read now; undefined where the service no longer knows it. */
  readonly job: Job | undefined
  /** Of the job. */
  readonly pull: { readonly state: PullRequestState; readonly headSha: string }
  /** A re-run of the request asks again. */
  readonly isReRun: boolean
}

export function planForJob({ conversation, remembered, job, pull, isReRun }: JobSituation): Plan {
  const { state, headSha } = pull
  const unreadable = state === 'unreadable'
  if (conversation === 'skip') {
    if (job !== undefined && !isTerminal(job))
      return { kind: 'skip', reason: 'job-active', job, unreadable: false }
    if (state === 'open' || unreadable) {
      const shown = { ...(job ?? remembered), isEarlierLink: false }
      return { kind: 'skip', reason: 'pull-request-open', job: shown, unreadable }
    }
  } else {
    if (job === undefined) return create({ job: 'gone' })
    // A re-run asks again, and not the job that failed. A status that this version does not know may be a working one.
    if (isClosed(job) || (isReRun && job.status === 'failed')) return create({ job: job.status })
  }
  if (state === 'merged' || state === 'closed') return create({ pullRequest: state })
  if (conversation === 'skip') return create()
  return {
    kind: 'send',
    job: job ?? remembered,
    note: unreadable ? { pullRequest: state } : {},
    headBefore: headSha,
  }
}
