import pLimit from 'p-limit'
import type { PullRequest } from '../event/pull-request.ts'
import { branchOf } from '../event/run-context.ts'
import type { Push } from '../event/trigger.ts'
import type { ComparedCommit, Comparison } from '../github/answers.ts'
import { count, cut, oneLine } from '../text.ts'
import { CONTEXT_BUDGET, cutToFit, describeFilesOf, withinBudget } from './context.ts'
import { type RenderDeps, renderedBody } from './rendered-text.ts'

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
/** Pull requests that are looked up or read at the same time. */
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
  const consequence = merges ? LOOK_UP_TASK.consequence : ''
  const compareTask = { doing: 'compare the push', permission: 'contents: read', consequence }
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
  let next = bySha.get(bySha.get(head)?.parent ?? '')
  // A cycle would have no end.
  while (next !== undefined && line.length < MAX_COMMITS && ![head, ...line].includes(next.sha)) {
    line.push(next.sha)
    next = bySha.get(next.parent)
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

/** Of each pull request; what a person would skim has fewer. */
const MAX_FILES = 100
/** Characters that are not worth a part of what they would show. */
const SMALL = 400
/** For the note about what is left out. */
const NOTE_ROOM = 120

/**
 * Merged pull requests within the budget: the titles of all, then link, text and files of as many as fit, then patches.
 * The newest come first, because the latest state counts.
 * @param pulls in the order of their merges
 */
export async function describeMerged(
  deps: RenderDeps,
  heading: string,
  pulls: readonly PullRequest[],
): Promise<string> {
  const newest = pulls.toReversed()
  const titles = describeTitles(heading, newest, CONTEXT_BUDGET - NOTE_ROOM)
  const parts = [titles]
  let room = CONTEXT_BUDGET - NOTE_ROOM - titles.length
  const add = (text: string) => {
    const fitting = cutToFit(text, room)
    parts.push(fitting)
    room -= fitting.length + 2
  }
  const detailed: Detail[] = []
  while (room > SMALL && detailed.length < newest.length) {
    const batch = newest.slice(detailed.length, detailed.length + AT_A_TIME)
    const share = Math.max(1500, Math.floor(room / batch.length))
    for (const detail of await Promise.all(batch.map((pull) => readDetail(deps, pull)))) {
      if (room <= SMALL) break
      add(describeDetail(detail, share))
      detailed.push(detail)
    }
  }
  const left = newest.length - detailed.length
  if (left > 0) parts.push(`[The details of ${count(left, 'more pull request')} are left out.]`)
  for (const patch of left > 0 ? [] : detailed.flatMap(patchesOf)) {
    if (room <= SMALL) {
      parts.push('[More patches are left out.]')
      break
    }
    add(patch)
  }
  return withinBudget(parts)
}

/** Shorter titles rather than fewer, where all of them do not fit. */
function describeTitles(heading: string, pulls: readonly PullRequest[], room: number): string {
  const lines = (longest: number) =>
    pulls.map(({ number, title }) => `- #${number}: ${cut(oneLine(title), longest)}`)
  const short = Math.max(20, Math.floor((room - heading.length) / pulls.length) - 14)
  for (const longest of [Number.POSITIVE_INFINITY, short]) {
    const text = [heading, ...lines(longest)].join('\n')
    if (text.length <= room) return text
  }
  const some = lines(short)
  let [length, shown] = [heading.length + NOTE_ROOM, 0]
  for (const line of some) {
    length += line.length + 1
    if (length > room) break
    shown += 1
  }
  const note = `[${count(some.length - shown, 'more pull request')} without a title here]`
  return [heading, ...some.slice(0, shown), note].join('\n')
}

type Detail = Awaited<ReturnType<typeof readDetail>>

async function readDetail(deps: RenderDeps, pull: PullRequest) {
  const { number, body: markdown, html } = pull
  const [body, [files = '', ...patches]] = await Promise.all([
    renderedBody(deps, { kind: 'pull', number }, markdown, html),
    describeFilesOf(deps, number, MAX_FILES),
  ])
  return { pull, body, files, patches }
}

/** @param share characters for text and files, so that a long one leaves room for the others */
function describeDetail({ pull, body, files }: Detail, share: number): string {
  const head = `Pull request #${pull.number}: ${oneLine(pull.title)}\n${pull.url}`
  const half = Math.floor(share / 2)
  return [head, cutToFit(body, half), cutToFit(files, half)].filter(Boolean).join('\n\n')
}

const patchesOf = ({ pull, patches }: Detail): string[] =>
  patches.map((patch, at) => (at === 0 ? `Patches of #${pull.number}:\n\n${patch}` : patch))
