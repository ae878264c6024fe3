import { VERSION } from '../http/fetch.ts'
import { usableLink } from '../link.ts'
import { code, count, duration, grouped, joined } from '../text.ts'
import { checksFact } from './checks-words.ts'
import { foldedLog, foldedPrompt } from './comments.ts'
import { describe } from './describe.ts'
import { previewProblem } from './notes.ts'
import {
  codeLink,
  jobId,
  type MessageContext,
  mergeNames,
  prLink,
  type Report,
  sentenceOf,
} from './report.ts'

/** The log's first line: the event, the person, and the thread. */
export function logHeader(
  { event, comment }: { readonly event: string; readonly comment: unknown },
  requestedBy: string,
  where: string,
): string {
  const by = requestedBy === '' ? '' : ` by ${requestedBy}`
  return `Docs agent ${VERSION} · ${comment === undefined ? event : 'comment command'}${by} on ${where}`
}

/** `Prompt: 1,284 characters (38 instruction, 1,246 context)` */
export function logPrompt(request: string, prompt: string): string {
  const rest = prompt.length - request.length
  const parts = rest > 0 ? ` (${grouped(request.length)} instruction, ${grouped(rest)} context)` : ''
  return `Prompt: ${count(prompt.length, 'character')}${parts}`
}

/** The step summary: the outcome with its link, the next step, the facts in a table, and the prompt folded. */
export function runSummary(report: Report, context: MessageContext): string {
  const { sign, headline, checks, next } = describe(report, context)
  const { job } = report
  const problem = previewProblem(report)
  const facts = {
    'Pull request': job?.prLink ? prLink(report) : '',
    Job: jobId(report),
    Model: code(job?.model ?? ''),
    Repository: repositoryLink(job?.repository ?? ''),
    Ref: code(job?.ref ?? ''),
    Duration: duration(report.durationMs),
    Checks: report.checks === undefined ? '' : checksFact(report.checks),
    Merged: mergeNames(report),
    'Requested by': code(report.requestedBy),
  }
  const rows = Object.entries(facts).filter(([, value]) => value !== '')
  const [first, ...others] = rows.map(([name, value]) => `| ${name} | ${value} |`)
  const page = joined(
    '\n\n',
    `## ${sign} ${plainHeading(headline)}`,
    joined(' ', sentenceOf('', checks), next),
    // A table needs a header: the first fact, so that no row is empty.
    [first, '| :-- | :-- |', ...others].join('\n'),
    // Of one that is there, or that failed to build, the sentence above tells.
    problem === '' || report.preview?.status === 'failure' ? '' : `> [!WARNING]\n> ${problem}`,
    foldedLog(report.preview).trimEnd(),
    foldedPrompt(report.prompt),
  )
  return `${page.trimEnd()}\n`
}

const repositoryLink = (repository: string): string =>
  codeLink(repository.replace(/^https:\/\//, ''), usableLink(repository) ?? '')

/** Code makes a heading noisy; where it holds more than one word it stays, because its characters could mean something. */
const plainHeading = (headline: string): string => headline.replace(/`([\w-]+)`/g, '$1')
