import { type PullRequest, targetBranch } from '../../event/objects.ts'
import type { Push } from '../../event/trigger.ts'
import type { MergedLabels } from '../../inputs/inputs.ts'
import type { PushedChanges } from '../../prompt/merged.ts'
import type { RenderDeps } from '../../prompt/rendered.ts'
import { type Ending, ending } from '../../record/outcome.ts'
import { CAUSES } from '../../words/notes.ts'
import { countsByLabels, inOrder, isLayerFor } from './merged-since.ts'

/** @throws {GitHubError} where GitHub does not answer about the pull requests */
export async function readPush({ github, warnings }: RenderDeps, push: Push): Promise<PushedChanges> {
  const { before, after, commits } = push
  const nothing: PushedChanges = { merged: [], comparison: undefined, unread: false, isCut: false }
  // Nothing was merged into a branch that is new or gone.
  if (push.change !== 'updated') return nothing
  const branch = push.forced ? '' : push.branch
  const [closed, comparison] = await Promise.all([
    branch === '' ? [] : warnings.warnIfRefused('merged', () => github.mergedInto(branch)),
    warnings.warnOnFailure('comparison', () => github.compare(before, after)),
  ])
  if (closed === undefined || branch === '') return { ...nothing, comparison, unread: branch !== '' }
  // Where the comparison cannot be read, the event names the commits.
  const shas = new Set([after, ...(comparison?.commits.map(({ sha }) => sha) ?? commits)])
  const byMerge = closed.filter(({ mergeCommitSha }) => shas.has(mergeCommitSha))
  const isHeadKnown = byMerge.some(({ mergeCommitSha }) => mergeCommitSha === after)
  const ofHead = isHeadKnown ? [] : await warnings.warnIfRefused('merged', () => github.pullRequestsOf(after))
  const madeHead = ofHead
    ?.filter((pull) => pull.state === 'merged' && targetBranch(pull) === branch)
    .map((pull) => ({ ...pull, mergeCommitSha: after }))
  const found = [...byMerge, ...(madeHead ?? [])]
  // The list of the branch has only the lowest layer of a stack; the commits tell which others came with it.
  const all = [...found, ...(ofHead ?? [])].some(isLayerFor(branch))
    ? await warnings.warnIfRefused('merged', () => github.mergedInto(undefined))
    : []
  const upper = all?.filter((pull) => isLayerFor(branch)(pull) && shas.has(pull.mergeCommitSha))
  const merged = inPushOrder([...found, ...(upper ?? [])], after)
  // If the head merged nothing, an unknown commit before it may have merged a pull request.
  const hidesMerges = merged.length === 0 && comparison === undefined && commits.length === 0
  const isCut = comparison !== undefined && comparison.missing > 0
  return { merged, comparison, unread: hidesMerges || ofHead === undefined || all === undefined, isCut }
}

/**
 * Each pull request once, in the order of their merges. A fork can open a copy of another pull request with its commits,
 * and GitHub then counts the copy as merged as well: it goes.
 */
export function inPushOrder(found: readonly PullRequest[], head: string): readonly PullRequest[] {
  const own = new Set(found.flatMap(({ fromFork, mergeCommitSha }) => (fromFork ? [] : [mergeCommitSha])))
  return inOrder(
    found.filter(({ fromFork, mergeCommitSha }) => !fromFork || !own.has(mergeCommitSha)),
    head,
  )
}

/**
 * Which of the merged pull requests the request is for.
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

/**
 * Whether a push leaves nothing to document: a new or restored branch, or a tag, whose commits were there before; a branch that was
 * set back; commits that change no file. What GitHub does not tell may have changed something.
 */
export const bringsNothing = (
  { change, hasNewCommit }: Pick<Push, 'change' | 'hasNewCommit'>,
  { comparison }: Pick<PushedChanges, 'comparison'>,
): boolean => (change === 'created' ? !hasNewCommit : comparison?.files?.length === 0)
