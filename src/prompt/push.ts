import pLimit from 'p-limit'
import type { PullRequest } from '../event/pull-request.ts'
import { branchOf } from '../event/run-context.ts'
import { isUpdate, type Push } from '../event/trigger.ts'
import type { ComparedCommit, Comparison } from '../github/answers.ts'
import type { MergedLabels } from '../merge-inputs.ts'
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
  /** The push has more commits than were looked up, so earlier pull requests may be missing. */
  readonly isCut: boolean
}

/** A push of a merge queue holds a few merges. */
const MAX_COMMITS = 50
const AT_A_TIME = 8

export async function readPush({ forge, warnings }: RenderDeps, push: Push): Promise<PushedChanges> {
  const { before, after, commits } = push
  const branch = branchOf(push.ref)
  const nothing: PushedChanges = { merged: [], comparison: undefined, unread: false, isCut: false }
  // Nothing was merged into a branch that is new or gone.
  if (!isUpdate(push)) return nothing
  const merges = branch !== '' && !push.forced
  const lookUp = (sha: string) => warnings.warnIfRefused(lookUpTask, () => forge.pullRequestsOf(sha))
  const [ofHead, comparison] = await Promise.all([
    merges ? lookUp(after) : [],
    warnings.warnOnFailure(compareTask, () => forge.compare(before, after)),
  ])
  if (!merges || ofHead === undefined) return { ...nothing, comparison, unread: merges }
  const { shas, isCut } = otherCommits(comparison ?? named(commits), after)
  const isMerged = ({ state, base }: PullRequest) => state === 'merged' && base === branch
  const [ofOthers, late] = await Promise.all([
    pLimit(AT_A_TIME).map(shas, lookUp),
    ofHead.some(isMerged)
      ? []
      : warnings.warnIfRefused(lookUpTask, () => forge.lastClosedPullRequests(branch)),
  ])
  const found = [ofHead, ...ofOthers.map((pulls) => pulls ?? []), ...byMerge(late ?? [], [after, ...shas])]
  const merged = inPushOrder(
    found.map((pulls) => pulls.filter(isMerged)),
    after,
  )
  // Behind a head that merged nothing, a commit that is not known may have.
  const hidesMerges = merged.length === 0 && comparison === undefined && commits.length === 0
  return { merged, comparison, unread: hidesMerges || ofOthers.includes(undefined), isCut }
}

/**
 * GitHub connects a commit with its pull requests some seconds after a merge. The pull request itself knows its merge
 * at once.
 */
const byMerge = (pulls: readonly PullRequest[], shas: readonly string[]): readonly PullRequest[][] =>
  shas.map((sha) => pulls.filter(({ mergeCommitSha }) => mergeCommitSha === sha))

type CommitList = Pick<Comparison, 'commits' | 'missing'>

/** Where the comparison cannot be read, the event names the commits. */
const named = (shas: readonly string[]): CommitList => ({
  commits: shas.map((sha) => ({ sha, parent: '', subject: '' })),
  missing: 0,
})

/**
 * The commits besides the head that a merge can have made, the newest first. Where the forge tells the parents, these
 * are the first parents of the head: the others came with a merge, and belong to its pull request.
 */
export function otherCommits(
  { commits, missing }: CommitList,
  head: string,
): { readonly shas: readonly string[]; readonly isCut: boolean } {
  const line = commits.some(({ parent }) => parent !== '')
    ? firstParents(commits, head)
    : commits
        .map(({ sha }) => sha)
        .filter((sha) => sha !== head)
        .reverse()
  return { shas: line.slice(0, MAX_COMMITS), isCut: line.length > MAX_COMMITS || missing > 0 }
}

function firstParents(commits: readonly ComparedCommit[], head: string): readonly string[] {
  const parents = new Map(commits.map(({ sha, parent }) => [sha, parent]))
  const line = new Set([head])
  let next = parents.get(head) ?? ''
  // A cycle would have no end.
  while (parents.has(next) && !line.has(next)) {
    line.add(next)
    next = parents.get(next) ?? ''
  }
  return [...line].slice(1)
}

/**
 * Each pull request once, in the order of their merges. A fork can open one with the commits of another, which then
 * counts as merged as well, even a second later: such copies are the first. Of equals, the one whose merge made the
 * head is the last.
 * @param found the merged pull requests of each commit
 */
export function inPushOrder(
  found: readonly (readonly PullRequest[])[],
  head: string,
): readonly PullRequest[] {
  const isCopy = ({ number, fromFork }: PullRequest) =>
    fromFork &&
    found.some(
      (pulls) => pulls.some((pull) => pull.number === number) && !pulls.every((pull) => pull.fromFork),
    )
  const rank = ({ fromFork, mergeCommitSha }: PullRequest) =>
    (mergeCommitSha === head ? 2 : 0) + (fromFork ? 0 : 1)
  const ordered = inOrder(found.flat(), rank)
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
