import { joined } from '../text.ts'

/** Where a comment with the command reaches the job of a request (contract 5.4). */
export interface Replies {
  /** The thread that remembers the job; undefined where none does. */
  readonly thread: number | undefined
  /** A comment on its pull request does, too. */
  readonly onPullRequest: boolean
}

export interface ReplyContext {
  /** The command word. */
  readonly command: string
  readonly replies: Replies
  /** The words stand in the thread itself, so they can say "here". */
  readonly isComment?: boolean
}

/** `reply here or there with …`, or elsewhere `comment … in #12 or there`; '' where no comment reaches the job. */
export function replyForChanges({ command, replies, isComment }: ReplyContext): string {
  const { thread, onPullRequest } = replies
  if (thread === undefined) return ''
  const there = onPullRequest ? ' or there' : ''
  return isComment
    ? `reply here${there} with \`${command} …\``
    : `comment \`${command} …\` in #${thread}${there}`
}

/** `reply … to start again`, or elsewhere `comment … in #12 to start again`; '' where no comment reaches the job. */
export function reply({ command, replies, isComment }: ReplyContext, words: string, goal = ''): string {
  if (replies.thread === undefined) return ''
  const said = `\`${command} ${words}\``
  return joined(' ', isComment ? `reply ${said}` : `comment ${said} in #${replies.thread}`, goal)
}

/** `` `/docs status` asks how it stands ``; '' where no comment reaches the job. */
export const askStatus = ({ command, replies }: ReplyContext): string =>
  replies.thread === undefined ? '' : `\`${command} status\` asks how it stands`

/** Parts of one sentence, those that are not '' joined, with its full stop; '' for none. */
export function sentenceOf(joint: string, ...parts: readonly string[]): string {
  const text = joined(joint, ...parts)
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
