import pLimit from 'p-limit'
import { type Ending, ending } from '../../core/outcome.ts'
import type { Covered } from '../../core/record.ts'
import type { PullRequest } from '../../event/objects.ts'
import type { Push } from '../../event/trigger.ts'
import type { Comparison } from '../../github/answers.ts'
import { CONTEXT_MS } from '../../github/patience.ts'
import type { ChangesSince, MergedLabels } from '../../inputs/inputs.ts'
import { DAY_MS } from '../../inputs/period.ts'
import {
  CONTEXT_BUDGET,
  describeFiles,
  type Excerpt,
  PAST_BUDGET,
  type RenderDeps,
  renderedBody,
  withinBudget,
} from '../../prompt/context.ts'
import { count, cut, oneLine } from '../../text.ts'
import { CAUSES } from '../../words/notes.ts'

/** One of the excluded labels decides, whatever others a pull request has. */
export function countsByLabels(
  { labels }: Pick<PullRequest, 'labels'>,
  wanted: MergedLabels | undefined,
): boolean {
  if (wanted === undefined) return true
  const { included, excluded } = wanted
  const has = new Set(labels.map((label) => label.toLowerCase()))
  if (excluded.some((label) => has.has(label))) return false
  return included.length === 0 || included.some((label) => has.has(label))
}

/** Each pull request once, in the order of their merges. @param last merge commit of those of one second */
const inOrder = (pulls: readonly PullRequest[], last = ''): readonly PullRequest[] =>
  [...new Map(pulls.map((pull) => [pull.number, pull])).values()].sort(
    (a, b) =>
      a.mergedAt - b.mergedAt ||
      Number(a.mergeCommitSha === last) - Number(b.mergeCommitSha === last) ||
      Number(b.fromFork) - Number(a.fromFork) ||
      a.number - b.number,
  )

const AT_A_TIME = 8
/** Of each pull request; what a person would skim has fewer. */
const MAX_FILES = 100
/** Of so many, text and files go along: with more, no share of the budget would hold a paragraph. */
const MOST_DETAILED = 24
const NOTE_ROOM = 120

/**
 * The titles of all, then link, text and files of the newest, then their patches: the latest state counts.
 * @param pulls in the order of their merges
 */
export async function describeMerged(
  deps: RenderDeps,
  heading: string,
  pulls: readonly PullRequest[],
): Promise<Excerpt> {
  const newest = pulls.toReversed()
  const detailed = newest.slice(0, MOST_DETAILED)
  // Shorter titles rather than fewer, where all of them do not fit.
  const longest = Math.max(20, Math.floor(CONTEXT_BUDGET / 2 / newest.length) - 14)
  const titles = newest.map(({ number, title }) => `- #${number}: ${cut(oneLine(title), longest)}`)
  const list = withinBudget([[heading, ...titles].join('\n')], CONTEXT_BUDGET / 2)
  const left = newest.length - detailed.length
  const note =
    left === 0
      ? ''
      : { text: `[The details of ${count(left, 'more pull request')} are left out.]`, leftOut: [PAST_BUDGET] }
  const texts: Excerpt[] = []
  const patches: string[] = []
  let room = CONTEXT_BUDGET - list.text.length - NOTE_ROOM
  for (const { pull, body, files } of await pLimit(AT_A_TIME).map(detailed, (pull) =>
    readDetail(deps, pull),
  )) {
    // Half for the text, half for the files: a long pull request leaves room for the others.
    const half = Math.floor(room / (detailed.length - texts.length) / 2)
    const [changed, ...more] = files
    const head = `Pull request #${pull.number}: ${oneLine(pull.title)}\n${pull.url}`
    const detail = withinBudget([head, withinBudget([body], half), withinBudget([changed], half)])
    texts.push(detail)
    patches.push(...more.map((patch, at) => (at === 0 ? `Patches of #${pull.number}:\n\n${patch}` : patch)))
    room -= detail.text.length + 2
  }
  return withinBudget([list, ...texts, note, ...patches])
}

async function readDetail(deps: RenderDeps, pull: PullRequest) {
  const { github, warnings } = deps
  const { number, body: markdown, html } = pull
  const [body, files] = await Promise.all([
    renderedBody(deps, { kind: 'pull', number }, markdown, html),
    warnings.warnOnFailure('files', () => github.pullRequestFiles(number, MAX_FILES, CONTEXT_MS)),
  ])
  return { pull, body, files: describeFiles(files, MAX_FILES) }
}

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
    ?.filter(({ state, base }) => state === 'merged' && base === branch)
    .map((pull) => ({ ...pull, mergeCommitSha: after }))
  const merged = inPushOrder([...byMerge, ...(madeHead ?? [])], after)
  // If the head merged nothing, an unknown commit before it may have merged a pull request.
  const hidesMerges = merged.length === 0 && comparison === undefined && commits.length === 0
  const isCut = comparison !== undefined && comparison.missing > 0
  return { merged, comparison, unread: hidesMerges || ofHead === undefined, isCut }
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

const FIRST_DAYS = 7

/** The time after which merges count, in ms since the epoch. */
export function pointOf(since: ChangesSince, covered: Covered, now: number): number {
  if (since === 'last-run') return covered.until || now - FIRST_DAYS * DAY_MS
  return 'at' in since ? since.at : now - since.days * DAY_MS
}

/** A repository with more closed pull requests than 100 pages hold is not read to its end. */
const MOST_PAGES = 100

/** Closed pull requests of a branch; undefined where they cannot be read. @param page from 1 */
export const closedPage = ({ github, warnings }: RenderDeps, branch: string, page: number) =>
  warnings.warnIfRefused('changes-since', () => github.closedPullRequests(branch, page))

/**
 * The pull requests merged after the point, in the order of their merges; undefined where they cannot be read.
 * @param first page, which can be read before the point is known
 */
export async function mergedSince(
  deps: RenderDeps,
  branch: string,
  point: number,
  first: readonly PullRequest[] | undefined,
): Promise<readonly PullRequest[] | undefined> {
  const isLater = ({ mergedAt }: PullRequest) => mergedAt > point
  const found: PullRequest[] = []
  let pages = 0
  for (let page = first; ; page = await closedPage(deps, branch, pages + 1)) {
    if (page === undefined) return undefined
    pages += 1
    found.push(...page.filter(isLater))
    // A merge is a change, so a page that ends before the point is the last one.
    if (page.length === 0 || (page.at(-1)?.updatedAt ?? 0) <= point || pages >= MOST_PAGES) break
  }
  // One that changed between two pages moved to the first one.
  const again = pages > 1 ? await closedPage(deps, branch, 1) : []
  return again && inOrder([...found, ...again.filter(isLater)])
}

export async function describeChanges(
  deps: RenderDeps,
  branch: string,
  point: number,
  pulls: readonly PullRequest[] | undefined,
): Promise<Excerpt> {
  if (pulls === undefined)
    return withinBudget([`[The pull requests merged ${since(branch, point)} could not be read.]`])
  const heading = `Pull requests merged ${since(branch, point)}: ${pulls.length}`
  return await describeMerged(deps, heading, pulls)
}

/** `into main since 2026-11-09 06:17 UTC` */
export function since(branch: string, point: number): string {
  const time = new Date(point).toISOString().slice(0, 16).replace('T', ' ')
  return `into ${branch} since ${time} UTC`
}
