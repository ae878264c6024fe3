import pLimit from 'p-limit'
import { throwIfCancelled } from '../deps.ts'
import { codeOf, isSameCode } from '../docs-with-code/code.ts'
import { isRefused } from '../errors.ts'
import { unlistedBot } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import type { Push } from '../event/trigger.ts'
import { type PathFilter, touchesPaths } from '../inputs/paths.ts'
import { CAUSES, notListed, threadGone, UNREAD_THREAD } from '../messages/notes.ts'
import { MAX_COMPARED_FILES } from '../prompt/context.ts'
import { type PushedChanges, planPush, readPush } from '../prompt/merges.ts'
import { mayAskAgent, type Task } from '../prompt/task.ts'
import { type Ending, ending } from '../request/outcome.ts'
import type { RequestId } from '../request/reading.ts'
import { isAtWork, type RequestIdentity } from '../request/record.ts'
import type { Session } from '../thread/session.ts'
import { readThread, Thread } from '../thread/thread.ts'
import { findTrackingIssue } from '../thread/tracking-issue.ts'
import { linksOfAgent, withoutAgents } from './agent-pull-requests.ts'
import { countsByFiles } from './changes.ts'

/** Where the run answers, and what its push brought. */
export interface Place {
  /** Undefined for none. */
  readonly thread: Thread | undefined
  /** The thread is the issue of `issue-title`. */
  readonly tracking: boolean
  readonly pushed: PushedChanges | undefined
  /** Where nothing is to be asked. */
  readonly ending?: Ending
}

/**
 * Reads the thread of the request, which it first finds for an event that names none.
 * @param named the thread of the event, or of `issue-number`
 * @throws {GitHubError} where GitHub does not answer
 */
export async function findPlace(
  session: Session,
  identity: RequestIdentity,
  task: Task,
  named: Thread | undefined,
): Promise<Place> {
  const { inputs, trigger, command } = task
  const place = { thread: named, tracking: false, pushed: undefined }
  const isNamed = (trigger.subject ?? inputs.issueNumber) !== undefined && trigger.push === undefined
  if (!isNamed && mayAskAgent(command, trigger)) {
    const found = await findThread(session, identity, task, named)
    return 'outcome' in found ? { ...place, ending: found } : found
  }
  const gone = await readThread(session, named)
  if (gone === undefined || named === undefined) return place
  if (trigger.comment !== undefined) {
    const message = threadGone(named.number, gone.detail)
    return { ...place, thread: undefined, ending: ending('error', 'bad-input', message) }
  }
  session.warnings.add(['thread', named.number], gone)
  return { ...place, thread: undefined }
}

/**
 * `issue-number`, the tracking issue, or the pull request that a push merged last.
 * @returns how the run ends where its push asks for nothing
 */
async function findThread(
  session: Session,
  identity: RequestIdentity,
  { inputs, trigger }: Task,
  named: Thread | undefined,
): Promise<Place | Ending> {
  const { issueTitle, dryRun } = inputs
  const { push, sender } = trigger
  if (push?.change === 'deleted') return ending('skipped', 'no-changes', CAUSES.deleted)
  const [pushed, links] =
    push === undefined ? [] : await Promise.all([readPush(session, push), linksOfAgent(session)])
  // A push of the agent must not start the next job. For a merge, the author of the pull request counts instead.
  const bot = pushed?.merged.length === 0 ? unlistedBot(inputs, [sender, push?.author]) : undefined
  if (bot !== undefined) return ending('skipped', 'bot', notListed(bot.login))
  const tracking =
    named === undefined && issueTitle !== undefined
      ? await findTrackingIssue(session, issueTitle, identity, !dryRun)
      : undefined
  throwIfCancelled(session.deps.cancellation)
  const thread = await read(session, tracking ?? named)
  const place = { thread, tracking: tracking !== undefined, pushed }
  if (push === undefined || pushed === undefined || links === undefined) return place
  const isNamed = named !== undefined || issueTitle !== undefined
  return await placeOfPush(session, identity, inputs, { ...place, pushed, push, links, isNamed })
}

const read = async (session: Session, thread: Thread | undefined): Promise<Thread | undefined> => {
  const gone = await readThread(session, thread)
  if (gone !== undefined && thread !== undefined) session.warnings.add(['thread', thread.number], gone)
  return gone === undefined ? thread : undefined
}

interface PushPlace extends Place {
  readonly pushed: PushedChanges
  readonly push: Push
  /** To the agent's pull requests. */
  readonly links: readonly string[]
  /** The inputs name the thread. */
  readonly isNamed: boolean
}

/** Of what a push merged, what counts; without a named thread, the pull request among them that was merged last is it. */
async function placeOfPush(
  session: Session,
  identity: RequestIdentity,
  inputs: Task['inputs'],
  { thread: first, tracking, pushed, links, isNamed }: PushPlace,
): Promise<Place | Ending> {
  let thread = first
  // A thread can remember a pull request of the agent that the newest comments of the repository no longer name.
  const own = [...links]
  const inPaths = countsByFiles(session, inputs.paths)
  const counting = async (): Promise<readonly PullRequest[] | Ending> => {
    const reading = thread?.isRead ? thread.readingFor(identity) : undefined
    own.push(reading?.memory.latest.job?.prLink ?? '')
    const others = await withoutAgents(session, inputs.allowedBots, pushed.merged, own)
    const plan = planPush(pushed.merged, others, inputs.mergedLabels)
    // A re-run goes on with what an earlier attempt sent.
    const isSent = reading?.own !== undefined
    if ('outcome' in plan) return isSent ? others : plan
    const named = await inPaths(plan)
    const touches =
      plan.length === 0
        ? touchesPaths(inputs.paths, pushed.comparison?.files, MAX_COMPARED_FILES)
        : named.length > 0
    if (!touches) return isSent ? plan : ending('skipped', 'no-changes', CAUSES.noneInPaths)
    const open = await undecided(session, identity, named, inputs.paths)
    if (plan.length === 0 || open.length > 0) return open
    return isSent ? plan : ending('skipped', 'no-changes', CAUSES.decided)
  }
  let pulls = await counting()
  for (let looks = 0; !isNamed && !pushed.unread && looks < pushed.merged.length; looks += 1) {
    if ('outcome' in pulls) return pulls
    const last = pulls.at(-1)
    if (last === undefined || last.number === thread?.number) break
    throwIfCancelled(session.deps.cancellation)
    thread = await read(session, new Thread(last.number))
    if (thread === undefined) break
    pulls = await counting()
  }
  if ('outcome' in pulls) return pulls
  // An earlier attempt may have read the merges that this one could not, and started its job in one of their threads.
  if (pushed.unread && thread === undefined && session.context.runAttempt > 1 && !inputs.dryRun)
    return ending('error', 'creation-uncertain', UNREAD_THREAD['creation-uncertain'])
  return { thread, tracking, pushed: { ...pushed, merged: pulls } }
}

/**
 * Those of the merged pull requests whose own threads have not decided their documentation.
 * @throws {GitHubError} where GitHub does not answer
 */
async function undecided(
  session: Session,
  id: RequestId,
  pulls: readonly PullRequest[],
  paths: PathFilter | undefined,
): Promise<readonly PullRequest[]> {
  const decided = await pLimit(8).map(pulls, async (pull) => await isDecided(session, id, pull, paths))
  return pulls.filter((_, at) => decided[at] !== true)
}

/** As the newest request of its thread knows: a skip, or the agent has what was merged. */
async function isDecided(
  session: Session,
  id: RequestId,
  { number, headSha }: PullRequest,
  paths: PathFilter | undefined,
): Promise<boolean> {
  const thread = new Thread(number)
  try {
    await thread.read(session)
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
  const { own, memory, others } = thread.readingFor(id)
  const known = memory.latest
  // A re-run of this very request goes on with it.
  if (own !== undefined) return false
  if (known.skip !== undefined) return true
  if (known.code.length === 0) return false
  const { digest } = await codeOf(session, number, paths).catch(() => ({ digest: '' }))
  const isOfNow = (head: Parameters<typeof isSameCode>[0]) => isSameCode(head, { sha: headSha, digest })
  if (!known.code.some(isOfNow)) return false
  // A job that failed may not be reported yet.
  const working = others.find(({ record }) => isAtWork(record) && isOfNow(record.head))
  if (working === undefined || working.record.state !== 'running') return true
  const job = await session.client.read(working.record.job.id).catch(() => undefined)
  return job?.status !== 'failed'
}
