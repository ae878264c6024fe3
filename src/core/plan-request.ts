import { ifKnown } from '../agent/agent-client.ts'
import { throwIfCancelled } from '../deps.ts'
import { isLate } from '../http/retry.ts'
import type { Task } from '../prompt/task.ts'
import { CAUSES, otherKeyUncertain, UNREAD_THREAD } from '../words/notes.ts'
import { pullRequestNow } from './docs-pull-request.ts'
import { reread } from './job.ts'
import { ending } from './outcome.ts'
import { planForId, planForJob, type Send } from './plan.ts'
import type { RunEnd } from './report.ts'
import type { Request } from './request.ts'
import type { Session } from './session.ts'

/** What the run asks for, beside the inputs. */
export interface Wish {
  /** The command asks for a new job, whatever the thread has. */
  readonly isFresh: boolean
  /** An earlier attempt of the run asked, and its job failed, or nothing was sent. */
  readonly isReRun: boolean
}

/**
 * Where the request goes, as the thread tells now: to the job of the thread, or to a new one.
 * @returns how the run ends where it asks nothing @throws {GitHubError} where GitHub does not answer
 */
export async function planRequest(
  session: Session,
  request: Request,
  { inputs, deadline }: Task,
  { isFresh, isReRun }: Wish,
): Promise<Send | RunEnd> {
  const { deps, client, github, context } = session
  const records = request.records()
  if (records === undefined && !inputs.dryRun) {
    // A first attempt has no earlier one to know of, and works even if GitHub refuses to show the thread.
    const reason =
      context.runAttempt > 1 ? 'creation-uncertain' : inputs.conversation === 'skip' ? 'bad-input' : undefined
    if (reason !== undefined) return ending('error', reason, UNREAD_THREAD[reason])
  }
  if (context.runAttempt > 1 && request.thread?.isOfOtherKey && !inputs.dryRun) return otherKeyUncertain()
  const remembered = records?.known.job
  if (inputs.jobId !== undefined) return planForId(inputs.jobId, remembered)
  if (remembered === undefined || isFresh || inputs.conversation === 'new') return { kind: 'send', note: {} }
  // The thread usually knows the pull request already, so both are read at the same time.
  const [read, known] = await Promise.all([
    inputs.dryRun
      ? remembered
      : ifKnown(client.read(remembered.id, { deadline, pollMs: inputs.pollMs, isKnown: true })),
    pullRequestNow(session, remembered.prLink),
  ])
  if (read !== undefined && isLate(read)) return ending('timed-out', '', read.why)
  const job = read && reread(remembered, read)
  const { log = [] } = request.thread ?? {}
  if (!inputs.dryRun) request.seen = { id: remembered.id, job, at: github.clock(), log }
  const link = job?.prLink ?? ''
  const pull = link === '' || link === remembered.prLink ? known : await pullRequestNow(session, link)
  throwIfCancelled(deps.cancellation)
  const plan = planForJob({ conversation: inputs.conversation, remembered, job, pull, isReRun })
  if (plan.kind === 'send') return plan
  const cause = plan.unreadable ? CAUSES.unreadablePullRequest : ''
  return { ...ending('skipped', plan.reason, cause), job: plan.job }
}
