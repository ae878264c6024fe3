import pLimit from 'p-limit'
import { throwIfCancelled } from '../../base/deps.ts'
import { isRefused } from '../../base/errors.ts'
import { joined } from '../../base/text.ts'
import { type PullRequest, targetBranch } from '../../event/objects.ts'
import { defaultBranchOf } from '../../event/trigger.ts'
import { type PathFilter, touchesPaths } from '../../inputs/paths.ts'
import { MAX_COMPARED_FILES } from '../../prompt/context.ts'
import type { PushedChanges } from '../../prompt/merged.ts'
import type { Task } from '../../prompt/task.ts'
import type { RequestId } from '../../record/log.ts'
import { type Ending, ending } from '../../record/outcome.ts'
import { isAtWork, isOfPullRequestEvent, type RequestIdentity } from '../../record/record.ts'
import { withoutAgents } from '../../thread/agent-pull-requests.ts'
import { isSameChanges, pullChangesOf } from '../../thread/pull-changes.ts'
import type { Session } from '../../thread/session.ts'
import { readOrForget, Thread } from '../../thread/thread.ts'
import { CAUSES, unreadThread } from '../../words/notes.ts'
import { describeUncounted, type UncountedMerges } from '../../words/uncounted-merges.ts'
import { countsByFiles } from './changes.ts'
import { pickMerges } from './pick-merges.ts'
import { endOfPush } from './push.ts'

interface Push {
  /** What it merged, and all that it changed. */
  readonly pushed: PushedChanges
  /** To the agent's pull requests. */
  readonly links: readonly string[]
  /** The thread of the inputs, as it was read. */
  readonly named: Thread | undefined
  /** The inputs name the thread. */
  readonly isNamed: boolean
  /** It brings nothing that can be documented. */
  readonly isEmpty: boolean
}

interface ThreadOfPush {
  readonly thread: Thread | undefined
  /** Of what the push merged, what counts, in the order of the merges. */
  readonly merged: readonly PullRequest[]
  readonly uncounted: UncountedMerges
}

/**
 * Where the inputs name no thread, it is the pull request that was merged last, of those that count.
 * @returns how the run ends where the push asks for nothing
 */
export async function findThreadOfPush(
  session: Session,
  identity: RequestIdentity,
  inputs: Task['inputs'],
  push: Push,
): Promise<ThreadOfPush | Ending> {
  const { pushed, named, isNamed, isEmpty } = push
  const countIn = mergesThatCount(session, identity, inputs, push)
  let found = await countIn(named)
  for (let looks = 0; !isNamed && !pushed.unread && looks < pushed.merged.length; looks += 1) {
    if ('outcome' in found) return found
    const last = found.merged.at(-1)
    if (last === undefined || last.number === found.thread?.number) break
    throwIfCancelled(session.deps.cancellation)
    const thread = await readOrForget(session, new Thread(last.number))
    if (thread === undefined) {
      found = { ...found, thread }
      break
    }
    found = await countIn(thread)
  }
  if ('outcome' in found) return found
  const { thread } = found
  if (isEmpty && !isSentIn(thread, identity)) return ending('skipped', 'no-changes', CAUSES.emptyPush)
  // An earlier attempt may have read the merges that this one could not, and started its job in one of their threads.
  if (pushed.unread && thread === undefined && session.runner.runAttempt > 1 && !inputs.dryRun)
    return unreadThread('creation-uncertain', undefined)
  return found
}

/** A re-run goes on with what an earlier attempt sent. */
const isSentIn = (thread: Thread | undefined, identity: RequestIdentity): boolean =>
  thread?.isRead === true && thread.recordsFor(identity).current !== undefined

/** What of a push counts, by what one thread after the other knows. */
function mergesThatCount(
  session: Session,
  identity: RequestIdentity,
  inputs: Task['inputs'],
  { pushed, links }: Push,
) {
  // A thread can remember a pull request of the agent that the newest comments of the repository no longer name.
  const own = [...links]
  const { paths, allowedBots } = inputs
  const inPaths = countsByFiles(session, paths)
  return async function countIn(thread: Thread | undefined): Promise<ThreadOfPush | Ending> {
    if (thread?.isRead) own.push(thread.recordsFor(identity).facts.job?.prLink ?? '')
    const others = await withoutAgents(session, allowedBots, pushed.merged, own)
    const picked = pickMerges(pushed.merged, others, inputs, own)
    const { counting, uncounted } = picked
    const unlessSent = (merged: readonly PullRequest[], end: Ending) =>
      isSentIn(thread, identity) ? { thread, merged, uncounted } : end
    const noChanges = (cause: string) =>
      ending('skipped', 'no-changes', joined(' ', cause, describeUncounted(uncounted)))
    const end = endOfPush(pushed.merged, others, picked, inputs)
    if (end !== undefined) return unlessSent(others, end)
    const touching = await inPaths(counting)
    const touches =
      counting.length === 0
        ? touchesPaths(paths, pushed.comparison?.files, MAX_COMPARED_FILES)
        : touching.length > 0
    if (!touches) return unlessSent(counting, noChanges(CAUSES.noneInPaths))
    const open = await undecided(session, identity, touching, paths)
    if (counting.length === 0 || open.length > 0) return { thread, merged: open, uncounted }
    return unlessSent(counting, noChanges(CAUSES.decided))
  }
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

/**
 * As its thread knows: a skip, or the agent has what was merged. What the workflow of its events asked about, their last event asks
 * for, where it was merged into the default branch.
 */
async function isDecided(
  session: Session,
  id: RequestId,
  pull: PullRequest,
  paths: PathFilter | undefined,
): Promise<boolean> {
  const { number, headSha } = pull
  const thread = new Thread(number)
  try {
    await thread.read(session)
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
  const { current, facts, others } = thread.recordsFor(id)
  const { skip, acceptedChanges } = facts
  // A re-run of this very request goes on with it.
  if (current !== undefined) return false
  if (skip !== undefined) return true
  if (
    targetBranch(pull) === defaultBranchOf(session.runner) &&
    others.some(({ record }) => isOfPullRequestEvent(record))
  )
    return true
  if (acceptedChanges.length === 0) return false
  const { digest } = await pullChangesOf(session, number, paths).catch(() => ({ digest: '' }))
  const isOfNow = (head: Parameters<typeof isSameChanges>[0]) => isSameChanges(head, { sha: headSha, digest })
  if (!acceptedChanges.some(isOfNow)) return false
  // A job that failed may not be reported yet.
  const working = others.find(({ record }) => isAtWork(record) && isOfNow(record.head))
  if (working === undefined || working.record.state !== 'running') return true
  const job = await session.client.read(working.record.job.id).catch(() => undefined)
  return job?.status !== 'failed'
}
