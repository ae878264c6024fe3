import { BadInput, CreationUncertain } from '../errors.ts'
import type { History } from './history.ts'
import { type Job, jobWithId } from './job.ts'
import { isClosed, isTerminal } from './outcome.ts'
import { jobOf } from './states.ts'

/** What to do when the thread already has a job (the input `conversation`). */
export const CONVERSATIONS = ['continue', 'skip', 'new'] as const
type Conversation = (typeof CONVERSATIONS)[number]

/** `note`: a sentence for the comment, '' for none. */
export type Plan =
  | { readonly kind: 'create'; readonly note: string }
  | { readonly kind: 'continue'; readonly jobId: string; readonly note: string }
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
  /** The job of the thread, and its pull request, have to be read before the plan is known. */
  | { readonly kind: 'inspect'; readonly job: Job }

export interface PlanInputs {
  readonly conversation: Conversation
  readonly jobId: string | undefined
  readonly dryRun: boolean
}

const create = (note = ''): Plan => ({ kind: 'create', note })

/**
 * Contract 4.9 and 5.2, as far as the thread's records tell.
 * @param history undefined when the thread cannot be read
 * @throws {CreationUncertain} for a re-run on a thread that cannot be read
 * @throws {BadInput} for `conversation: skip` on one
 */
export function planFromHistory(
  history: History | undefined,
  inputs: PlanInputs,
  { fresh, runAttempt }: { readonly fresh: boolean; readonly runAttempt: number },
): KnownPlan {
  if (history === undefined && !inputs.dryRun) {
    // A first attempt has no earlier one to know of, and an outage of GitHub does not keep it from its work.
    if (runAttempt > 1) throw new CreationUncertain(UNREAD_BY_RERUN, '')
    if (inputs.conversation === 'skip') throw new BadInput('conversation', UNREAD, REMEDY)
  }
  const own = history?.own?.record
  if (!inputs.dryRun && own !== undefined && (jobOf(own) !== undefined || own.state === 'sending')) {
    return { kind: 'resume' }
  }
  if (inputs.jobId !== undefined) return { kind: 'continue', jobId: inputs.jobId, note: '' }
  const job = history === undefined ? undefined : threadJob(history)
  if (job === undefined || fresh || inputs.conversation === 'new') return create()
  return { kind: 'inspect', job }
}

const UNREAD = 'is `skip`, but the thread cannot be read, so it is unknown whether its pull request is open'
const REMEDY = 'Nothing was started: check `issue-number` and the `permissions:` of the workflow job.'
const UNREAD_BY_RERUN =
  'This is a re-run, and the action cannot read in the thread what the earlier attempt did'

export function threadJob({ job }: History): Job | undefined {
  const record = job?.record
  if (record === undefined) return undefined
  if ('job' in record) return record.job
  return 'jobId' in record ? jobWithId(record.jobId) : undefined
}

export type PullRequestState = 'none' | 'open' | 'merged' | 'closed' | 'unreadable'

/** Contract 4.9, once the job was read, which is undefined when the service no longer knows it. */
export function planForJob(
  { conversation }: Pick<PlanInputs, 'conversation'>,
  remembered: Job,
  job: Job | undefined,
  pullRequest: PullRequestState,
): Plan {
  const unreadable = pullRequest === 'unreadable'
  if (conversation === 'skip') {
    if (job !== undefined && !isTerminal(job.status)) {
      return { kind: 'skip', reason: 'job-active', job, unreadable: false }
    }
    if (pullRequest === 'open' || unreadable) {
      const shown = { ...(job ?? remembered), prLink: job?.prLink || remembered.prLink }
      return { kind: 'skip', reason: 'pull-request-open', job: shown, unreadable }
    }
  } else {
    if (job === undefined) return create(GONE)
    // A status that this version does not know may be a working one.
    if (isClosed(job)) return create(`The job of this thread is ${job.status}, so this is a new one.`)
  }
  if (pullRequest === 'merged' || pullRequest === 'closed') {
    return create(`The earlier pull request is ${pullRequest}, so this is a new job.`)
  }
  if (conversation === 'skip') return create()
  const note = unreadable ? 'Its pull request could not be read, so it counts as open.' : ''
  return { kind: 'continue', jobId: remembered.id, note }
}

export const GONE = 'The job of this thread no longer exists, so this is a new one.'
