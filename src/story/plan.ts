import { ifKnown } from '../agent/agent-client.ts'
import { throwIfCancelled } from '../base/deps.ts'
import { isReadTimeout } from '../http/retry.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Prompt } from '../prompt/frame.ts'
import type { Task } from '../prompt/task.ts'
import { type Job, jobWithId, reread } from '../record/job.ts'
import { ending, isArchived, isTerminal } from '../record/outcome.ts'
import type { PlanNote } from '../record/record.ts'
import type { JobSnapshot, RunEnding } from '../record/report.ts'
import { type PullRequestNow, pullRequestNow } from '../thread/docs-pull-request.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { CAUSES, notKnownReRun, unreadThread } from '../words/notes.ts'

/** What goes to the agent: a message to `job`, or a new job without one. */
export interface Send {
  readonly job?: Job
  readonly note: PlanNote
  /** SHA of the head of the job's pull request before the message; '' where it is not known. */
  readonly headBefore?: string
  /** Of the thread's job, as it was read for the plan. */
  readonly snapshot?: JobSnapshot
  /** Undefined until it is made. */
  readonly prompt?: Prompt | undefined
}

/** What the run asks for, beside the inputs. */
export interface AskOptions {
  /** The command asks for a new job, whatever the thread has. */
  readonly isFresh: boolean
  /** An earlier attempt of the run asked, and its job failed, or nothing was sent. */
  readonly isReRun: boolean
  /** A person re-ran the run: what was in doubt until then may be asked, in the order of `writtenAt`; 0 for none. */
  readonly repeatsInDoubtUntil: number
}

/**
 * Where the request goes, as the thread tells now: to the job of the thread, or to a new one.
 * @returns how the run ends where it asks nothing @throws {GitHubError} where GitHub does not answer
 */
export async function planRequest(
  session: Session,
  run: Run,
  { inputs, deadline }: Task,
  { isFresh, isReRun }: Pick<AskOptions, 'isFresh' | 'isReRun'>,
): Promise<Send | RunEnding> {
  const { deps, client, github, runner } = session
  const { conversation, jobId, pollMs, dryRun } = inputs
  const records = run.records()
  // Without the records of the thread, a re-run cannot tell what an earlier attempt asked. A dry run asks nothing.
  if (runner.runAttempt > 1 && !dryRun) {
    if (records === undefined) return unreadThread('creation-uncertain', run.thread?.readError)
    if (run.thread?.hasUnverifiedRecords && !isReRun) return notKnownReRun()
  }
  if (records === undefined && conversation === 'skip')
    return unreadThread('bad-input', run.thread?.readError)
  const remembered = records?.facts.job
  if (jobId !== undefined) return planForId(jobId, remembered)
  if (remembered === undefined || isFresh || conversation === 'new') return { note: {} }
  // The thread usually knows the pull request already, so both are read at the same time.
  const [read, rememberedPull] = await Promise.all([
    ifKnown(client.read(remembered.id, { deadline, pollMs, isKnown: true })),
    pullRequestNow(session, remembered.prLink),
  ])
  if (read !== undefined && isReadTimeout(read)) return ending('timed-out', '', read.why)
  const job = read && reread(remembered, read)
  const snapshot = { id: remembered.id, job, at: github.clock(), log: run.thread?.log ?? [] }
  const link = job?.prLink ?? ''
  const pull =
    link === '' || link === remembered.prLink ? rememberedPull : await pullRequestNow(session, link)
  throwIfCancelled(deps.cancellation)
  return { ...planForJob({ conversation, remembered, job, pull, isReRun }), snapshot }
}

/** The job that an input names. Keeps what the thread remembers of it, such as its pull request, but not its status. */
export const planForId = (id: string, remembered: Job | undefined): Send => ({
  job: remembered?.id === id ? { ...remembered, status: '' } : jobWithId(id),
  note: {},
})

interface JobSituation {
  readonly conversation: Inputs['conversation']
  /** The job of the thread. */
  readonly remembered: Job
  /** As read now; undefined where the service no longer knows it. */
  readonly job: Job | undefined
  /** The pull request of the job; `unreadable` counts as open. */
  readonly pull: PullRequestNow
  /** A re-run of the request asks again. */
  readonly isReRun: boolean
}

export function planForJob({ conversation, remembered, job, pull, isReRun }: JobSituation): Send | RunEnding {
  const { state, headSha } = pull
  const isUnreadable = state === 'unreadable'
  if (conversation === 'skip') {
    if (job !== undefined && !isTerminal(job)) return { ...ending('skipped', 'job-active'), job }
    if (state === 'open' || isUnreadable) {
      const cause = isUnreadable ? CAUSES.unreadablePullRequest : ''
      const shown = { ...(job ?? remembered), isEarlierLink: false }
      return { ...ending('skipped', 'pull-request-open', cause), job: shown }
    }
  } else {
    if (job === undefined) return { note: { job: 'gone' } }
    // A re-run does not ask the job that failed. A job with an unknown status may work, and gets the message.
    if (isArchived(job) || (isReRun && job.status === 'failed')) return { note: { job: job.status } }
  }
  if (state === 'merged' || state === 'closed') return { note: { pullRequest: state } }
  if (conversation === 'skip') return { note: {} }
  const note: PlanNote = isUnreadable ? { pullRequest: state } : {}
  return { job: job ?? remembered, note, headBefore: headSha }
}
