import pLimit from 'p-limit'
import { throwIfCancelled } from '../../base/deps.ts'
import { unlessRefused } from '../../base/errors.ts'
import { joined } from '../../base/text.ts'
import { type PullRequest, targetBranch } from '../../event/objects.ts'
import { defaultBranchOf } from '../../event/trigger.ts'
import { touchesPaths } from '../../inputs/paths.ts'
import { MAX_COMPARED_FILES } from '../../prompt/context.ts'
import type { PushedChanges } from '../../prompt/merged.ts'
import type { Task } from '../../prompt/task.ts'
import { acceptedChangesIn } from '../../record/changes-fold.ts'
import type { RequestComment } from '../../record/fold.ts'
import { isLeased, type RequestId, type ThreadRecords } from '../../record/log.ts'
import { type Ending, ending } from '../../record/outcome.ts'
import type { RequestIdentity } from '../../record/record.ts'
import { isOfSameRun, wasAskedByPullRequestEvent } from '../../record/request-identity.ts'
import { isInDoubt, isInProgress } from '../../record/states.ts'
import { withoutAgents } from '../../thread/agent-pull-requests.ts'
import { isSameChanges, pullChangesOf } from '../../thread/pull-changes.ts'
import type { Session } from '../../thread/session.ts'
import { readUnlessGone, Thread } from '../../thread/thread.ts'
import { hasUnreportedFailure } from '../../thread/unreported-failure.ts'
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
 * How the documentation of a merge stands, as the thread of its pull request knows.
 * `events`: the workflow of the pull request's events asked about it, and may ask what the agent lacks.
 * `in doubt`: the agent may have what was merged, and only a person asks that again.
 */
type Decision = 'open' | 'events' | 'in doubt' | 'decided'

/**
 * Where the inputs name no thread, it is the pull request that was merged last, of those that count.
 * @returns how the run ends where the push asks for nothing
 */
export async function findThreadOfPush(
  session: Session,
  identity: RequestIdentity,
  task: Task,
  push: Push,
): Promise<ThreadOfPush | Ending> {
  const { inputs } = task
  const { pushed, named, isNamed, isEmpty } = push
  const countIn = mergesThatCount(session, identity, task, push)
  let found = await countIn(named)
  for (let looks = 0; !isNamed && !pushed.unread && looks < pushed.merged.length; looks += 1) {
    if ('outcome' in found) return found
    const last = found.merged.at(-1)
    if (last === undefined || last.number === found.thread?.number) break
    throwIfCancelled(session.deps.cancellation)
    const thread = await readUnlessGone(session, new Thread(last.number))
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
  thread?.isRead === true && goesOn(thread.recordsFor(identity))

/** A doubt that the re-run of another run about the merge has ended is nothing to go on with. */
const goesOn = ({ current, facts }: ThreadRecords): boolean =>
  current !== undefined && (!isInDoubt(current.record) || facts.inDoubt.includes(current))

/** What of a push counts, by what one thread after the other knows. */
function mergesThatCount(
  session: Session,
  identity: RequestIdentity,
  task: Task,
  { pushed, links, isNamed }: Push,
) {
  const { inputs } = task
  // A thread can remember a pull request of the agent that the newest comments of the repository no longer name.
  const own = [...links]
  const { paths, allowedBots } = inputs
  const inPaths = countsByFiles(session, paths)
  return async function countIn(thread: Thread | undefined): Promise<ThreadOfPush | Ending> {
    if (thread?.isRead) own.push(thread.recordsFor(identity).facts.job?.prLink ?? '')
    const others = await withoutAgents(session, allowedBots, pushed.merged, own)
    const picked = pickMerges(pushed.merged, others, inputs, own)
    const { counting } = picked
    const unlessSent = (merged: readonly PullRequest[], end: Ending, uncounted = picked.uncounted) =>
      isSentIn(thread, identity) ? { thread, merged, uncounted } : end
    const noChanges = (cause: string, uncounted = picked.uncounted) =>
      ending('skipped', 'no-changes', joined(' ', cause, describeUncounted(uncounted)))
    const end = endOfPush(pushed.merged, others, picked, inputs)
    if (end !== undefined) return unlessSent(others, end)
    const touching = await inPaths(counting)
    const touches =
      counting.length === 0
        ? touchesPaths(paths, pushed.comparison?.files, MAX_COMPARED_FILES)
        : touching.length > 0
    if (!touches) return unlessSent(counting, noChanges(CAUSES.noneInPaths))
    const decided = await pLimit(8).map(
      touching,
      async (pull) => await readDecision(session, identity, task, pull),
    )
    const open = toAsk(touching, decided, isNamed)
    const leftToEvents = touching
      .filter((pull, at) => decided[at] === 'events' && !open.includes(pull))
      .map(({ number }) => number)
    const uncounted = { ...picked.uncounted, leftToEvents }
    if (counting.length === 0 || open.length > 0) return { thread, merged: open, uncounted }
    const cause = leftToEvents.length > 0 ? '' : CAUSES.decided
    const why = decided.includes('in doubt') ? CAUSES.mayBeAsked : cause
    return unlessSent(counting, noChanges(why, uncounted), uncounted)
  }
}

/**
 * Those of the merges that the push asks about. One alone is asked about in its own thread, where the last event of its pull request
 * sees the request; of several, the last events ask what the agent lacks.
 */
function toAsk(
  pulls: readonly PullRequest[],
  decided: readonly Decision[],
  isNamed: boolean,
): readonly PullRequest[] {
  const open = pulls.filter((_, at) => decided[at] === 'open')
  const ofEvents = pulls.filter((_, at) => decided[at] === 'events')
  return open.length === 0 && ofEvents.length === 1 && !isNamed ? ofEvents : open
}

/** @throws {GitHubError} where GitHub does not answer @throws {ServiceError} where a job that may have failed cannot be read */
async function readDecision(
  session: Session,
  id: RequestId,
  task: Task,
  pull: PullRequest,
): Promise<Decision> {
  const thread = new Thread(pull.number)
  if ((await unlessRefused(thread.read(session), 'unread')) === 'unread') return 'open'
  const records = thread.recordsFor(id)
  const { facts, others } = records
  // A re-run of this very request goes on with it.
  if (goesOn(records)) return 'open'
  if (facts.skip !== undefined) return 'decided'
  // Another step of this run asks for itself.
  const ofOtherRuns = others.filter(({ record }) => !isOfSameRun(record, id))
  return await decisionIn(ofOtherRuns, session, task, pull)
}

/** @param others the requests of the thread of the pull request, but for those of this run */
async function decisionIn(
  others: readonly RequestComment[],
  session: Session,
  task: Task,
  pull: PullRequest,
): Promise<Decision> {
  const { number, headSha } = pull
  const isOfEvents =
    targetBranch(pull) === defaultBranchOf(session.runner) &&
    others.some(({ record }) => wasAskedByPullRequestEvent(record))
  const lacking = isOfEvents ? 'events' : 'open'
  const { digest } = others.every(({ record }) => record.head.digest === '')
    ? { digest: '' }
    : await unlessRefused(pullChangesOf(session, number, task.inputs.paths), { digest: '' })
  const isOfNow = (head: Parameters<typeof isSameChanges>[0]) => isSameChanges(head, { sha: headSha, digest })
  const about = others.filter(({ record }) => isOfNow(record.head))
  if (!acceptedChangesIn(others.map(({ record }) => record)).some(isOfNow)) {
    const isLost = ({ record, updatedAt }: RequestComment) =>
      isInDoubt(record) && !isLeased(record, updatedAt, session.github.clock())
    return about.some(isLost) && session.runner.runAttempt === 1 ? 'in doubt' : lacking
  }
  // A job that failed may not be reported yet.
  const working = about.find(({ record }) => isInProgress(record))?.record
  return working !== undefined && (await hasUnreportedFailure(session, task, working)) ? lacking : 'decided'
}
