import { usableLink } from '../base/link.ts'
import { codeSpan, count, cut, duration, fence, grouped, joined, timeOfDay } from '../base/text.ts'
import { VERSION } from '../http/fetch.ts'
import type { Job } from '../record/job.ts'
import type { SkipReason } from '../record/outcome.ts'
import type { Report } from '../record/report.ts'
import { checksFact } from './checks-words.ts'
import type { Skip } from './commit-verdict.ts'
import { describe, permissionRemedy, statusAnswer } from './describe.ts'
import { CAUSES, planNote } from './notes.ts'
import {
  addressed,
  codeLink,
  jobId,
  type MessageOptions,
  mergeNames,
  prLink,
  referredSentence,
  reply,
  sentenceOf,
} from './phrases.ts'

/** The answer to `/docs status`. */
export function statusComment(report: Report, { command }: MessageOptions): string {
  const { job, message } = report
  const { headline, next } = statusAnswer(report)
  const pr =
    job?.prLink === '' ? 'It has no pull request yet.' : job && `Its pull request is ${prLink(report)}.`
  const isNone = job === undefined && (message === '' || message === CAUSES.goneStatus)
  const whole = message === '' ? '' : ' with the whole request'
  const start = isNone ? `\`${command} …\`${whole} starts one.` : ''
  return joined('\n', `**ℹ️ ${headline}**${addressed(report)}.`, pr ?? '', next, start)
}

/** The answer to `/docs help`, or to a word that starts nothing. */
function helpComment(report: Report, { command, minPermission }: MessageOptions): string {
  if (report.message !== '') return `**ℹ️ Nothing was started**${addressed(report)}.\n${report.message}`
  const who =
    minPermission === 'none'
      ? 'Everyone can use it.'
      : `To use it you need ${minPermission} permission on the repository.`
  const usage = [
    `- \`${command} explain the new retry option\` starts a job, or continues the one of this thread`,
    `- \`${command} new …\` starts a new job`,
    `- \`${command} status\` asks how the job stands`,
    `- \`${command} skip because …\` says that a pull request needs no documentation`,
  ]
  const heading = `**ℹ️ How to use the docs agent**: write a comment that begins with \`${command}\`.`
  return joined('\n\n', heading, usage.join('\n'), who)
}

/**
 * What `/docs skip` leaves in the thread.
 * @param hasStatus whether the workflow names a commit status
 */
export function skipComment(skip: Skip, command: string, hasStatus: boolean): string {
  const who = skip.requestedBy === '' ? 'a bot' : `@${skip.requestedBy}`
  const why = skip.why === '' ? '.' : `: ${sentence(skip.why)}`
  const status = hasStatus
    ? ''
    : '\nThis workflow sets no commit status. To get one, add the input `commit-status` and the permission `statuses: write`.'
  return `**👍 No documentation needed**, says ${who}${why} \`${command} …\` asks for it.${status}`
}

/** For log and summary. */
export const skipSentence = ({ requestedBy, why }: Skip): string =>
  `${requestedBy || 'A bot'} says so${why === '' ? '.' : `: ${sentence(why)}`}`

/** What anyone may have written, as a sentence where nothing in it means anything to Markdown, else as code. */
function sentence(text: string): string {
  const isPlain = /^[\p{L}\p{N} ,;'’“”()?!–.-]*$/u.test(text) && !/\bwww\.|^[-.]/i.test(text)
  const shown = isPlain ? text : codeSpan(text)
  return /[.?!…]$/.test(shown) ? shown : `${shown}.`
}

/** Why the person cannot use the action. */
export function refusalComment(options: MessageOptions): string {
  const { command, minPermission, denied } = options
  const who = denied?.login ? `@${denied.login}, \`${command}\`` : `\`${command}\``
  const has = denied?.has ? `you have ${denied.has}` : 'yours could not be read'
  return `**🔒 ${who} needs ${minPermission} permission on this repository**; ${has}. ${permissionRemedy(options)}`
}

interface Working extends Pick<Report, 'requestedBy' | 'job'> {
  readonly runUrl: string
  /** In ms since the epoch. */
  readonly startedAt: number
}

/** The status comment while the run waits. */
export function workingComment({ requestedBy, runUrl, startedAt, job }: Working): string {
  const whose = requestedBy === '' ? 'is working**' : `is working** on @${requestedBy}'s request`
  const started = `started ${timeOfDay(startedAt)}`
  return `**⏳ The docs agent ${whose}. [Follow the run](${runUrl}).\n\n${small(job, started)}`
}

/** The last line: the job, and the facts that are not ''. */
function small(job: Job | undefined, ...facts: readonly string[]): string {
  return `<sub>${joined(' · ', job === undefined ? '' : `job ${jobId({ job })}`, ...facts)}</sub>`
}

/** On the agent's own pull request. @param isHere a command there reaches the job, too */
export const linkComment = (threadName: string, command: string, isHere: boolean): string =>
  `This pull request answers ${threadName}. To ask for changes, comment \`${command} …\` ${isHere ? 'here' : 'there, not here'}.`

/** Plain words read better without the frame of code. */
const word = (text: string): string => (/^[\w-]{0,40}(\.\d[\w-]{0,20})*$/.test(text) ? text : codeSpan(text))

/** The result comment, without its record. */
export function resultComment(report: Report, options: MessageOptions): string {
  const { sign, headline, suffix, checks, next } = describe(report, { ...options, isComment: true })
  const { job, durationMs } = report
  const facts = small(
    job,
    word(job?.model ?? ''),
    `after ${duration(durationMs)}`,
    `[run](${options.runUrl})`,
  )
  const first = joined(' ', `**${sign} ${headline}**${suffix}.`, sentenceOf('', checks))
  return `${joined('\n', first, next, report.omitted ?? '')}\n\n${facts}`
}

/** The result of an event that no docs came of: one line, because it comes with each push. */
export function quietComment(report: Report, options: MessageOptions): string {
  const { unusableLink = false, isEarlierLink = false } = report.job ?? {}
  if (unusableLink) return resultComment(report, options)
  const did = isEarlierLink ? `left ${prLink(report)} as it is` : 'opened no pull request for these changes'
  const more = reply(options, '…', 'if something is missing')
  const notKnown = report.note.isEarlierInDoubt === true ? planNote(report) : ''
  return joined(
    ' ',
    `ℹ️ The docs agent ${did}.`,
    sentenceOf('', more),
    notKnown,
    referredSentence(report),
    report.omitted ?? '',
  )
}

type Answer = (report: Report, options: MessageOptions) => string

/** Skips that answer the comment that asked. A refused permission and skipped documentation have comments of their own. */
const ANSWERS: Readonly<Partial<Record<SkipReason, Answer>>> = {
  'pull-request-open': resultComment,
  'job-active': resultComment,
  'no-changes': resultComment,
  'daily-limit': resultComment,
  'dry-run': resultComment,
  help: helpComment,
  status: statusComment,
}

/** @param report of a skip */
export function answerComment(report: Report, options: MessageOptions): string | undefined {
  const answer = ANSWERS[report.reason as SkipReason]
  const words = answer?.(report, options)
  // A result says it where people look for the next step.
  return words === undefined || answer === resultComment ? words : joined('\n\n', words, report.omitted ?? '')
}

/** Characters: GitHub takes 65,536. */
const MAX_BODY = 65_000

/** @param record stays whole: the body gives way */
export function withRecord(body: string, record: string): string {
  const end = `\n\n${record}`
  return cut(body, MAX_BODY - end.length) + end
}

/**
 * The body of a tracking issue before its first refresh, without its record.
 * @param subscribers logins and teams that can be mentioned; the mention is what notifies them from now on
 */
export function trackingBody(command: string, subscribers: readonly string[]): string {
  const names = subscribers.map((name) => `@${name}`).join(', ')
  return joined(
    '\n\n',
    `The docs agent refreshes the documentation here. Reply \`${command} …\` to ask for changes; close this issue to start afresh.`,
    names === '' ? '' : `Notified: ${names}.`,
  )
}

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

const MAX_PROMPT = 50_000
/** The fence around the prompt is longer than any run of back-ticks in it, so the runs are bounded, too. */
const LONG_RUN = /`{50,}/g

function foldedPrompt(prompt: string): string {
  if (prompt === '') return ''
  const plain = prompt.replace(LONG_RUN, '`'.repeat(50))
  const left = plain.length - MAX_PROMPT
  const shown =
    left > 0 ? `${plain.slice(0, MAX_PROMPT).toWellFormed()}\n[cut: ${left} more characters]` : plain
  return `<details><summary>Prompt</summary>\n\n${fence(shown)}\n\n</details>\n\n`
}

/** The step summary: the outcome with its link, the next step, the facts as a list, what a dry run could prove, and the prompt folded. */
export function runSummary(report: Report, options: MessageOptions): string {
  const { sign, headline, checks, next } = describe(report, options)
  const page = joined(
    '\n\n',
    `## ${sign} ${plainHeading(headline)}`,
    joined(' ', sentenceOf('', checks), next),
    factList(report),
    report.setup ?? '',
    foldedPrompt(report.prompt),
  )
  return `${page.trimEnd()}\n`
}

/** Where the sentence of a skip is not all: the state of a job, and what would be sent to which. */
const SKIPS_WITH_FACTS: readonly string[] = ['status', 'dry-run']

/** A list and no table: a phone has no room for names beside a branch that ends in the job's id. */
function factList(report: Report): string {
  const { job, outcome, reason } = report
  const isSkipped = outcome === 'skipped'
  if (isSkipped && !SKIPS_WITH_FACTS.includes(reason)) return ''
  const facts = {
    'Pull request': job?.prLink ? prLink(report) : '',
    Job: jobId(report),
    Model: codeSpan(job?.model ?? ''),
    Repository: repositoryLink(job?.repository ?? ''),
    Ref: codeSpan(job?.ref ?? ''),
    Duration: isSkipped ? '' : duration(report.durationMs),
    Checks: report.checks === undefined ? '' : checksFact(report.checks),
    Merged: mergeNames(report),
    'Requested by': codeSpan(report.requestedBy),
  }
  const given = Object.entries(facts).filter(([, value]) => value !== '')
  return given.map(([name, value]) => `- ${name}: ${value}`).join('\n')
}

const repositoryLink = (repository: string): string =>
  codeLink(repository.replace(/^https:\/\//, ''), usableLink(repository) ?? '')

/** Code makes a heading noisy; where it holds more than one word it stays, because its characters could mean something. */
const plainHeading = (headline: string): string => headline.replace(/`([\w-]+)`/g, '$1')
