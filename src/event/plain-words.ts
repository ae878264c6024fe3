import { withoutPictures } from './pictures.ts'

/** What a command asks the action itself, and never the agent. */
export type PlainWords =
  | {
      readonly kind: 'help'
      /** Whether `new` stood there, where nothing else did: a review may ask in its line comments. */
      readonly fresh?: boolean
    }
  | { readonly kind: 'status' }
  /** The changes need no documentation, and why: '' for no reason. */
  | { readonly kind: 'skip'; readonly why: string }
  /** To ask the last request of the thread once more. */
  | { readonly kind: 'again' }
  /** To end the work of the agent. */
  | { readonly kind: 'cancel' }
  /** Nothing but pictures, which the agent does not get. */
  | { readonly kind: 'pictures' }

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** They ask nothing beside any of the words below. */
const COURTESY = setOf(
  'please pls plz kindly thank thanks thankyou thx ty tia cheers you so very much many a lot in advance and ' +
    'now asap sorry cc regards kind best can could would bitte danke merci s il te vous plaît plait svp gracias ' +
    'por per favor favore obrigado obrigada grazie alsjeblieft bedankt tack proszę dziękuję lütfen пожалуйста ' +
    'спасибо お願いします ください ありがとう 请 請 谢谢 謝謝 부탁합니다 감사합니다',
)

/** They ask nothing beside some of them: `skip this PR`, `help me`. */
const JOB = setOf(
  'of for to the this that it here my our job request thread agent pr pull update check last failed',
)
const CHANGES = setOf('the this that it here for one pr pull request docs documentation change changes')

interface Row {
  readonly asks: PlainWords
  /** Alternatives, by `, `. */
  readonly words: string
  readonly beside?: ReadonlySet<string>
}

const ROWS: readonly Row[] = [
  { asks: { kind: 'help', fresh: false }, words: '' },
  { asks: { kind: 'help', fresh: true }, words: 'new' },
  {
    asks: { kind: 'help' },
    words: 'help, h, version, v, usage, commands',
    beside: setOf('me us here with this'),
  },
  { asks: { kind: 'status' }, words: 'status', beside: JOB },
  { asks: { kind: 'skip', why: '' }, words: 'skip', beside: CHANGES },
  {
    asks: { kind: 'again' },
    words: 'retry, try again, again, rerun, re run, run again, restart, resend, once more, do again',
    beside: JOB,
  },
  // Beside a line, `redo this` says what to do.
  { asks: { kind: 'again' }, words: 'redo, repeat' },
  {
    asks: { kind: 'cancel' },
    words: 'cancel, stop, abort, halt, quit, kill, never mind, nevermind, nvm',
    beside: JOB,
  },
]

/** `Thanks,` and a name below it. */
const SIGN_OFF = /(\b(?:thanks|thank you|cheers|regards|best)[,.!]*)\s*\n\s*\p{L}[\p{L}. '-]{0,40}$/iu
const NO_WORDS = /@[\w-]+(?:\/[\w-]+)?|:[a-z\d_+-]+:/gi

const wordsIn = (text: string): string[] =>
  text
    .trim()
    .replace(SIGN_OFF, '$1')
    .replace(NO_WORDS, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** It has nothing but words that ask nothing. */
export const isCourtesy = (text: string): boolean => wordsIn(text).every((word) => COURTESY.has(word))

/** @param asked all that stands behind the command word @returns undefined where it has other words as well */
export function plainWords(asked: string): PlainWords | undefined {
  const shown = withoutPictures(asked)
  if (shown.pictures > 0) return isCourtesy(shown.text) ? { kind: 'pictures' } : undefined
  const all = wordsIn(asked)
  // No row has more.
  if (all.length > 30) return undefined
  const rowOf = ({ words, beside }: Row): boolean => {
    const rest = all.filter((word) => !COURTESY.has(word) && beside?.has(word) !== true).join(' ')
    return words.split(', ').includes(rest)
  }
  return ROWS.find(rowOf)?.asks
}

const EMOJI = String.raw`\p{Extended_Pictographic}[\p{Extended_Pictographic}\ufe0f\u200d]*|:[a-z\d_+-]+:`
const SKIP = new RegExp(
  String.raw`^((?:[^\S\n]+(?:(?:${[...CHANGES, ...COURTESY].join('|')})(?![\p{L}\p{N}])|${EMOJI}))*)`,
  'iu',
)
/** `until` stays in the reason, which says something else without it. */
const BECAUSE =
  /^\s*(?:(?=until\b)|(?:because(?: of)?|since|due to|owing to|given(?: that)?|'?cause|cos|cuz|bc|as(?! (?:many|much|few|little|long|soon|well|far|often)\b))(?![\p{L}\p{N}])[:,]?\s*)/iu
/** Behind one of them, another sentence begins. */
const END_OF_SENTENCE = /[.!?…;。！？；]/u
/** Where a colon, a second sentence or a second clause begins, something is asked. */
const MORE = [
  /[:;](?=\s)|[：；]/u,
  /(?<!\b(?:e\.g|i\.e|vs|etc|cf))[.!?…]+\s+(?=\p{L})|[。！？](?=\p{L})/iu,
  /(?:^|[,–—]|\s-)\s*(?:and\s+)?(?:but|then|please|instead|also|rather)\s+(?=\p{L})|^and\s/iu,
]

/**
 * Reads what stands behind `skip`.
 * @param isApart a sign that ends the word, or the line, stands there
 * @returns undefined for a request, such as `skip the intro`
 */
export function reasonOfSkip(
  behind: string,
  endOfWord: RegExp,
): { readonly why: string; readonly below: string } | undefined {
  const rest = behind.slice(SKIP.exec(behind)?.[0].length ?? 0)
  const sign = endOfWord.exec(rest)?.[0]
  const [line = '', ...below] = linesOf(rest.slice(sign?.length ?? 0))
  const because = BECAUSE.exec(line)?.[0]
  const why = line.slice(because?.length ?? 0).trim()
  if (sign === undefined && because === undefined && !isCourtesy(line)) return undefined
  // Without a word such as `because`, it is not known whether a sentence of its own gives a reason.
  const isSentence = sign !== undefined && END_OF_SENTENCE.test(sign) && !isCourtesy(why)
  if (because === undefined && (isSentence || /\binstead[.!]*$/i.test(why))) return undefined
  const prose = why.replace(/`[^`]+`|&#?\w+;/g, (code) => 'x'.repeat(code.length))
  const asksMore = MORE.some((mark) => !isCourtesy(prose.slice(mark.exec(prose)?.index ?? prose.length)))
  if (asksMore) return undefined
  return { why: isCourtesy(why) ? '' : why, below: below.join('\n') }
}

/** A first line goes on in the next one with a reason, or in the middle of a sentence, as mail clients write. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => /\S/.test(line))
  if (first > 0)
    return BECAUSE.test(lines[first] ?? '') ? linesOf(lines.slice(first).join('\n')) : ['', ...lines]
  let at = 1
  while (/^\s*\p{Ll}/u.test(lines[at] ?? '') && !/[.!?…:;]\s*$/u.test(lines[at - 1] ?? '')) at++
  return [lines.slice(0, at).join(' '), ...lines.slice(at)]
}
