import pLimit from 'p-limit'
import { count, joined } from '../base/text.ts'
import type { PullRequest } from '../event/objects.ts'
import type { Comparison } from '../github/answers.ts'
import { CONTEXT_MS } from '../github/retry-budget.ts'
import type { PathFilter } from '../inputs/paths.ts'
import { isAllThere, missingOfAll } from '../words/missing-changes.ts'
import type { Omission } from '../words/side-tasks.ts'
import { budgetOfMerged } from './budgets.ts'
import { textsOfMerged } from './change-texts.ts'
import { titleOf } from './context.ts'
import { cutPart, inOneLine, lengthOf, type Part, partOf, type Section } from './parts.ts'
import { type RenderDeps, renderedBody } from './rendered.ts'

/** What a push brought. */
export interface PushedChanges {
  /** The pull requests that it merged, in the order of their merges: the last one is the thread. */
  readonly merged: readonly PullRequest[]
  /** Undefined where there is nothing to compare, or where it cannot be read. */
  readonly comparison: Comparison | undefined
  /** Some of the pull requests could not be read. */
  readonly unread: boolean
  /** The push has more commits than GitHub lists, so earlier pull requests may be missing. */
  readonly isCut: boolean
  /** About pull requests that do not count; '' for none. */
  readonly note: string
}

const AT_A_TIME = 8
/** Of each pull request; what a person would skim has fewer. */
const MOST_MERGED_FILES = 100
/** Text and files go along of no more pull requests: else no share of the budget would hold a paragraph. */
const MOST_DETAILED = 24

/**
 * The titles of all, then link, text and patches of the newest: each has an equal share of the budget.
 * @param heading of the titles @param pulls in the order of their merges @param note about the list
 */
export async function describeMerged(
  deps: RenderDeps,
  heading: string,
  pulls: readonly PullRequest[],
  paths: PathFilter | undefined,
  note = '',
): Promise<readonly Part[]> {
  const newest = pulls.toReversed()
  const budget = budgetOfMerged(pulls.length)
  // Shorter titles rather than fewer, where all of them do not fit.
  const longest = Math.max(20, Math.floor(budget / 2 / newest.length) - 14)
  const titles = newest.map(({ number, title }) => `- #${number}: ${inOneLine(title, longest)}`)
  const list = cutPart(
    partOf({ kind: 'merged titles', count: newest.length }, [inOneLine(heading), ...titles].join('\n'), {
      note,
    }),
    budget / 2,
    { kind: 'context', most: budget },
  )
  const detailed = newest.slice(0, MOST_DETAILED)
  const all = await pLimit(AT_A_TIME).map(detailed, (pull) => readDetail(deps, pull))
  return [list, ...describeDetails(all, paths, budget, lengthOf(list), newest.length - detailed.length)]
}

type Detail = Awaited<ReturnType<typeof readDetail>>

/** @param used of the budget, by the titles @param omitted how many more pull requests there are */
function describeDetails(
  all: readonly Detail[],
  paths: PathFilter | undefined,
  budget: number,
  used: number,
  omitted: number,
): readonly Part[] {
  const around = all.reduce(
    (sum, { heading, start, number }) => sum + heading.length + start.length + patchesOf(number).length + 12,
    0,
  )
  const changes = all.map(({ body, files = [], total }) => ({ description: body.text, files, total, paths }))
  const shown = textsOfMerged(changes, Math.max(0, budget - used - around))
  const texts = all.map(
    ({ heading, start }, at): Section => ({
      heading,
      text: joined('\n\n', start, shown[at]?.description ?? '', shown[at]?.list ?? ''),
    }),
  )
  const patches = all.map(
    ({ number }, at): Section => ({ heading: patchesOf(number), text: shown[at]?.patches ?? '' }),
  )
  const about = all.map(({ number, body, files }) =>
    joined(
      ' ',
      body.note && `Text of #${number}: ${body.note}`,
      files === undefined ? `Files of #${number}: They could not be read.` : '',
    ),
  )
  const legends = new Set(
    shown
      .map(({ legend }) => legend)
      .filter(Boolean)
      .toSorted()
      .reverse()
      .slice(0, 1),
  )
  const notes = all.map(({ number }, at) => shown[at]?.note && `#${number}: ${shown[at].note}`)
  const more = omitted === 0 ? '' : `Left out: the details of ${count(omitted, 'more pull request')}.`
  const missing = missingOfAll(shown.map(({ missing }) => missing))
  const omissions: readonly Omission[] = [
    ...(isAllThere(missing) ? [] : [{ kind: 'changes', missing, most: budget } as const]),
    ...(omitted === 0 ? [] : [{ kind: 'context', most: budget } as const]),
  ]
  return [
    partOf({ kind: 'merged texts' }, texts, {
      note: joined(' ', ...about, more),
      omissions,
      pictures: all.reduce((sum, { body }) => sum + body.pictures, 0),
    }),
    partOf(
      { kind: 'patches', of: 'merged pull requests' },
      patches.filter(({ text }) => text !== ''),
      {
        note: joined(' ', ...legends, ...notes.map((note) => note ?? '')),
      },
    ),
  ]
}

const patchesOf = (number: number): string => `Patches of #${number}:`

async function readDetail(deps: RenderDeps, pull: PullRequest) {
  const { github, warnings } = deps
  const { number, url, body: markdown, html, author, changedFiles } = pull
  const [body, files] = await Promise.all([
    renderedBody(deps, { kind: 'pull', number }, markdown, html),
    warnings.warnOnFailure('files', () => github.pullRequestFiles(number, MOST_MERGED_FILES, CONTEXT_MS)),
  ])
  const by = author === undefined ? 'an account that GitHub does not show' : `@${author.login}`
  const heading = `Pull request #${number}, by ${by}:`
  return { number, heading, start: `${titleOf(pull)}\n${url}`, body, files, total: changedFiles }
}
