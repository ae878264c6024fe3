import { withoutInvisible } from '../invisible.ts'
import type { PullRequestRef } from '../link.ts'
import { fullName } from '../link.ts'
import { renderedMarkdown, withinBudget } from '../prompt/context.ts'
import { describeReferences, fencedReference } from '../prompt/prompt.ts'
import { code, cut, joined, oneLine } from '../text.ts'
import type { Session } from '../thread/session.ts'
import type { ReadCheck } from './classify.ts'

/** What fails of a commit. */
export interface Failures {
  readonly pull: PullRequestRef
  readonly sha: string
  /** To the pull request. */
  readonly link: string
  /** The branch that it goes into. */
  readonly base: string
  readonly checks: readonly ReadCheck[]
  /** The base branch, where the pull request conflicts with it; else ''. */
  readonly conflictsWith: string
  /** The end of the log of a preview that does not build; undefined where there is none. */
  readonly previewLog: readonly string[] | undefined
}

/** Characters of all that checks say (contract 4.12). */
const BUDGET = 20_000
const MOST_ANNOTATIONS = 50
const LONGEST_ANNOTATION = 1000
const LONGEST_PATH = 300
/** More checks than this share too little room to say anything, so that the others are only named. */
const MOST_DESCRIBED = 20

/**
 * The message to the job: what fails, and in the fence what the checks say, which anything may have written. The names
 * come first, then the annotations, which say where, then the summaries, which can be long.
 */
export async function fixMessage(session: Session, failures: Failures): Promise<string> {
  const { pull, link, base, checks, conflictsWith, previewLog } = failures
  const name = `your pull request ${fullName(pull)}#${pull.number} (${link})`
  const onBase = checks.some(({ failsOnBase }) => failsOnBase === true)
  const asked = [
    checks.length > 0 && `Checks of ${name} fail.`,
    conflictsWith !== '' &&
      `The branch of ${name} conflicts with its base branch ${code(conflictsWith)}: bring the base branch in, and resolve the conflict.`,
    previewLog !== undefined && `The preview of ${name} does not build.`,
    'Fix what fails, in that pull request, and change nothing else.',
    onBase && `Leave what fails on ${code(base)} as well: the list says which.`,
  ]
  const list = checks.map(({ kind, name: check, conclusion, failsOnBase }) => {
    const result = `(${oneLine(conclusion, 40)}${failsOnBase === true ? `, fails on ${oneLine(base, 100)} as well` : ''})`
    return `${kind}: ${withoutInvisible(oneLine(check, 200))} ${result}`
  })
  const [annotations, summaries] = await Promise.all([
    readAnnotations(session, pull, checks),
    Promise.all(checks.slice(0, MOST_DESCRIBED).map((check) => describe(session, check))),
  ])
  if (previewLog !== undefined)
    summaries.push({ heading: 'Preview:', text: shown(previewLog.join('\n')), goesOn: false })
  const first = withinBudget([list.join('\n'), annotations.join('\n')], BUDGET)
  const rest = describeReferences(
    summaries.filter(({ text }) => text !== ''),
    BUDGET - first.length - 2,
  )
  const request = asked.filter((line) => line !== false).join(' ')
  const said = joined('\n\n', first, rest)
  // A conflict alone says nothing more.
  if (said === '') return request
  const reference = fencedReference(said, session.deps.random)
  return `${request} What the checks say follows as reference material.\n\n${reference}`
}

const shown = (text: string): string => withoutInvisible(text).trim()

async function describe(session: Session, { name, said, run }: ReadCheck) {
  const summary = await renderedMarkdown(session, run?.summary.slice(0, BUDGET) ?? '')
  const heading = `${withoutInvisible(oneLine(name, 200))}:`
  return { heading, text: shown(joined('\n', said, summary)), goesOn: false }
}

/** What the checks say of lines of files, as far as the limit goes. */
async function readAnnotations(
  { forge, warnings }: Session,
  pull: PullRequestRef,
  checks: readonly ReadCheck[],
): Promise<readonly string[]> {
  const lines: string[] = []
  for (const { run, name } of checks) {
    const room = MOST_ANNOTATIONS - lines.length
    if (run === undefined || run.annotations === 0 || room <= 0) continue
    const read = await warnings.warnOnFailure('annotations', () => forge.annotations(pull, run.id, room))
    if (read === undefined) lines.push(`[The annotations of ${oneLine(name, 200)} could not be read.]`)
    for (const { path, startLine, level, title, message } of read?.slice(0, room) ?? []) {
      const text = cut(joined(': ', title, message), LONGEST_ANNOTATION)
      lines.push(shown(`${cut(path, LONGEST_PATH)}:${startLine} ${level}: ${text}`))
    }
  }
  return lines
}
