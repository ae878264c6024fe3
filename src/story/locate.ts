import { throwIfCancelled } from '../base/deps.ts'
import { unlistedBot } from '../event/gate.ts'
import { bringsNothing, findThreadOfPush, noteUncounted, readPush } from '../features/merges/merges.ts'
import { coveredByClosed, findTrackingIssue } from '../features/tracking-issue/tracking-issue.ts'
import type { PushedChanges } from '../prompt/merged.ts'
import { isTagOfMerges, type Task } from '../prompt/task.ts'
import type { Facts } from '../record/fold.ts'
import { type Ending, ending } from '../record/outcome.ts'
import type { RequestIdentity } from '../record/record.ts'
import { readAgentJobs } from '../thread/agent-pull-requests.ts'
import type { Session } from '../thread/session.ts'
import { readUnlessGone, type Thread } from '../thread/thread.ts'
import { CAUSES, notListed } from '../words/notes.ts'

/** Where the run answers, and what its push brought. */
export interface FoundThread {
  /** Undefined for none. */
  readonly thread: Thread | undefined
  /** The thread is the issue of `issue-title`. */
  readonly tracking: boolean
  readonly pushed: PushedChanges | undefined
  /** What the closed issues of `issue-title` covered, for one that has no point of its own yet. */
  readonly coveredByClosed?: Facts['covered'] | undefined
  /** Where nothing is to be asked. */
  readonly ending?: Ending
}

/**
 * For an event that names no thread: `issue-number`, the tracking issue, or the pull request that a push merged last.
 * @param named by `issue-number`
 * @throws {GitHubError} where GitHub does not answer
 */
export async function findThread(
  session: Session,
  identity: RequestIdentity,
  task: Task,
  named: Thread | undefined,
): Promise<FoundThread> {
  const { inputs, trigger } = task
  const { issueTitle, dryRun } = inputs
  const { push, sender } = trigger
  const none = { thread: named, tracking: false, pushed: undefined }
  if (push?.change === 'deleted') return { ...none, ending: ending('skipped', 'no-changes', CAUSES.deleted) }
  const [pushed, agents] =
    push === undefined || isTagOfMerges(task)
      ? []
      : await Promise.all([readPush(session, push), readAgentJobs(session)])
  // A re-run may go on with what it sent before GitHub could compare the commits.
  const isEmpty = push !== undefined && pushed !== undefined && bringsNothing(push, pushed)
  if (isEmpty && session.runner.runAttempt === 1)
    return { ...none, ending: ending('skipped', 'no-changes', CAUSES.emptyPush) }
  // A push of the agent must not start the next job. For a merge, the author of the pull request counts instead.
  const bot =
    push !== undefined && !pushed?.merged.length ? unlistedBot(inputs, [sender, push.author]) : undefined
  if (bot !== undefined) return { ...none, ending: ending('skipped', 'bot', notListed(bot.login)) }
  const tracking =
    named === undefined && issueTitle !== undefined
      ? await findTrackingIssue(session, issueTitle, identity, !dryRun && session.commentMode !== 'off')
      : undefined
  throwIfCancelled(session.deps.cancellation)
  const thread = await readUnlessGone(session, tracking ?? named)
  const hasPoint = thread?.isRead !== true || thread.recordsFor(identity).facts.covered.until > 0
  const found = {
    thread,
    tracking: tracking !== undefined,
    coveredByClosed:
      tracking !== undefined && issueTitle !== undefined && inputs.changesSince === 'last-run' && !hasPoint
        ? await coveredByClosed(session, issueTitle)
        : undefined,
  }
  if (pushed === undefined || agents === undefined) return { ...found, pushed }
  const isNamed = named !== undefined || issueTitle !== undefined
  const ofPush = await findThreadOfPush(session, identity, task, {
    pushed,
    named: thread,
    links: agents.links,
    isNamed,
    isEmpty,
  })
  if ('outcome' in ofPush) return { ...none, ending: ofPush }
  // The list of `changes-since` has a note of its own.
  const isNoted = ofPush.merged.length > 0 && inputs.changesSince === undefined
  const note = isNoted ? noteUncounted(session, ofPush.uncounted) : ''
  return { ...found, thread: ofPush.thread, pushed: { ...pushed, merged: ofPush.merged, note } }
}
