import { ActionError, isGone, isRefused } from '../errors.ts'
import { hasUnlistedBot } from '../event/gate.ts'
import type { Push } from '../event/trigger.ts'
import { CAUSES, threadGone } from '../messages/notes.ts'
import { type PushedChanges, planPush, readPush } from '../prompt/merges.ts'
import { type Ending, ending } from '../request/outcome.ts'
import type { Session } from '../thread/session.ts'
import { findTrackingIssue } from '../thread/tracking-issue.ts'
import { readAgentJobs, withoutAgents } from './agent-pull-requests.ts'
import type { Asked, Request } from './request.ts'

/**
 * Reads the thread. Of one that GitHub does not show nothing is known, and one that is gone is none (contract 5.7).
 * @throws {ForgeError} where GitHub does not answer
 * @throws {ActionError} for a command in a thread that is gone
 */
export async function readThread(session: Session, request: Request, { trigger }: Asked): Promise<void> {
  const { thread } = request
  if (thread === undefined) return
  try {
    await thread.read(session)
  } catch (error) {
    if (!isRefused(error)) throw error
    if (isGone(error)) request.leaveThread()
    if (isGone(error) && trigger.comment !== undefined) {
      throw new ActionError('bad-input', threadGone(thread.number, error.detail), { cause: error })
    }
    session.warnings.add(['thread', thread.number], error)
  }
}

/**
 * Finds and reads the thread of an event that names none (contract 3.6): `issue-number`, the tracking issue, or the pull
 * request that a push merged last.
 * @returns what a push brought, or how the run ends where it asks for nothing
 * @throws {ForgeError} where GitHub does not answer
 */
export async function findThread(
  session: Session,
  request: Request,
  asked: Asked,
): Promise<PushedChanges | Ending | undefined> {
  const { trigger, inputs } = asked
  const { issueTitle, allowedBots, dryRun } = inputs
  const { push } = trigger
  const merges = push === undefined ? undefined : await readMerges(session, push, asked)
  if (merges !== undefined && 'outcome' in merges) return merges
  if (request.thread === undefined && issueTitle !== undefined) {
    const number = await findTrackingIssue(session, issueTitle, request.identity, !dryRun)
    if (number !== undefined) {
      request.amend({ tracking: true })
      request.useThread(number)
    }
  }
  const isNamed = request.thread !== undefined || issueTitle !== undefined
  await readThread(session, request, asked)
  if (merges === undefined) return undefined
  const { pushed, links } = merges
  const own = [...links]
  for (;;) {
    // The thread may know as the agent's own what the newest comments of the repository no longer name.
    own.push(...(request.history?.prLinks ?? []))
    const plan = planPush(
      pushed.merged,
      withoutAgents(session, allowedBots, pushed.merged, own),
      inputs.mergedLabels,
    )
    if ('outcome' in plan) return plan
    const last = plan.at(-1)
    if (isNamed || pushed.unread || last === undefined || last.number === request.thread?.number) {
      request.amend({ merged: plan.map(({ number }) => number) })
      request.rememberAuthors(plan.toReversed())
      // An earlier attempt may have read them, and started its job in one of their threads.
      request.isThreadUnknown =
        pushed.unread && request.thread === undefined && session.context.runAttempt > 1
      return { ...pushed, merged: plan }
    }
    request.useThread(last.number)
    await readThread(session, request, asked)
  }
}

async function readMerges(
  session: Session,
  push: Push,
  { trigger, inputs }: Asked,
): Promise<{ readonly pushed: PushedChanges; readonly links: readonly string[] } | Ending> {
  if (push.change === 'deleted') return ending('skipped', 'no-changes', CAUSES.deleted)
  const [pushed, { links }] = await Promise.all([readPush(session, push), readAgentJobs(session)])
  // An agent that pushes would start the next one. Merges count by who wrote the pull request.
  const isDirect = pushed.merged.length === 0
  if (isDirect && hasUnlistedBot(inputs, [trigger.sender, push.author])) return ending('skipped', 'bot')
  return { pushed, links }
}
