import pLimit from 'p-limit'
import { count, joined } from '../base/text.ts'
import type { PullRequest } from '../event/objects.ts'
import type { Comparison } from '../github/answers.ts'
import { CONTEXT_MS } from '../github/patience.ts'
import { describeFiles, PAST_ROOM, titleOf } from './context.ts'
import {
  cutPart,
  cutToBudget,
  inOneLine,
  lengthOf,
  type Part,
  partOf,
  type Section,
  withinRoom,
} from './parts.ts'
import { type RenderDeps, renderedBody } from './rendered.ts'
import { ROOMS } from './rooms.ts'

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
/** Of so many, text and files go along: with more, no share of the room would hold a paragraph. */
const MOST_DETAILED = 24

/**
 * The titles of all, then link, text and files of the newest, then their patches: the latest state counts.
 * @param heading of the titles @param pulls in the order of their merges @param note about the list
 */
export async function describeMerged(
  deps: RenderDeps,
  heading: string,
  pulls: readonly PullRequest[],
  note = '',
): Promise<readonly Part[]> {
  const newest = pulls.toReversed()
  const detailed = newest.slice(0, MOST_DETAILED)
  // Shorter titles rather than fewer, where all of them do not fit.
  const longest = Math.max(20, Math.floor(ROOMS.changes / 2 / newest.length) - 14)
  const titles = newest.map(({ number, title }) => `- #${number}: ${inOneLine(title, longest)}`)
  const list = cutPart(
    partOf({ kind: 'merged titles', count: newest.length }, [inOneLine(heading), ...titles].join('\n'), {
      note,
    }),
    ROOMS.changes / 2,
    PAST_ROOM,
  )
  const room = ROOMS.changes - lengthOf(list)
  const all = await pLimit(AT_A_TIME).map(detailed, (pull) => readDetail(deps, pull))
  const omitted = newest.length - detailed.length
  const [texts, patches] = describeDetails(all, room, omitted)
  return [list, ...withinRoom([texts, patches], room, PAST_ROOM)]
}

type Detail = Awaited<ReturnType<typeof readDetail>>

/** @param omitted how many more pull requests there are */
function describeDetails(all: readonly Detail[], room: number, omitted: number): readonly [Part, Part] {
  let left = room
  const texts = all.map(({ heading, title, url, body, list }, at): Section => {
    // Half for the text, half for the files: a long pull request leaves room for the others.
    const half = Math.floor(left / (all.length - at) / 2)
    const files = list.sections.map(({ text }) => cutToBudget(text, half))
    const text = joined('\n\n', `${title}\n${url}`, cutToBudget(body.text, half), ...files)
    left -= heading.length + text.length + 4
    return { heading, text }
  })
  const notes = all.flatMap(({ number, body, list }) => {
    const [text, files] = [
      body.note && `Text of #${number}: ${body.note}`,
      list.note && `Files of #${number}: ${list.note}`,
    ]
    return [text, files]
  })
  const more = omitted === 0 ? '' : `Left out: the details of ${count(omitted, 'more pull request')}.`
  const omissions = [...all.flatMap(({ list }) => list.omissions), ...(omitted === 0 ? [] : [PAST_ROOM])]
  const patches = all.flatMap(({ number, patches }) =>
    patches.sections.map(({ text }) => ({ heading: `Patches of #${number}:`, text })),
  )
  return [
    partOf({ kind: 'merged texts' }, texts, { note: joined(' ', ...notes, more), omissions }),
    partOf({ kind: 'patches', of: 'merged pull requests' }, patches),
  ]
}

async function readDetail(deps: RenderDeps, pull: PullRequest) {
  const { github, warnings } = deps
  const { number, url, body: markdown, html, author } = pull
  const [body, files] = await Promise.all([
    renderedBody(deps, { kind: 'pull', number }, markdown, html),
    warnings.warnOnFailure('files', () => github.pullRequestFiles(number, MAX_FILES, CONTEXT_MS)),
  ])
  const [list, patches] = describeFiles({ of: 'merged pull requests' }, files, MAX_FILES)
  const by = author === undefined ? 'an account that GitHub does not show' : `@${author.login}`
  return {
    number,
    heading: `Pull request #${number}, by ${by}:`,
    title: titleOf(pull),
    url,
    body,
    list,
    patches,
  }
}
