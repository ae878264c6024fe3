import type { PullRequest } from '../github/answers.ts'
import { htmlToText } from '../github/html-to-text.ts'
import { count, cut, oneLine } from '../text.ts'
import { CONTEXT_BUDGET, cutToFit, describeFiles, FILES_TASK, withinBudget } from './context.ts'
import { type RenderDeps, renderedBody } from './rendered-text.ts'

/** Details are read so many pull requests at a time, until the budget is used up. */
const AT_A_TIME = 8
/** Of each pull request; what a person would skim has fewer. */
const MAX_FILES = 100
/** Characters that are not worth a part of what they would show. */
const SMALL = 400
/** For the note about what is left out. */
const NOTE_ROOM = 120

interface Detail {
  readonly pull: PullRequest
  readonly body: string
  readonly files: string
  readonly patches: readonly string[]
}

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
  for (const patch of left > 0 ? [] : detailed.flatMap(({ pull, patches }) => patchesTitled(pull, patches))) {
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
  const text = (longest: number) => `${heading}\n${lines(longest).join('\n')}`
  const whole = text(Number.POSITIVE_INFINITY)
  if (whole.length <= room) return whole
  const longest = Math.max(20, Math.floor((room - heading.length) / pulls.length) - 14)
  if (text(longest).length <= room) return text(longest)
  const some = lines(longest)
  let [length, shown] = [heading.length + NOTE_ROOM, 0]
  for (const line of some) {
    length += line.length + 1
    if (length > room) break
    shown += 1
  }
  const note = `[${count(some.length - shown, 'more pull request')} without a title here]`
  return [heading, ...some.slice(0, shown), note].join('\n')
}

async function readDetail(deps: RenderDeps, pull: PullRequest): Promise<Detail> {
  const [body, files] = await Promise.all([
    bodyOf(deps, pull),
    deps.warnings.warnOnFailure(FILES_TASK, () => deps.forge.pullRequestFiles(pull.number, MAX_FILES)),
  ])
  const [list = '', ...patches] = describeFiles(files)
  return { pull, body, files: list, patches }
}

async function bodyOf(deps: RenderDeps, pull: PullRequest): Promise<string> {
  if (pull.body.trim() === '') return ''
  if (pull.html !== undefined) return htmlToText(pull.html)
  return await renderedBody(deps, { kind: 'pull', number: pull.number }, pull.body)
}

/** @param share characters for text and files, so that a long one leaves room for the others */
function describeDetail({ pull, body, files }: Detail, share: number): string {
  const head = `Pull request #${pull.number}: ${oneLine(pull.title)}\n${pull.url}`
  const half = Math.floor(share / 2)
  return [head, cutToFit(body, half), cutToFit(files, half)].filter(Boolean).join('\n\n')
}

const patchesTitled = ({ number }: PullRequest, patches: readonly string[]): string[] =>
  patches.map((patch, at) => (at === 0 ? `Patches of #${number}:\n\n${patch}` : patch))
