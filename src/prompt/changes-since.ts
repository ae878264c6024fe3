import type { PullRequest } from '../event/objects.ts'
import type { ChangesSince } from '../inputs/inputs.ts'
import { DAY_MS } from '../inputs/period.ts'
import { listMergedTask } from '../messages/side-tasks.ts'
import type { History } from '../request/history.ts'
import { describeMerged, inOrder } from './merged-pull-requests.ts'
import type { RenderDeps } from './rendered-text.ts'

const FIRST_DAYS = 7

/** The time after which merges count, in ms since the epoch. @param history undefined where it cannot be read */
export function pointOf(since: ChangesSince, history: History | undefined, now: number): number {
  if (since === 'last-run') return history?.coveredUntil || now - FIRST_DAYS * DAY_MS
  return 'at' in since ? since.at : now - since.days * DAY_MS
}

/**
 * Whether a later `last-run` can count from the newest merge of this request. Where the history cannot be read, merges
 * between the last run and the first days are not covered.
 */
export const movesPoint = (since: ChangesSince, history: History | undefined): boolean =>
  since !== 'last-run' || history !== undefined

/** A repository with more closed pull requests than 100 pages hold is not read to its end. */
const MOST_PAGES = 100

/** Closed pull requests of a branch; undefined where they cannot be read. */
type Page = readonly PullRequest[] | undefined
type ReadPage = (page: number) => Promise<Page>

export const closedPages =
  ({ forge, warnings }: RenderDeps, branch: string): ReadPage =>
  (page) =>
    warnings.warnIfRefused(listMergedTask, () => forge.closedPullRequests(branch, page))

/**
 * The pull requests merged after the point, in the order of their merges; undefined where they cannot be read.
 * @param first page, which can be read before the point is known
 */
export async function mergedSince(
  point: number,
  first: Page,
  readPage: ReadPage,
): Promise<readonly PullRequest[] | undefined> {
  const isLater = ({ mergedAt }: PullRequest) => mergedAt > point
  const found: PullRequest[] = []
  let pages = 0
  for (let page = first; ; page = await readPage(pages + 1)) {
    if (page === undefined) return undefined
    pages += 1
    found.push(...page.filter(isLater))
    // A merge is a change, so a page that ends before the point is the last one.
    if (page.length === 0 || (page.at(-1)?.updatedAt ?? 0) <= point || pages >= MOST_PAGES) break
  }
  // One that changed between two pages moved to the first one.
  const again = pages > 1 ? await readPage(1) : []
  return again && inOrder([...found, ...again.filter(isLater)])
}

export async function describeChanges(
  deps: RenderDeps,
  branch: string,
  point: number,
  pulls: readonly PullRequest[] | undefined,
): Promise<string> {
  if (pulls === undefined) return `[The pull requests merged ${since(branch, point)} could not be read.]`
  const heading = `Pull requests merged ${since(branch, point)}: ${pulls.length}`
  return await describeMerged(deps, heading, pulls)
}

/** `into main since 2026-11-09 06:17 UTC` */
export function since(branch: string, point: number): string {
  const time = new Date(point).toISOString().slice(0, 16).replace('T', ' ')
  return `into ${branch} since ${time} UTC`
}
