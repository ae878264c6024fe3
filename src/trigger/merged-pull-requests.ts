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
export async function readPush(deps: RenderDeps, push: Push): Promise<PushedChanges> {
  const { forge, warnings } = deps
  const branch = branchOf(push.ref)
  // Nothing was merged into a branch that is new or gone.
  if (isNone(push.before) || isNone(push.after)) return { merged: [], comparison: undefined, unread: false }
  const merges = branch !== '' && !push.forced
  const lookUp = (sha: string) => warnings.warnOnFailure(LOOK_UP_TASK, () => forge.pullRequestsOf(sha))
  const [ofHead, comparison] = await Promise.all([
    merges ? lookUp(push.after) : [],
    compare(deps, push, merges ? LOOK_UP_TASK.consequence : ''),
  ])
  const others = merges && ofHead !== undefined ? otherCommits(comparison?.commits ?? [], push.after) : []
  const limit = pLimit(AT_A_TIME)
  const found = [ofHead, ...(await Promise.all(others.map((sha) => limit(() => lookUp(sha)))))]
  return {
    merged: mergedInto(
      branch,
      found.flatMap((pulls) => pulls ?? []),
    ),
    comparison,
    unread: found.includes(undefined) || (merges && comparison === undefined),
  }
}

export async function compare(
  { forge, warnings }: RenderDeps,
  push: Push,
  consequence = '',
): Promise<Comparison | undefined> {
  if (isNone(push.before) || isNone(push.after)) return undefined
  const task = { doing: 'compare the push', permission: 'contents: read', consequence }
  return await warnings.warnOnFailure(task, () => forge.compare(push.before, push.after))
}

/** GitHub writes zeros for the side of a push that does not exist: a new branch, or one that is deleted. */
const isNone = (sha: string): boolean => /^0+$/.test(sha)

/**
 * The commits besides the head that a merge can have made, the newest first. Where the forge tells the parents, these
 * are the first parents of the head: the others came with a merge, and belong to its pull request.
 */
export function otherCommits(commits: readonly ComparedCommit[], head: string): readonly string[] {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]))
  const tellsParents = commits.some(({ parent }) => parent !== '')
  if (!tellsParents) {
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

/** Each merged pull request of the branch once, in the order of their merges. */
export function mergedInto(branch: string, pulls: readonly PullRequest[]): readonly PullRequest[] {
  const merged = pulls.filter(({ state, base }) => state === 'merged' && base === branch)
  return inOrder([...new Map(merged.map((pull) => [pull.number, pull])).values()])
}

export const inOrder = <P extends PullRequest>(pulls: readonly P[]): readonly P[] =>
  pulls.toSorted((a, b) => a.mergedAt - b.mergedAt || a.number - b.number)
