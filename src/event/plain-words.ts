import { COURTESY, holdsNoRequest, withoutFooters, wordSet, wordsIn } from './asks-nothing.ts'
import { withoutPictures } from './pictures.ts'
import type { SkipWords } from './skip-words.ts'

/** What a command asks the action itself, and never the agent. */
export type PlainWords =
  | {
      readonly kind: 'help'
      /** Whether `new` stood there, where nothing else did: a review may ask in its line comments. */
      readonly fresh?: boolean
    }
  | { readonly kind: 'status' }
  | SkipWords
  /** To ask the last request of the thread once more. */
  | { readonly kind: 'again' }
  /** To end the work of the agent. */
  | { readonly kind: 'cancel' }
  /** Nothing but pictures, which the agent does not get. */
  | { readonly kind: 'pictures' }

/** They ask nothing beside some of the words below: `help me`, `retry the last job`. */
const JOB_WORDS = wordSet(
  'of for to the this that it here my our job request thread agent pr pull update check last failed',
)

interface WordRow {
  readonly asks: PlainWords
  /** Alternatives, by `, `. */
  readonly words: string
  readonly beside?: ReadonlySet<string>
}

const ROWS: readonly WordRow[] = [
  { asks: { kind: 'help', fresh: false }, words: '' },
  { asks: { kind: 'help', fresh: true }, words: 'new' },
  {
    asks: { kind: 'help' },
    words: 'help, h, version, v, usage, commands',
    beside: wordSet('me us here with this'),
  },
  { asks: { kind: 'status' }, words: 'status', beside: JOB_WORDS },
  {
    asks: { kind: 'again' },
    words: 'retry, try again, again, rerun, re run, run again, restart, resend, once more, do again',
    beside: JOB_WORDS,
  },
  // Beside a line, `redo this` says what to do.
  { asks: { kind: 'again' }, words: 'redo, repeat' },
  {
    asks: { kind: 'cancel' },
    words: 'cancel, stop, abort, halt, quit, kill, never mind, nevermind, nvm',
    beside: JOB_WORDS,
  },
]

/** `Thanks,` and a name below it. */
const SIGN_OFF = /(\b(?:thanks|thank you|cheers|regards|best)[,.!]*)\s*\n\s*\p{L}[\p{L}. '-]{0,40}$/iu

/** @param asked all that stands behind the command word @returns undefined where it has other words as well */
export function plainWords(asked: string): PlainWords | undefined {
  const { text, pictures } = withoutPictures(withoutFooters(asked).text)
  if (pictures > 0) return holdsNoRequest(text) ? { kind: 'pictures' } : undefined
  // A name changes nothing where the words change nothing.
  const all = wordsIn(text.trim().replace(SIGN_OFF, '$1'))
  // No row has more.
  if (all.length > 30) return undefined
  const rowOf = ({ words, beside }: WordRow): boolean => {
    const rest = all.filter((word) => !COURTESY.has(word) && beside?.has(word) !== true).join(' ')
    return words.split(', ').includes(rest)
  }
  return ROWS.find(rowOf)?.asks
}
