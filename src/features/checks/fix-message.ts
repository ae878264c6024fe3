import { withoutInvisible } from '../../base/invisible.ts'
import { fullName, type PullRequestRef } from '../../base/link.ts'
import { codeSpan, cut, joined, oneLine } from '../../base/text.ts'
import { cutToBudget, renderedMarkdown } from '../../prompt/context.ts'
import { describeReferences, fencedReference } from '../../prompt/prompt.ts'
import { isRed } from '../../record/check-results.ts'
import type { Session } from '../../thread/session.ts'
import type { ReadCheck } from './classify.ts'

/** What fails of a commit. */
export interface Failures {
  readonly pull: PullRequestRef
  /** To the pull request. */
  readonly link: string
  /** The branch that it goes into. */
  readonly base: string
  /** All checks of the head. */
  readonly checks: readonly ReadCheck[]
}

/** Characters of all that checks say. */
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
export async function fixMessage(session: Session, { pull, link, base, checks }: Failures): Promise<string> {
  const red = checks.filter(isRed)
  const failing = red.filter(({ kind }) => kind !== 'Conflict')
  const name = `your pull request ${fullName(pull)}#${pull.number} (${link})`
  const asked = [
    failing.length > 0 && `Checks of ${name} fail.`,
    failing.length < red.length &&
      `The branch of ${name} conflicts with its base branch ${codeSpan(base)}: bring the base branch in, and resolve the conflict.`,
    'Fix what fails, in that pull request, and change nothing else.',
    failing.some(({ result }) => result === 'fails-on-base') &&
      `Leave what fails on ${codeSpan(base)} as well: the list says which.`,
  ]
  const request = asked.filter((sentence) => sentence !== false).join(' ')
  // A conflict alone says nothing more.
  if (failing.length === 0) return request
  const list = failing.map(({ kind, name: check, conclusion, result }) => {
    const onBase = result === 'fails-on-base' ? `, fails on ${oneLine(base, 100)} as well` : ''
    return `${kind}: ${withoutInvisible(oneLine(check, 200))} (${oneLine(conclusion, 40)}${onBase})`
  })
  const [annotations, summaries] = await Promise.all([
    readAnnotations(session, pull, failing),
    Promise.all(failing.slice(0, MOST_DESCRIBED).map((check) => describe(session, check))),
  ])
  const first = cutToBudget(joined('\n\n', list.join('\n'), annotations.join('\n')), BUDGET)
  const rest = describeReferences(
    summaries.filter(({ text }) => text !== ''),
    BUDGET - first.length - 2,
  )
  const reference = fencedReference(joined('\n\n', first, rest), session.deps.random)
  return `${request} What the checks say follows as reference material.\n\n${reference}`
}

const shown = (text: string): string => withoutInvisible(text).trim()

async function describe(session: Session, { name, text, run }: ReadCheck) {
  const summary = await renderedMarkdown(session, run?.summary.slice(0, BUDGET) ?? '')
  const heading = `${withoutInvisible(oneLine(name, 200))}:`
  return { heading, text: shown(joined('\n', text, summary)), goesOn: false }
}

/** What the checks say of lines of files, as far as the limit goes. */
async function readAnnotations(
  { github, warnings }: Session,
  pull: PullRequestRef,
  checks: readonly ReadCheck[],
): Promise<readonly string[]> {
  const lines: string[] = []
  for (const { run, name } of checks) {
    const room = MOST_ANNOTATIONS - lines.length
    if (run === undefined || run.annotations === 0 || room <= 0) continue
    const read = await warnings.warnOnFailure('annotations', () => github.annotations(pull, run.id, room))
    if (read === undefined) lines.push(`[The annotations of ${oneLine(name, 200)} could not be read.]`)
    for (const { path, startLine, level, title, message } of read?.slice(0, room) ?? []) {
      const text = cut(joined(': ', title, message), LONGEST_ANNOTATION)
      lines.push(shown(`${cut(path, LONGEST_PATH)}:${startLine} ${level}: ${text}`))
    }
  }
  return lines
}
