import { codeSpan, duration, joined, plainText } from '../base/text.ts'
import type { Outcome, SkipReason } from '../record/outcome.ts'
import type { Report } from '../record/report.ts'
import { approvalRemedy, checksRemedy, checksSentence, checksSign } from './checks-words.ts'
import { errorHeadline, explainEnding, explainUnread } from './error-endings.ts'
import { planNote } from './notes.ts'
import {
  addressed,
  askStatus,
  delivered,
  jobId,
  linkRerun,
  type MessageOptions,
  mergeNames,
  pagesSentence,
  pickUp,
  prLink,
  type ReplyOptions,
  referredSentence,
  reply,
  sentenceOf,
} from './phrases.ts'

/**
 * One outcome in words: comment, summary, annotation and log render it alike. Inline Markdown; text from outside stands
 * in code spans, links or fences.
 */
export interface Description {
  readonly sign: '✅' | '👍' | 'ℹ️' | '⚠️' | '❌' | '⏳' | '⏹️' | '🔒'
  /** What happened, with the one link that matters: the bold beginning of the comment. */
  readonly headline: string
  /** The rest of that sentence. */
  readonly suffix: string
  /** How the checks of the pull request stand, a sentence without its full stop; '' where nothing is known. */
  readonly checks: string
  /** What people can do now. */
  readonly next: string
}

/** Without `suffix`, the sentence ends with the person to address. */
type Says = Pick<Description, 'sign' | 'headline' | 'next'> & Partial<Description>
type Describe = (report: Report, options: MessageOptions) => Says

export function describe(report: Report, options: MessageOptions): Description {
  const description = DESCRIPTIONS[report.outcome](report, options)
  // A skip names it where it matters.
  const isNamed = report.outcome === 'skipped' || description.headline.includes(prLink(report))
  const link = isNamed || !report.job?.prLink ? '' : `Its pull request is ${prLink(report)}.`
  const words = joined(' ', link, description.next, planNote(report), referredSentence(report))
  const next = options.isComment ? linkRerun(words, options.runUrl) : words
  return { suffix: addressed(report), checks: '', ...description, next }
}

/** @param suffix the rest of the sentence, where that is not the person to address */
const says = (sign: Description['sign'], headline: string, next = '', suffix?: string): Says => ({
  ...{ sign, headline, next },
  ...(suffix !== undefined && { suffix }),
})
const info = (headline: string, next = '', suffix?: string) => says('ℹ️', headline, next, suffix)

const DESCRIPTIONS: Readonly<Record<Outcome, Describe>> = {
  'pull-request': (report, options) => {
    const { checks } = report
    const review = joined(' ', 'Review it there.', sentenceOf('', replyForChanges(options)))
    const approval = checks === undefined ? '' : approvalRemedy(checks)
    const remedy = (checks && checksRemedy(checks, options)) ?? review
    const next = joined(' ', pagesSentence(report), approval, remedy)
    return {
      ...says(checksSign(checks), `The docs agent ${delivered(report)}`, next),
      suffix: forWhom(report),
      checks: checks ? checksSentence(checks, options.runUrl) : '',
    }
  },
  'no-pull-request': (report, options) => {
    const { unusableLink = false, isEarlierLink = false } = report.job ?? {}
    const sayMore = reply(options, '…', 'to say more')
    if (unusableLink)
      return info(
        'The docs agent finished, but its link to the pull request cannot be used',
        'Open the job in the dashboard to find the pull request.',
        forWhom(report),
      )
    return isEarlierLink
      ? info(
          `The docs agent finished without changing ${prLink(report)}`,
          joined(' ', 'It found nothing to change, or asked a question.', sentenceOf('', sayMore)),
          forWhom(report),
        )
      : info(
          'The docs agent finished without opening a pull request',
          `It found nothing to change, asked a question that you can't see, or committed directly. ${sentenceOf(', or ', sayMore, 'open the job in the dashboard')}`,
          forWhom(report),
        )
  },
  archived: (report, options) =>
    info(
      `The docs agent's job was archived ${report.job?.prLink ? `after it opened ${prLink(report)}` : 'before it opened a pull request'}`,
      joined(' ', 'Someone may have archived it in the dashboard.', sentenceOf('', startAgain(options))),
    ),
  failed: (report, options) => {
    const cause = `The service gives no cause for job ${jobId(report)}.`
    const remedy = sentenceOf(', or ', 'look at it in the dashboard', startAgain(options))
    return says('❌', 'The docs agent failed', `${cause} ${remedy}`, ` on this request${forWhom(report)}`)
  },
  'timed-out': (report, options) => {
    const { job, message } = report
    if (job === undefined) {
      const why = message || 'GitHub or the service took longer than `timeout-minutes` allows.'
      return says('⏳', 'Nothing was sent to the docs agent', `${why} ${RERUN_SENDS}`)
    }
    // The job could not be read at the end, or the service asked to come back after the deadline.
    if (message !== '')
      return says('⏳', 'This run stopped waiting for the docs agent', explainUnread(report, options))
    // A longer wait is no remedy for everyone: an App's token lasts an hour.
    const goesOn = `The job ${jobId(report)} goes on; this run waited as long as \`timeout-minutes\` allows.`
    const remedy = sentenceOf('; ', askStatus(options), pickUp(options))
    const headline = `The docs agent is still working after ${duration(options.timeoutMs)}`
    return says('⏳', headline, joined(' ', goesOn, remedy))
  },
  cancelled: (report, options) => {
    return report.job === undefined
      ? says('⏹️', 'The run was cut short before it asked the docs agent', RERUN_SENDS)
      : says(
          '⏹️',
          `The run was cut short; the job ${jobId(report)} goes on`,
          sentenceOf('; ', askStatus(options), pickUp(options)),
        )
  },
  started: (report, options) =>
    says(
      '⏳',
      `The docs agent is working on job ${jobId(report)}`,
      joined(' ', 'This run does not wait for it.', sentenceOf('', askStatus(options))),
      forWhom(report),
    ),
  skipped: (report, options) => {
    if (report.reason === 'status') {
      const { headline, next } = statusAnswer(report)
      return info(headline, next)
    }
    const entry = SKIPPED[report.reason as SkipReason]
    const description = typeof entry === 'function' ? entry(report, options) : entry
    return { ...description, next: joined(' ', report.message, description.next) }
  },
  error: (report, options) => says('❌', errorHeadline(report), explainEnding(report, options)),
}

const RERUN_SENDS = 'Re-run the workflow to send the request.'

const startAgain = (options: MessageOptions): string => reply(options, 'new …', 'to start again')

const SKIPPED: Readonly<Record<SkipReason, Says | Describe>> = {
  'not-a-command': info('The comment is not a command'),
  'not-a-new-comment': info('The event is not a new comment', 'Edited and deleted comments start nothing.'),
  'comment-gone': info(
    'The comment is gone',
    'People deleted it before this run read it, so it asks nothing.',
  ),
  bot: ({ message }) =>
    message === ''
      ? info(
          'The text holds a record of the action, so it counts as what the action wrote',
          'To ask, write a comment without it.',
        )
      : info('A bot triggered this run'),
  'agent-pull-request': ({ message }) =>
    info(
      'A bot or the docs agent opened this pull request',
      message === '' ? 'List its author in `allowed-bots` to let the docs agent document it.' : '',
    ),
  'permission-denied': (_, options) => says('🔒', permissionHeadline(options), permissionRemedy(options)),
  'missing-secret': ({ message }, { command }) =>
    info(
      'GitHub withholds secrets from this run, so it lacks `api-key` or `memory-key`',
      message === ''
        ? `It does so for pull requests from forks and for Dependabot. A maintainer can comment \`${command} …\` instead.`
        : '',
    ),
  'pull-request-open': (report, options) =>
    info(
      `Nothing new was started: ${report.message === '' ? `${prLink(report)} is still open` : `I can't read ${prLink(report)}, so it counts as open`}`,
      sentenceOf(
        ', or ',
        report.message === '' ? 'merge or close it' : '',
        reply(options, 'new …', 'to start a new job'),
      ),
    ),
  'pull-request-closed': (report, { replies }) =>
    info(
      `${replies.thread === undefined ? 'This pull request' : `Pull request #${replies.thread}`} is closed`,
      joined(' ', report.job?.prLink ? `${prLink(report)} documents it.` : '', NOT_ASKED),
    ),
  'job-active': (report, options) =>
    info(
      `Nothing new was started: the job ${jobId(report)} is still working`,
      // Of a job that may be that of another thread, this one cannot ask.
      report.message === ''
        ? sentenceOf('; ', 'repeat the request once it has ended', askStatus(options))
        : '',
    ),
  'no-changes': info('The docs agent was not asked'),
  ignored: info('The docs agent was not asked'),
  'docs-skipped': (_, options) =>
    says('👍', 'No documentation needed', sentenceOf('', reply(options, '…', 'to ask for it'))),
  'merge-group': info('A merge queue asks the docs agent nothing'),
  'daily-limit': info('The daily limit is reached, so the docs agent was not asked'),
  'dry-run': ({ message }) =>
    info(
      'Dry run: nothing was sent to the docs agent',
      message === ''
        ? 'The page of this run shows what works, and the prompt. Remove `dry-run` to send it.'
        : '',
    ),
  help: ({ message }, { command }) =>
    message === ''
      ? info(
          'How to use the docs agent',
          `Write a comment such as \`${command} explain the new retry option\`.`,
        )
      : info('Nothing was started'),
  status: (report) => info(statusAnswer(report).headline),
}

/** What is known of the thread's job: how it stands, what is in doubt, that there is none, or that the thread cannot be read. */
export function statusAnswer(report: Report): { readonly headline: string; readonly next: string } {
  const { job, message } = report
  if (job !== undefined) return { headline: jobState(report), next: message }
  const [headline = '', ...next] = message.split(/(?<=\.) /)
  return { headline: headline.replace(/\.$/, '') || 'This thread has no job', next: next.join(' ') }
}

/** `The job j_81f2 is completed` */
const jobState = (report: Report): string =>
  `The job ${jobId(report)} is ${codeSpan(report.job?.status ?? '') || 'in an unknown state'}`

const NOT_ASKED = 'The docs agent was not asked.'

/** ` for #12 and #13, @alice`, ` for @alice`, or nothing. */
function forWhom(report: Report): string {
  const names = joined(', ', mergeNames(report), report.requestedBy && `@${report.requestedBy}`)
  return names === '' ? '' : ` for ${names}`
}

/** `to ask for changes, reply here or there with …`, or elsewhere `… comment … in #12 or there`; '' where no comment reaches the job. */
function replyForChanges({ command, replies, isComment }: ReplyOptions): string {
  const { thread, onPullRequest } = replies
  if (thread === undefined) return ''
  const there = onPullRequest ? ' or there' : ''
  const how = isComment
    ? `reply here${there} with \`${command} …\``
    : `comment \`${command} …\` in #${thread}${there}`
  return `to ask for changes, ${how}`
}

/** `mallory can't use the docs agent here: it needs write permission, and mallory has read` */
function permissionHeadline({ minPermission, denied }: MessageOptions): string {
  const who = denied?.login || 'The person who triggered this run'
  const has = denied?.has
    ? `${denied.login} has ${denied.has}`
    : `the permission of ${denied?.login || 'that person'} could not be read`
  return `${who} can't use the docs agent here: it needs ${minPermission} permission, and ${has}`
}

/** A maintainer cannot help where it is the token that cannot read permissions. */
export const permissionRemedy = ({ denied }: MessageOptions): string =>
  denied?.has
    ? denied.isReRun
      ? 'A re-run asks for the same person. Repeat the command in your own words, if you have the permission.'
      : 'A maintainer can run it for you.'
    : 'Pass a `github-token` that can read the permissions of collaborators.'

/** The sentence for log and annotation: the same words without Markdown. */
export const plainSentence = ({ headline, checks, next }: Description): string =>
  plainText(`${headline}. ${sentenceOf('', checks)} ${next}`.replace(/ {2,}/g, ' ').trim())
