import { throwIfCancelled } from '../deps.ts'
import { type MergedThread, readMergedThreads } from '../docs-with-code/merged.ts'
import { unlistedBot } from '../event/gate.ts'
import type { Push } from '../event/trigger.ts'
import { CAUSES, notListed } from '../messages/notes.ts'
import { type PushedChanges, planPush, readPush } from '../prompt/merges.ts'
import { type Ending, ending } from '../request/outcome.ts'
import { withAuthors } from '../request/reviewers.ts'
import { readThread } from '../thread/read-thread.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { findTrackingIssue } from '../thread/tracking-issue.ts'
import { readAgentJobs, withoutAgents } from './agent-pull-requests.ts'
import type { Asked } from './asked.ts'

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
    // A run that was cancelled meanwhile has said where it is answered.
    throwIfCancelled(session.deps.cancellation)
    if (number !== undefined) {
      request.amend({ tracking: true })
      request.answerIn(new Thread(number))
    }
  }
  const { thread: named } = request
  const isNamed = named !== undefined || issueTitle !== undefined
  await readThread(session, request, asked)
  if (merges === undefined) return undefined
  const { pushed, links } = merges
  const own = [...links]
  let threads: readonly MergedThread[] | undefined
  let isGone = false
  for (;;) {
    // The thread may name pull requests of the agent that the newest comments of the repository no longer name.
    own.push(...(request.history?.prLinks ?? []))
    const others = await withoutAgents(session, allowedBots, pushed.merged, own)
    const planned = planPush(pushed.merged, others, inputs.mergedLabels)
    // A re-run goes on with what an earlier attempt sent.
    const isSent = request.history?.own !== undefined
    if ('outcome' in planned && !isSent) return planned
    const plan = 'outcome' in planned ? others : planned
    threads ??= await readMergedThreads(session, request.identity, plan)
    const decided = new Set(threads.flatMap(({ number, isDecided }) => (isDecided ? [number] : [])))
    const open = plan.filter(({ number }) => !decided.has(number))
    const isDecided = plan.length > 0 && open.length === 0
    if (isDecided && !isSent) return ending('skipped', 'no-changes', CAUSES.decided)
    const counting = isDecided ? plan : open
    const last = counting.at(-1)
    if (isNamed || isGone || pushed.unread || last === undefined || last.number === request.thread?.number) {
      const authors = withAuthors(request.identity.settings, counting.toReversed())
      request.amend({ merged: counting.map(({ number }) => number), ...authors })
      // An earlier attempt may have read the merges that this one could not, and started its job in one of their threads.
      if (pushed.unread && request.thread === undefined && session.context.runAttempt > 1)
        request.answerIn('unknown')
      return { ...pushed, merged: counting }
    }
    const known = threads.find(({ number }) => number === last.number)
    throwIfCancelled(session.deps.cancellation)
    request.answerIn(known?.thread ?? new Thread(last.number))
    if (known === undefined) await readThread(session, request, asked)
    // A thread that is gone is none (contract 5.7).
    isGone = request.thread === undefined
  }
}

async function readMerges(
  session: Session,
  push: Push,
  { trigger, inputs }: Asked,
): Promise<{ readonly pushed: PushedChanges; readonly links: readonly string[] } | Ending> {
  if (push.change === 'deleted') return ending('skipped', 'no-changes', CAUSES.deleted)
  const [pushed, { links }] = await Promise.all([readPush(session, push), readAgentJobs(session)])
  // A push of the agent must not start the next job. For a merge, the author of the pull request counts instead.
  const isDirect = pushed.merged.length === 0
  const bot = isDirect ? unlistedBot(inputs, [trigger.sender, push.author]) : undefined
  if (bot !== undefined) return ending('skipped', 'bot', notListed(bot.login))
  return { pushed, links }
}
