import { type History, isOfOtherAttempt } from './history.ts'
import { type Job, jobWithId, reread } from './job.ts'
import { isClosed, isTerminal } from './outcome.ts'
import type { PlanNote, PULL_REQUEST_STATES, RequestRecord } from './record.ts'
import { mayBeWithAgent, reportedOutcome } from './states.ts'

/** What to do when the thread already has a job (the input `conversation`). */
export const CONVERSATIONS = ['continue', 'skip', 'new'] as const
type Conversation = (typeof CONVERSATIONS)[number]

export type Plan =
  | { readonly kind: 'create'; readonly note: PlanNote }
  | {
      readonly kind: 'continue'
      /** As it was right before; its status is '' where it was not read. */
      readonly job: Job
      readonly note: PlanNote
      /** Of the job's pull request before it gets the message, where that is known. */
      readonly headSha?: string
    }
  | {
      readonly kind: 'skip'
      readonly reason: 'job-active' | 'pull-request-open'
      readonly job: Job
      /** The pull request counts as open because the token cannot read it. */
      readonly unreadable: boolean
    }

type KnownPlan =
  | Plan
  | { readonly kind: 'resume' }
  /** The thread cannot be read, and without it the request must not go out. */
  | { readonly kind: 'stop'; readonly reason: 'creation-uncertain' | 'bad-input' }
  /** The job of the thread, and its pull request, have to be read before the plan is known. */
  | { readonly kind: 'inspect'; readonly job: Job }

export interface PlanInputs {
  readonly conversation: Conversation
  readonly jobId: string | undefined
  readonly dryRun: boolean
}

const create = (note: PlanNote = {}): Plan => ({ kind: 'create', note })

/**
 * Contract 4.9 and 5.2, as far as the thread's records tell.
 * @param history undefined when the thread cannot be read
 */
export function planFromHistory(
  history: History | undefined,
  inputs: PlanInputs,
  { fresh, run, runAttempt }: { readonly fresh: boolean; readonly run: string; readonly runAttempt: number },
): KnownPlan {
  if (history === undefined && !inputs.dryRun) {
    // A first attempt has no earlier one to know of, and works even if GitHub refuses to show the thread.
    if (runAttempt > 1) return { kind: 'stop', reason: 'creation-uncertain' }
    if (inputs.conversation === 'skip') return { kind: 'stop', reason: 'bad-input' }
  }
  const own = history?.own?.record
  const isAgain = own !== undefined && asksAgain(own, run)
  if (!inputs.dryRun && own !== undefined && mayBeWithAgent(own) && !isAgain) return { kind: 'resume' }
  const job = history === undefined ? undefined : threadJob(history)
  if (inputs.jobId !== undefined) return { kind: 'continue', job: jobById(inputs.jobId, job), note: {} }
  if (isAgain) return create({ job: 'failed' })
  if (job === undefined || fresh || inputs.conversation === 'new') return create()
  return { kind: 'inspect', job }
}

/** A re-run asks again where the job of an earlier attempt failed (contract 5.2). @param run as records name it */
export const asksAgain = (earlier: RequestRecord, run: string): boolean =>
  earlier.state === 'reported' && reportedOutcome(earlier) === 'failed' && isOfOtherAttempt(earlier, run)

/** Keeps what the thread remembers of the job, such as its pull request, but not its status. */
const jobById = (id: string, remembered: Job | undefined): Job =>
  remembered?.id === id ? { ...remembered, status: '' } : jobWithId(id)

export function threadJob({ jobComment, jobRecords }: History): Job | undefined {
  const record = jobComment?.record
  if (record === undefined || !('job' in record || 'jobId' in record)) return undefined
  const latest = 'job' in record ? record.job : jobWithId(record.jobId)
  // Where a job worked on two requests at once, perhaps only the earlier request learned of the pull request.
  const named = jobRecords.find(({ job }) => job.id === latest.id && job.prLink !== '')
  return named === undefined ? latest : reread(named.job, latest)
}

export type PullRequestState = (typeof PULL_REQUEST_STATES)[number]

/** Contract 4.9, once the job was read, which is undefined when the service no longer knows it. */
export function planForJob(
  { conversation }: Pick<PlanInputs, 'conversation'>,
  remembered: Job,
  job: Job | undefined,
  pullRequest: PullRequestState,
  headSha = '',
): Plan {
  const unreadable = pullRequest === 'unreadable'
  if (conversation === 'skip') {
    if (job !== undefined && !isTerminal(job)) {
      return { kind: 'skip', reason: 'job-active', job, unreadable: false }
    }
    if (pullRequest === 'open' || unreadable) {
      const shown = { ...(job ?? remembered), isEarlierLink: false }
      return { kind: 'skip', reason: 'pull-request-open', job: shown, unreadable }
    }
  } else {
    if (job === undefined) return create({ job: 'gone' })
    // A status that this version does not know may be a working one.
    if (isClosed(job)) return create({ job: job.status })
  }
  if (pullRequest === 'merged' || pullRequest === 'closed') return create({ pullRequest })
  if (conversation === 'skip') return create()
  const known = headSha !== '' && { headSha }
  return { kind: 'continue', job: job ?? remembered, note: unreadable ? { pullRequest } : {}, ...known }
}
