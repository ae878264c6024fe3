import type { PullRequest } from '../event/objects.ts'
import { branchOf, isUpdate, type Push } from '../event/trigger.ts'
import type { Comparison } from '../github/answers.ts'
import type { MergedLabels } from '../inputs/inputs.ts'
import { CAUSES } from '../messages/notes.ts'
import { compareTask, lookUpTask } from '../messages/side-tasks.ts'
import { type Ending, ending } from '../request/outcome.ts'
import { countsByLabels, inOrder } from './merged-pull-requests.ts'
import type { RenderDeps } from './rendered-text.ts'

export interface PushedChanges {
  /** The pull requests that it merged, in the order of their merges: the last one is the thread. */
  readonly merged: readonly PullRequest[]
  /** Undefined where there is nothing to compare, or where it cannot be read. */
  readonly comparison: Comparison | undefined
  /** Some of the pull requests could not be read. */
  readonly unread: boolean
  /** The push has more commits than GitHub lists, so earlier pull requests may be missing. */
  readonly isCut: boolean
}

/** @throws {ForgeError} where GitHub does not answer about the pull requests */
export async function readPush({ forge, warnings }: RenderDeps, push: Push): Promise<PushedChanges> {
  const { before, after, commits } = push
  const nothing: PushedChanges = { merged: [], comparison: undefined, unread: false, isCut: false }
  // Nothing was merged into a branch that is new or gone.
  if (!isUpdate(push)) return nothing
  const branch = push.forced ? '' : branchOf(push.ref)
  const [closed, comparison] = await Promise.all([
    branch === '' ? [] : warnings.warnIfRefused(lookUpTask, () => forge.mergedInto(branch)),
    warnings.warnOnFailure(compareTask, () => forge.compare(before, after)),
  ])
  if (closed === undefined || branch === '') return { ...nothing, comparison, unread: branch !== '' }
  // Where the comparison cannot be read, the event names the commits.
  const shas = new Set([after, ...(comparison?.commits.map(({ sha }) => sha) ?? commits)])
  const byMerge = closed.filter(({ mergeCommitSha }) => shas.has(mergeCommitSha))
  const isHeadKnown = byMerge.some(({ mergeCommitSha }) => mergeCommitSha === after)
  const ofHead = isHeadKnown
    ? []
    : await warnings.warnIfRefused(lookUpTask, () => forge.pullRequestsOf(after))
  const madeHead = ofHead
    ?.filter(({ state, base }) => state === 'merged' && base === branch)
    .map((pull) => ({ ...pull, mergeCommitSha: after }))
  const merged = inPushOrder([...byMerge, ...(madeHead ?? [])], after)
  // Behind a head that merged nothing, a commit that is not known may have.
  const hidesMerges = merged.length === 0 && comparison === undefined && commits.length === 0
  const isCut = comparison !== undefined && comparison.missing > 0
  return { merged, comparison, unread: hidesMerges || ofHead === undefined, isCut }
}

/**
 * Each pull request once, in the order of their merges. A fork can open one with the commits of another, which then
 * counts as merged as well, even a second later: such copies are the first. Of equals, the one whose merge made the
 * head is the last.
 */
export function inPushOrder(found: readonly PullRequest[], head: string): readonly PullRequest[] {
  const own = new Set(found.flatMap(({ fromFork, mergeCommitSha }) => (fromFork ? [] : [mergeCommitSha])))
  const isCopy = ({ fromFork, mergeCommitSha }: PullRequest) => fromFork && own.has(mergeCommitSha)
  const rank = ({ fromFork, mergeCommitSha }: PullRequest) =>
    (mergeCommitSha === head ? 2 : 0) + (fromFork ? 0 : 1)
  const ordered = inOrder(found, rank)
  return [...ordered.filter(isCopy), ...ordered.filter((pull) => !isCopy(pull))]
}

/**
 * Which of the merged pull requests the request is for (contract 3.5, 3.11).
 * @param others of the merged ones, those that are not the agent's own
 * @returns none where it is for the comparison; how the run ends where the push asks for nothing
 */
export function planPush(
  merged: readonly PullRequest[],
  others: readonly PullRequest[],
  labels: MergedLabels | undefined,
): readonly PullRequest[] | Ending {
  if (merged.length > 0 && others.length === 0) return ending('skipped', 'agent-pull-request')
  const counting = others.filter((pull) => countsByLabels(pull, labels))
  if (labels === undefined || counting.length > 0) return counting
  return ending('skipped', 'no-changes', CAUSES.noneCounts)
}
