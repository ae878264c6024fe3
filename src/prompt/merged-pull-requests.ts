import type { PullRequest } from '../event/objects.ts'
import type { MergedLabels } from '../inputs/inputs.ts'
import { count, cut, joined, oneLine } from '../text.ts'
import { CONTEXT_BUDGET, describeFilesOf, withinBudget } from './context.ts'
import { type RenderDeps, renderedBody } from './rendered-text.ts'

/** Contract 3.11. */
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

/** Each pull request once, in the order of their merges. @param rank among those of the same second */
export const inOrder = (
  pulls: readonly PullRequest[],
  rank: (pull: PullRequest) => number = () => 0,
): readonly PullRequest[] =>
  [...new Map(pulls.map((pull) => [pull.number, pull])).values()].sort(
    (a, b) => a.mergedAt - b.mergedAt || rank(a) - rank(b) || a.number - b.number,
  )

const AT_A_TIME = 8
/** Of each pull request; what a person would skim has fewer. */
const MAX_FILES = 100
/** Less room than this, in characters, shows nothing that is worth it. */
const SMALL = 400
const NOTE_ROOM = 120

/**
 * The titles of all, then link, text and files of as many as fit, then patches. The newest come first, because the
 * latest state counts.
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
    const fitting = withinBudget([text], room)
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
  const longest = Math.max(20, Math.floor((room - heading.length) / pulls.length) - 14)
  const titles = pulls.map(({ number, title }) => `- #${number}: ${cut(oneLine(title), longest)}`)
  return withinBudget([[heading, ...titles].join('\n')], room)
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
  return joined('\n\n', head, withinBudget([body], half), withinBudget([files], half))
}

const patchesOf = ({ pull, patches }: Detail): string[] =>
  patches.map((patch, at) => (at === 0 ? `Patches of #${pull.number}:\n\n${patch}` : patch))
