import pLimit from 'p-limit'
import { count, cut, oneLine } from '../base/text.ts'
import type { PullRequest } from '../event/objects.ts'
import type { Comparison } from '../github/answers.ts'
import { CONTEXT_MS } from '../github/patience.ts'
import {
  CONTEXT_BUDGET,
  describeFiles,
  type Excerpt,
  PAST_BUDGET,
  type RenderDeps,
  renderedBody,
  withinBudget,
} from './context.ts'

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
}

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
  const omitted = newest.length - detailed.length
  const note =
    omitted === 0
      ? ''
      : {
          text: `[The details of ${count(omitted, 'more pull request')} are left out.]`,
          omissions: [PAST_BUDGET],
        }
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
