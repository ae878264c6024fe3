import { withoutComments, withoutControls, withoutIgnorable } from '../invisible.ts'
import { joined } from '../text.ts'
import { type Via, withoutPhoneLine } from './email-reply.ts'
import { type CommentPart, separateQuotations } from './quotations.ts'

interface Read {
  /** The Markdown of what the comment quotes: somebody else's words. */
  readonly quotations: readonly string[]
  readonly leftOut: readonly CommentPart[]
}

type Words =
  | {
      readonly kind: 'help'
      /** Whether `new` followed the word, where nothing else did: a review may ask in its line comments. */
      readonly fresh?: boolean
    }
  | { readonly kind: 'status' }
  /** The changes need no documentation, and why: '' for no reason. */
  | { readonly kind: 'skip'; readonly why: string }
  | { readonly kind: 'prompt'; readonly prompt: string /** After `new`. */; readonly fresh: boolean }

/** What a comment asks. */
export type CommentCommand = Words & Read

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

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

interface Writing {
  /** A bot's command stands in its first line, and nowhere else. */
  readonly isBot?: boolean
  /** It never changes whether the comment is a command, nor makes one that asks nothing ask. */
  readonly via?: Via
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
  const { text, noteBelow, quotations, cut } = separateQuotations(body, { passesOver: !isBot, via })
  const word = text.slice(0, command.length)
  const behind = text.slice(command.length)
  if (word.toLowerCase() !== command.toLowerCase()) return undefined
  if (!/^(?:\s|$)/.test(behind) && !ENDED.test(behind)) return undefined
  const whole = readWords(text, word)
  const lessPhone = via === 'page' ? whole : readWords(withoutPhoneLine(text), word)
  // A phone's line asks nothing and gives no reason; below a request it stays, because it may be the person's own.
  const { leavesText, ...words } = lessPhone.kind === 'prompt' ? whole : lessPhone
  const asked =
    words.kind === 'prompt' ? { ...words, prompt: joined('\n\n', words.prompt, noteBelow) } : words
  return { ...asked, quotations, leftOut: leavesText ? [...cut, { kind: 'text-below' }] : cut }
}

/** @param text the person's own words, which begin with the command word */
function readWords(text: string, word: string) {
  const behind = text.slice(word.length)
  const shown = withoutComments(text)
  const isQuestion = /^[?？؟]/u.test(behind)
  const read = (rest: string) => wordsOf(rest.replace(ENDED, '').trim(), isQuestion)
  if (shown.startsWith(word)) return read(shown.slice(word.length))
  // A line that an override shows in another order holds a note alone; a word that asks nothing stays one.
  const asWritten = read(withoutControls(withoutIgnorable(behind)))
  return asWritten.kind === 'prompt' ? read(shown) : asWritten
}

/** @param asked what stands behind the command word @param isQuestion a question mark follows that word */
function wordsOf(asked: string, isQuestion: boolean): Words & { readonly leavesText?: boolean } {
  if (!hasWords(asked)) return isQuestion ? { kind: 'help' } : { kind: 'help', fresh: false }
  const [first = ''] = /^\p{L}+/u.exec(asked) ?? []
  const behind = asked.slice(first.length)
  const [line = ''] = behind.split('\n', 1)
  const isApart = ENDED_LATER.test(behind) || !hasWords(line)
  const more = behind.replace(ENDED_LATER, '').trim()
  const word = first.toLowerCase()
  if ((word === 'help' || word === 'status') && isApart) return { kind: word, leavesText: hasWords(more) }
  if (word === 'skip') {
    const [, why] = /^(?:\s*:|\s+because\b[:,]?)(.*)$/is.exec(behind) ?? []
    if (why !== undefined || isApart)
      return { kind: 'skip', why: (why ?? more).replace(/^because\s/i, '').trim() }
  }
  if (word === 'new' && !hasWords(behind)) return { kind: 'help', fresh: true }
  if (word === 'new' && (isApart || /^\s/.test(behind))) return { kind: 'prompt', prompt: more, fresh: true }
  return { kind: 'prompt', prompt: asked, fresh: false }
}
