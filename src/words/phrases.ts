import { linkName } from '../base/link.ts'
import { codeSpan, count, joined, listed } from '../base/text.ts'
import { MOST_MERGED } from '../record/record.ts'
import type { Denial, Report } from '../record/report.ts'

/** What sentences need beside the report. */
export interface MessageOptions extends ReplyOptions {
  readonly timeoutMs: number
  /** The input `min-permission`. */
  readonly minPermission: string
  readonly denied?: Denial | undefined
  readonly runUrl: string
}

export const jobId = ({ job }: Pick<Report, 'job'>): string => codeSpan(job?.id ?? '')

/** How people go on, where the run is to do the same once more. A re-run sees new secrets and variables, but the old workflow file. */
export const RERUN = 'Then re-run the workflow.'
export const RERUN_THEN = 'Re-run the workflow then.'
export const RERUN_SOON = 'Re-run the workflow in a few minutes.'
export const ASK_ANEW =
  'Then ask in a new comment, or let the next event ask: a re-run uses the old workflow file.'

/** In a comment, the first of these words leads to the run whose page has the button. */
export const linkRerun = (text: string, runUrl: string): string =>
  runUrl === ''
    ? text
    : text.replace(
        /^((?:`[^`]*`|[^`])*?)\b(re-run the workflow)\b/i,
        (_, before: string, words: string) => `${before}${markdownLink(words, runUrl)}`,
      )

/** `, @alice`, or nothing. */
export const addressed = ({ requestedBy }: Report): string => (requestedBy === '' ? '' : `, @${requestedBy}`)

/** More names than this would hide the sentence. */
export const MAX_NAMED = 10

/** `#12, #13 and #14`, or '' for none. */
export function mergeNames({ merged = [] }: Report): string {
  // The record of a request remembers no more.
  if (merged.length >= MOST_MERGED) return `at least ${MOST_MERGED} merged pull requests`
  if (merged.length > MAX_NAMED) return count(merged.length, 'merged pull request')
  const names = merged.map((number) => `#${number}`)
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

export const pullRequestLink = (url = ''): string =>
  url === '' ? 'its pull request' : markdownLink(linkName(url), url)

export const prLink = ({ job }: Report): string => pullRequestLink(job?.prLink)

/** `` [octo/docs#77](…) documents #30, to which this pull request refers. ``; '' for nothing. */
export const referredSentence = ({ referredDocs }: Pick<Report, 'referredDocs'>): string =>
  referredDocs === undefined
    ? ''
    : `${pullRequestLink(referredDocs.link)} documents #${referredDocs.number}, to which this pull request refers.`

/** `` It changes `docs/a.mdx`, `docs/b.mdx` and 3 more. ``; '' where they are not known. */
export function pagesSentence({ pages }: Report): string {
  if (pages === undefined) return ''
  const { names, more, isCut } = pages
  const others = more === 0 ? [] : [`${isCut ? 'at least ' : ''}${more} more`]
  return `It changes ${listed([...names.map((name) => codeSpan(name, 100)), ...others])}.`
}

/** `opened [octo/docs#77](https://example.com)` */
export const delivered = (report: Report): string =>
  `${report.followUp ? 'finished its work on' : 'opened'} ${prLink(report)}`

/**
 * A link that is checked already. What Markdown would take for its end is encoded, and so is what would
 * end a character reference: `&lt;` leads to another page than `<`.
 */
export const markdownLink = (name: string, url: string): string =>
  `[${name.replace(/[\\[\]`*_<>@~|&]/g, '\\$&')}](${linkTarget(url)})`

/** A name that anything may have written, as code, and as a link where there is one that is checked already. */
export function codeLink(name: string, url: string): string {
  const text = codeSpan(name, 60)
  return url === '' || text === '' ? text : `[${text}](${linkTarget(url)})`
}

const linkTarget = (url: string): string =>
  url
    .replace(/[()<>|\\]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    .replace(/(&#?\w+);/g, '$1%3b')

/** Where a comment with the command reaches the job of a request. */
interface Replies {
  /** The thread that remembers the job; undefined where none does. */
  readonly thread: number | undefined
  /** A comment on its pull request does, too. */
  readonly onPullRequest: boolean
}

export interface ReplyOptions {
  /** The command word. */
  readonly command: string
  readonly replies: Replies
  /** The words stand in the thread itself, so they can say "here". */
  readonly isComment?: boolean
}

/** `reply … to start again`, or elsewhere `comment … in #12 to start again`; '' where no comment reaches the job. */
export function reply({ command, replies, isComment }: ReplyOptions, words: string, goal = ''): string {
  if (replies.thread === undefined) return ''
  const said = `\`${command} ${words}\``
  return joined(' ', isComment ? `reply ${said}` : `comment ${said} in #${replies.thread}`, goal)
}

/** Parts of one sentence, those that are not '' joined, with its full stop; '' for none. */
export function sentenceOf(joint: string, ...parts: readonly string[]): string {
  const text = joined(joint, ...parts)
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** How to ask about the job; '' where no comment reaches it. */
export const askStatus = ({ command, replies }: ReplyOptions): string =>
  replies.thread === undefined ? '' : `comment \`${command} status\` to see how it stands`

/** How a run follows the job again. */
export const pickUp = ({ replies }: MessageOptions): string =>
  replies.thread === undefined
    ? "no thread remembers it, so look at it in Mintlify's dashboard before you re-run the workflow"
    : 're-run the workflow to follow the same job again'
