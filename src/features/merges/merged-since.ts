import type { PullRequest } from '../../event/objects.ts'
import type { ChangesSince, MergedLabels } from '../../inputs/inputs.ts'
import type { PathFilter } from '../../inputs/paths.ts'
import { DAY_MS } from '../../inputs/period.ts'
import { describeMerged } from '../../prompt/merged.ts'
import { type Part, partOf } from '../../prompt/parts.ts'
import type { RenderDeps } from '../../prompt/rendered.ts'
import type { Covered } from '../../record/merges-fold.ts'

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
export const inOrder = (pulls: readonly PullRequest[], last = ''): readonly PullRequest[] =>
  [...new Map(pulls.map((pull) => [pull.number, pull])).values()].sort(
    (a, b) =>
      a.mergedAt - b.mergedAt ||
      Number(a.mergeCommitSha === last) - Number(b.mergeCommitSha === last) ||
      Number(b.fromFork) - Number(a.fromFork) ||
      a.number - b.number,
  )

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
  paths: PathFilter | undefined,
): Promise<readonly Part[]> {
  if (pulls === undefined)
    return [partOf({ kind: 'merged titles', count: undefined }, '', { note: 'They could not be read.' })]
  const heading = `Pull requests merged ${since(branch, point)}: ${pulls.length}`
  return await describeMerged(deps, heading, pulls, paths)
}

/** `into main since 2026-11-09 06:17 UTC` */
export function since(branch: string, point: number): string {
  const time = new Date(point).toISOString().slice(0, 16).replace('T', ' ')
  return `into ${branch} since ${time} UTC`
}
