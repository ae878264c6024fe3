import pLimit from 'p-limit'
import { minuteOf } from '../../base/text.ts'
import { isUpperLayer, type PullRequest } from '../../event/objects.ts'
import type { ChangesSince } from '../../inputs/inputs.ts'
import type { PathFilter } from '../../inputs/paths.ts'
import { DAY_MS } from '../../inputs/period.ts'
import { describeMerged } from '../../prompt/merged.ts'
import { type Part, partOf } from '../../prompt/parts.ts'
import type { RenderDeps } from '../../prompt/rendered.ts'
import type { Covered } from '../../record/fold.ts'
import { isOnTarget } from '../../thread/stack-layers.ts'

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

/** Closed pull requests; undefined where they cannot be read. @param base undefined for every branch @param page from 1 */
export const closedPage = ({ github, warnings }: RenderDeps, base: string | undefined, page: number) =>
  warnings.warnIfRefused('changes-since', () => github.closedPullRequests(base, page))

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
  const ofBranch = await closedSince(deps, branch, point, first)
  const upper = ofBranch?.some(isLayerFor(branch)) ? await upperLayersSince(deps, branch, point) : []
  return ofBranch && upper && inOrder([...ofBranch, ...upper].filter(({ mergedAt }) => mergedAt > point))
}

/** Of all that changed after the point; the last page can hold earlier ones. @param base undefined for every branch */
async function closedSince(
  deps: RenderDeps,
  base: string | undefined,
  point: number,
  first: readonly PullRequest[] | undefined,
): Promise<readonly PullRequest[] | undefined> {
  const found: PullRequest[] = []
  let pages = 0
  for (let page = first; ; page = await closedPage(deps, base, pages + 1)) {
    if (page === undefined) return undefined
    pages += 1
    found.push(...page)
    // A merge is a change, so a page that ends before the point is the last one.
    if (page.length === 0 || (page.at(-1)?.updatedAt ?? 0) <= point || pages >= MOST_PAGES) break
  }
  // One that changed between two pages moved to the first one.
  const again = pages > 1 ? await closedPage(deps, base, 1) : []
  return again && [...found, ...again]
}

/**
 * Only the lowest layer of a stack is in the list of its branch: GitHub moves the lowest that is not merged there, and where
 * others are merged with it, they keep the branch below. A merge that cannot be looked for counts, or it would be lost.
 */
async function upperLayersSince(deps: RenderDeps, branch: string, point: number) {
  const all = await closedSince(deps, undefined, point, await closedPage(deps, undefined, 1))
  const layers = all?.filter(
    (pull) =>
      pull.state === 'merged' && pull.mergedAt > point && isUpperLayer(pull) && isLayerFor(branch)(pull),
  )
  const areThere = await pLimit(8).map(layers ?? [], async (pull) => await isOnTarget(deps, pull))
  return layers?.filter((_, at) => areThere[at] !== false)
}

/** Whether a pull request is in a stack for the branch. */
export const isLayerFor =
  (branch: string) =>
  ({ stackBase }: Pick<PullRequest, 'stackBase'>): boolean =>
    stackBase !== '' && stackBase === branch

export async function describeChanges(
  deps: RenderDeps,
  branch: string,
  point: number,
  pulls: readonly PullRequest[] | undefined,
  { paths, note }: { readonly paths: PathFilter | undefined; readonly note: string },
): Promise<readonly Part[]> {
  if (pulls === undefined)
    return [partOf({ kind: 'merged titles', count: undefined }, '', { note: 'They could not be read.' })]
  const heading = `Pull requests merged ${since(branch, point)}: ${pulls.length}`
  return await describeMerged(deps, heading, pulls, paths, note)
}

/** `into main since 2026-11-09 06:17 UTC` */
export const since = (branch: string, point: number): string => `into ${branch} since ${minuteOf(point)}`
