import { type Deps, sleepUnlessCancelled } from '../../base/deps.ts'
import { type PullRequest, targetBranch } from '../../event/objects.ts'
import type { Push } from '../../event/trigger.ts'
import type { Inputs } from '../../inputs/inputs.ts'
import type { PushedChanges } from '../../prompt/merged.ts'
import type { RenderDeps } from '../../prompt/rendered.ts'
import { type Ending, ending } from '../../record/outcome.ts'
import { nonePushed } from '../../words/notes.ts'
import { describeUncounted } from '../../words/uncounted-merges.ts'
import { inOrder, isLayerFor } from './merged-since.ts'
import type { PickedMerges } from './pick-merges.ts'

interface PushDeps extends RenderDeps {
  readonly deps: Pick<Deps, 'cancellation' | 'sleep'>
}

/** @throws {GitHubError} where GitHub does not answer about the pull requests */
export async function readPush(session: PushDeps, push: Push): Promise<PushedChanges> {
  const { github, warnings } = session
  const { before, after, commits } = push
  const nothing: PushedChanges = { merged: [], comparison: undefined, unread: false, isCut: false, note: '' }
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
  const isStack = [...found, ...(ofHead ?? [])].some(isLayerFor(branch))
  const upper = isStack ? await upperLayers(session, { branch, after, shas, found }) : []
  const merged = inPushOrder([...found, ...(upper ?? [])], after)
  // If the head merged nothing, an unknown commit before it may have merged a pull request.
  const hidesMerges = merged.length === 0 && comparison === undefined && commits.length === 0
  const isCut = comparison !== undefined && comparison.missing > 0
  return {
    merged,
    comparison,
    unread: hidesMerges || ofHead === undefined || upper === undefined,
    isCut,
    note: '',
  }
}

/** Nothing is documented of how long GitHub takes to mark all layers of a stack as merged. */
const MOST_LOOKS = 3
const BETWEEN_LOOKS_MS = 5000

/**
 * The layers of stacks that the push merged. GitHub's list of the branch has only the lowest of each; the commits tell which
 * others came with it. They are marked as merged one after another, so while nothing is known of the head, a later look may find it.
 * @param push with what is `found` of it @returns undefined where GitHub refuses to list them
 */
async function upperLayers(
  { github, warnings, deps }: PushDeps,
  push: Pick<Push, 'branch' | 'after'> & {
    readonly shas: ReadonlySet<string>
    readonly found: readonly PullRequest[]
  },
): Promise<readonly PullRequest[] | undefined> {
  const { branch, after, shas, found } = push
  const isHead = ({ mergeCommitSha }: PullRequest) => mergeCommitSha === after
  for (let looks = 1; ; looks += 1) {
    const all = await warnings.warnIfRefused('merged', () => github.mergedInto(undefined))
    const upper = all?.filter((pull) => isLayerFor(branch)(pull) && shas.has(pull.mergeCommitSha))
    if (upper === undefined || looks >= MOST_LOOKS || [...found, ...upper].some(isHead)) return upper
    await sleepUnlessCancelled(deps, BETWEEN_LOOKS_MS)
  }
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
 * How the run ends where none of the merged pull requests counts.
 * @param others of the merged ones, those that are not of bots or of the agent
 * @returns undefined where one counts, or where the request is for the comparison
 */
export function endOfPush(
  merged: readonly PullRequest[],
  others: readonly PullRequest[],
  { counting, uncounted }: PickedMerges,
  { mergedLabels }: Pick<Inputs, 'mergedLabels'>,
): Ending | undefined {
  if (counting.length > 0 || (merged.length === 0 && mergedLabels === undefined)) return undefined
  return merged.length > 0 && others.length === 0
    ? ending('skipped', 'agent-pull-request', describeUncounted(uncounted))
    : ending('skipped', 'no-changes', nonePushed(uncounted))
}

/**
 * Whether a push leaves nothing to document: a new or restored branch, or a tag, whose commits were there before; a branch that was
 * set back; commits that change no file. What GitHub does not tell may have changed something.
 */
export const bringsNothing = (
  { change, hasNewCommit }: Pick<Push, 'change' | 'hasNewCommit'>,
  { comparison }: Pick<PushedChanges, 'comparison'>,
): boolean => (change === 'created' ? !hasNewCommit : comparison?.files?.length === 0)
