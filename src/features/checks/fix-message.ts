import { withoutInvisible } from '../../base/invisible.ts'
import { fullName, type PullRequestRef } from '../../base/link.ts'
import { masked } from '../../base/mask.ts'
import { redact } from '../../base/redact.ts'
import { codeSpan, cut, joined } from '../../base/text.ts'
import { BUDGETS } from '../../prompt/budgets.ts'
import { frame } from '../../prompt/frame.ts'
import { cutPart, inOneLine, partOf } from '../../prompt/parts.ts'
import { type Source, shareBudget } from '../../prompt/references.ts'
import { renderedMarkdown } from '../../prompt/rendered.ts'
import { isRed } from '../../record/check-results.ts'
import type { Session } from '../../thread/session.ts'
import { explainPrivateChecks } from '../../words/checks-words.ts'
import type { ReadCheck } from './classify.ts'
import { NO_LOGS, readLogs } from './read-logs.ts'

/** What fails of a commit. */
export interface Failures {
  readonly pull: PullRequestRef
  /** To the pull request. */
  readonly link: string
  /** The branch that it goes into. */
  readonly base: string
  /** All checks of the head. */
  readonly checks: readonly ReadCheck[]
  /** What checks print may go to the agent. */
  readonly sendsDetails: boolean
}

/** Of the Markdown of a check that is rendered: GitHub takes as much as a summary, or as details. */
const LONGEST_OUTPUT = 65_535
const MOST_ANNOTATIONS = 50
const LONGEST_ANNOTATION = 1000
const LONGEST_PATH = 300
/** More checks than this share too little to say anything, so that the others are only named. */
const MOST_DESCRIBED = 20

/**
 * The message to the job: what fails, and in the fence what the checks say, which anything may have written. The names
 * come first, then the annotations, which say where, then the logs and what a check says of itself, which can be long.
 */
export async function fixMessage(
  session: Session,
  { pull, link, base, checks, sendsDetails }: Failures,
): Promise<string> {
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
    const onBase = result === 'fails-on-base' ? `, fails on ${inOneLine(base, 100)} as well` : ''
    return `${kind}: ${inOneLine(check, 200)} (${inOneLine(conclusion, 40)}${onBase})`
  })
  const [annotations, logs, described] = await Promise.all([
    readAnnotations(session, pull, failing),
    sendsDetails ? readLogs(session, pull, failing) : NO_LOGS,
    Promise.all(failing.slice(0, MOST_DESCRIBED).map((check) => describeCheck(session, check, sendsDetails))),
  ])
  if (!sendsDetails) session.deps.core.info(explainPrivateChecks(fullName(pull)))
  const fails = { heading: 'What fails:', text: list.join('\n') }
  const lines = { heading: 'What they say of lines:', text: annotations.join('\n') }
  const all = [lines, ...logs.sections, ...described].filter(({ text }) => text !== '')
  const note = sendsDetails ? logs.note : LEFT_OUT
  const said = [fails, ...shareBudget(all, BUDGETS.checks - fails.text.length)]
  const part = cutPart(partOf({ kind: 'checks' }, said, { note }), BUDGETS.checks)
  return frame({ own: request }, [part], session.deps.random).text
}

const LEFT_OUT = 'Their logs and details are left out, because the repository is not public.'

/** Title, summary and details, in one rendering. */
async function describeCheck(
  { deps, ...session }: Session,
  { name, text, run }: ReadCheck,
  sendsDetails: boolean,
): Promise<Source> {
  const whole = joined('\n\n', run?.summary ?? '', sendsDetails ? (run?.text ?? '') : '')
  const rendered = await renderedMarkdown(session, whole.slice(0, LONGEST_OUTPUT))
  const said = withoutInvisible(joined('\n', text, rendered.text)).trim()
  return {
    heading: `${codeSpan(name, 200)}:`,
    text: joined('\n', masked(redact(said, deps.secrets)), rendered.note && `[${rendered.note}]`),
    goesOn: whole.length > LONGEST_OUTPUT,
  }
}

/** What the checks say of lines of files, as far as the limit goes. */
async function readAnnotations(
  { github, warnings, deps }: Session,
  pull: PullRequestRef,
  checks: readonly ReadCheck[],
): Promise<readonly string[]> {
  const lines: string[] = []
  for (const { run, name } of checks) {
    const left = MOST_ANNOTATIONS - lines.length
    if (run === undefined || run.annotations === 0 || left <= 0) continue
    const read = await warnings.warnOnFailure('annotations', () => github.annotations(pull, run.id, left))
    if (read === undefined) lines.push(`[The annotations of ${inOneLine(name, 200)} could not be read.]`)
    for (const { path, startLine, level, title, message } of read?.slice(0, left) ?? []) {
      // Actions makes them of lines of the log.
      const said = masked(redact(withoutInvisible(joined(': ', title, message)), deps.secrets))
      const text = cut(said, LONGEST_ANNOTATION)
      lines.push(`${inOneLine(path, LONGEST_PATH)}:${startLine} ${inOneLine(level, 40)}: ${text}`)
    }
  }
  return lines
}
