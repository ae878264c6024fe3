import { losesLines, withoutComments, withoutControls, withoutIgnorable } from '../base/invisible.ts'
import { holdsNoRequest, withoutFooters } from './asks-nothing.ts'
import type { CommentChannel } from './mail.ts'
import { type PlainWords, plainWords } from './plain-words.ts'
import { separateQuotations } from './quotations.ts'
import { readSkip, SKIP_OR_REQUEST } from './skip-words.ts'

/**
 * Text of a comment that does not go to the agent: below a command that asks it nothing (`text-below`), or below the first paragraph
 * of a mail; from a second command on; and lines with signs that show them in another order than they are written (`turned-lines`).
 */
export type CommentOmission =
  | { readonly kind: 'text-below' | 'second-command' | 'turned-lines' }
  | { readonly kind: 'below-mail' /** GitHub says so. */; readonly isMail: boolean }

export const TURNED_LINES = { kind: 'turned-lines' } as const

interface CommentParts {
  /** The Markdown of what the comment quotes: somebody else's words. */
  readonly quotations: readonly string[]
  /** The Markdown below the first paragraph of a mail, which may be anybody's; undefined for nothing. */
  readonly below?: string
  readonly omissions: readonly CommentOmission[]
}

type CommandWords =
  | PlainWords
  | { readonly kind: 'prompt'; readonly prompt: string /** After `new`. */; readonly fresh: boolean }

/** What a comment asks. */
export type CommentCommand = CommandWords & CommentParts

export type Command =
  | CommentCommand
  /** The request is that of `prompt` or `prompt-file`. */
  | { readonly kind: 'input' }

/** What the action answers itself. */
export type AnsweredCommand = Exclude<CommentCommand, { kind: 'prompt' }>

export const isAnswered = (command: Command): command is AnsweredCommand =>
  command.kind !== 'input' && command.kind !== 'prompt'

/** Nothing follows the command word: a review then asks for what its line comments say. */
export const isWordAlone = (
  command: Command,
): command is Extract<CommentCommand, { kind: 'help' }> & { readonly fresh: boolean } =>
  command.kind === 'help' && command.fresh !== undefined

/** Ends a word: signs that end a sentence or a part of it, in any script, and dashes. */
const STOP = String.raw`[\p{Terminal_Punctuation}\p{Dash_Punctuation}…)\]」』）】]`
/** In ASCII, only where white space follows: `/docs.json` and `status-codes` are words of their own. */
const ENDED = new RegExp(String.raw`^(?:${STOP}+(?=\s|$)|(?=[^\x00-\x7f])${STOP}+)`, 'u')
/** Also behind a space, but not where a list begins. What stands in brackets is a remark. */
const ENDED_LATER = new RegExp(
  String.raw`^[^\S\n]*(?:${STOP}+(?=\s|$)|(?=[^\x00-\x7f])${STOP}+|(?=[(（]))`,
  'u',
)

interface Writing {
  /** A bot's command stands in its first line, and nowhere else. */
  readonly isBot?: boolean
  /** It never changes whether the comment is a command. */
  readonly via?: CommentChannel
}

/** What its readers do not see, and signs of direction. Four spaces make code of a line, and so does a tab. */
const BLANK_BEFORE = /^(?! {4}| {0,3}\t)(?:[^\S\n]|[\u061c\u200e\u200f])+/
const COMMENT = '<!--(?:-?>|[^]*?--!?>)'
const BEFORE = new RegExp(String.raw`^(?:[\s\u061c\u200e\u200f]|>[^\n]*(?:\n|$)|${COMMENT})+`)
const QUOTED_OR_COMMENT = new RegExp(String.raw`>[^\n]*(?:\n|$)|${COMMENT}`, 'g')
const CODE_SPAN = /^(`+)(?!`)((?:(?!(?<!`)\1(?!`)).)+)\1$/

/** Without the HTML comments that stand before the first words. */
function withoutFirstComments(body: string): string {
  const [before = ''] = BEFORE.exec(body) ?? []
  const visible = before.replace(QUOTED_OR_COMMENT, (found) => (found.startsWith('<') ? '' : found))
  return visible + body.slice(before.length)
}

/** The text from the command word on; undefined where it begins with another one. */
function fromCommand(text: string, command: string): string | undefined {
  const begun = text.replace(BLANK_BEFORE, '')
  const [sign = ''] = command
  // Keyboards of languages without Latin letters write the first sign in full width.
  const isWide = begun.charCodeAt(0) - 0xfee0 === sign.charCodeAt(0)
  const word = isWide ? sign + begun.slice(1, command.length) : begun.slice(0, command.length)
  const behind = begun.slice(command.length)
  if (word.toLowerCase() !== command.toLowerCase()) return undefined
  return /^(?:\s|$)/.test(behind) || ENDED.test(behind) ? word + behind : undefined
}

/**
 * Reads a comment, a review or a line comment: the command stands in the first line that is neither empty nor quoted.
 * HTML comments and invisible characters do not count.
 * @returns undefined where the comment is no command
 */
export function parseCommand(
  body: string,
  command: string,
  { isBot = false, via = 'page' }: Writing = {},
): CommentCommand | undefined {
  const visible = isBot ? body : withoutFirstComments(body)
  // A comment that is nothing but the command, in code, is a command; beside other words it is an example.
  const [, , code] = CODE_SPAN.exec(visible.trim()) ?? []
  const written = separateQuotations(code ?? visible, { passesOver: !isBot, via })
  const text = fromCommand(written.text, command)
  if (text === undefined) return undefined
  const { first, hasSecond } = firstCommand(text, command)
  const word = text.slice(0, command.length)
  const { leavesText, ...read } = readWords(first, word)
  // A skip is alone: what a second command asks for would be lost below a green status.
  const asked = read.kind === 'skip' && hasSecond ? SKIP_OR_REQUEST : read
  const { quotations, below } = written
  const leavesBelow = leavesText === true || (below !== '' && asked.kind !== 'prompt')
  const uncounted: CommentOmission[] = [
    ...(below !== '' && asked.kind === 'prompt'
      ? [{ kind: 'below-mail', isMail: via === 'email' } as const]
      : []),
    ...(leavesBelow ? [{ kind: 'text-below' } as const] : []),
    ...(asked.kind === 'prompt' && losesLines(first, asked.prompt) ? [TURNED_LINES] : []),
    ...(hasSecond && asked.kind !== 'skip-or-request' ? [{ kind: 'second-command' } as const] : []),
  ]
  return { ...asked, quotations, ...(below !== '' && { below }), omissions: uncounted }
}

/** So many lines are looked at, so that a long comment is read at once. */
const MOST_COMMANDS = 20

/** What stands before a line, outside code and comments, that is a command of its own. */
function firstCommand(text: string, command: string) {
  const lines = text.split('\n')
  let fence = ''
  const isSecond = (line: string, at: number): boolean => {
    const [, mark = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(line) ?? []
    if (fence === '') fence = mark.startsWith('`') && info.includes('`') ? '' : mark
    else if (mark.startsWith(fence) && info.trim() === '') fence = ''
    return at > 0 && fence === '' && fromCommand(line, command) !== undefined
  }
  const second = [...lines.entries()]
    .flatMap(([at, line]) => (isSecond(line, at) ? [at] : []))
    .slice(0, MOST_COMMANDS)
    .find((at) => {
      // A comment that is open there hides the line.
      const before = lines.slice(0, at).join('\n')
      return withoutComments(`${before}\n${command}`).endsWith(command)
    })
  return { first: lines.slice(0, second).join('\n'), hasSecond: second !== undefined }
}

/** @param text the person's own words, which begin with the command word */
function readWords(text: string, word: string) {
  const behind = text.slice(word.length)
  const shown = withoutComments(text)
  const isQuestion = /^[?？؟]/u.test(behind)
  const read = (rest: string) => commandWordsOf(rest.replace(ENDED, '').trim(), isQuestion)
  if (shown.startsWith(word)) return read(shown.slice(word.length))
  // A line that an override shows in another order holds a note alone; a word that asks nothing stays one.
  const asWritten = read(withoutControls(withoutIgnorable(behind)))
  return asWritten.kind === 'prompt' ? read(shown) : asWritten
}

/** @param asked what stands behind the command word @param isQuestion a question mark follows that word */
function commandWordsOf(
  asked: string,
  isQuestion: boolean,
): CommandWords & { readonly leavesText?: boolean } {
  const { signature } = withoutFooters(asked)
  const plain = plainWords(asked)
  if (plain !== undefined)
    return isQuestion && asked === '' ? { kind: 'help' } : { ...plain, leavesText: signature }
  const skip = readSkip(isQuestion ? `${asked}?` : asked, ENDED_LATER)
  if (skip !== undefined) return { ...skip, leavesText: signature }
  const polite = asked.replace(/^(?:please|pls|plz|kindly)\b[,!]?\s+/i, '')
  const [first = ''] = /^\p{L}+/u.exec(polite) ?? []
  const behind = polite.slice(first.length)
  const [line = ''] = behind.split('\n', 1)
  const isApart = ENDED_LATER.test(behind) || holdsNoRequest(line)
  const more = behind.replace(ENDED_LATER, '').trim()
  const word = first.toLowerCase()
  if ((word === 'help' || word === 'status') && isApart)
    return { kind: word, leavesText: signature || !holdsNoRequest(more) }
  if (word === 'new' && (isApart || /^\s/.test(behind))) {
    const plainlyNew = plainWords(more) ?? readSkip(more, ENDED_LATER)
    if (plainlyNew !== undefined) return { ...plainlyNew, leavesText: signature }
    return { kind: 'prompt', prompt: more, fresh: true }
  }
  return { kind: 'prompt', prompt: asked, fresh: false }
}
