import pLimit from 'p-limit'
import type { ComparedCommit, Comparison, PullRequest } from '../github/answers.ts'
import { branchOf } from '../run-context.ts'
import type { Push } from './event.ts'
import type { RenderDeps } from './rendered-text.ts'

/** What a push brought (contract 3.8). */
export interface PushedChanges {
  /** The pull requests that it merged, in the order of their merges. */
  readonly merged: readonly PullRequest[]
  /** Undefined where there is nothing to compare, or where it cannot be read. */
  readonly comparison: Comparison | undefined
  /** Whether the pull requests could not be read. */
  readonly unread: boolean
}

/** A push of a merge queue holds a few merges; more commits than this are not looked up. */
const MAX_COMMITS = 50
const AT_A_TIME = 8

const LOOK_UP_TASK = {
  doing: 'look up the pull requests that the push merged',
  permission: 'pull-requests: read',
  consequence: 'The run describes the push by its commits and has no thread.',
}

/** Looks up the pull requests of the head and, where the push has several commits, of the others. */
export async function readPush({ forge, warnings }: RenderDeps, push: Push): Promise<PushedChanges> {
  const branch = branchOf(push.ref)
  // Nothing was merged into a branch that is new or gone.
  if (isNone(push.before) || isNone(push.after)) return { merged: [], comparison: undefined, unread: false }
  const merges = branch !== '' && !push.forced
  const compareTask = {
    doing: 'compare the push',
    permission: 'contents: read',
    consequence: merges ? LOOK_UP_TASK.consequence : '',
  }
  const lookUp = (sha: string) => warnings.warnOnFailure(LOOK_UP_TASK, () => forge.pullRequestsOf(sha))
  const [ofHead, comparison] = await Promise.all([
    merges ? lookUp(push.after) : [],
    warnings.warnOnFailure(compareTask, () => forge.compare(push.before, push.after)),
  ])
  const others = merges && ofHead !== undefined ? otherCommits(comparison?.commits ?? [], push.after) : []
  const limit = pLimit(AT_A_TIME)
  const found = [ofHead, ...(await Promise.all(others.map((sha) => limit(() => lookUp(sha)))))]
  const pulls = found.flatMap((some) => some ?? [])
  const unread = found.includes(undefined) || (merges && comparison === undefined)
  return { merged: mergedInto(branch, pulls), comparison, unread }
}

/** GitHub writes zeros for the side of a push that does not exist: a new branch, or one that is deleted. */
const isNone = (sha: string): boolean => /^0+$/.test(sha)

/**
 * The commits besides the head that a merge can have made, the newest first. Where the forge tells the parents, these
 * are the first parents of the head: the others came with a merge, and belong to its pull request.
 */
export function otherCommits(commits: readonly ComparedCommit[], head: string): readonly string[] {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]))
  if (commits.every(({ parent }) => parent === '')) {
    const all = commits.map(({ sha }) => sha).filter((sha) => sha !== head)
    return all.reverse().slice(0, MAX_COMMITS)
  }
  const line: string[] = []
  for (let at = bySha.get(head); at !== undefined && line.length < MAX_COMMITS; ) {
    const next = bySha.get(at.parent)
    // A cycle would have no end.
    if (next === undefined || line.includes(next.sha) || next.sha === head) break
    line.push(next.sha)
    at = next
  }
  return line
}

export const mergedInto = (branch: string, pulls: readonly PullRequest[]): readonly PullRequest[] =>
  inOrder(pulls.filter(({ state, base }) => state === 'merged' && base === branch))

/** Each pull request once, in the order of their merges. */
export const inOrder = (pulls: readonly PullRequest[]): readonly PullRequest[] =>
  [...new Map(pulls.map((pull) => [pull.number, pull])).values()].sort(
    (a, b) => a.mergedAt - b.mergedAt || a.number - b.number,
  )
