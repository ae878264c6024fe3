import { COURTESY, holdsNoRequest, wordSet } from './asks-nothing.ts'

/** What stands behind `skip`: that the changes need no documentation, or what could as well be a request. */
export type SkipWords =
  | { readonly kind: 'skip' /** '' for no reason. */; readonly why: string }
  /** It changes nothing. */
  | { readonly kind: 'skip-or-request' }

/** What needs no documentation: `skip this PR`. */
const CHANGES = wordSet('the this that it here for one pr pull request docs documentation change changes')

const anyOf = (...words: readonly ReadonlySet<string>[]): string =>
  `(?:${words.flatMap((set) => [...set]).join('|')})(?![\\p{L}\\p{N}])`
const EMOJI = String.raw`\p{Extended_Pictographic}[\p{Extended_Pictographic}\ufe0f\u200d]*|:[a-z\d_+-]+:`
const BLANK = String.raw`[^\S\n]`
const SKIP = new RegExp(
  String.raw`^(?:(?:${anyOf(COURTESY)}|${EMOJI})[,!]?\s+)*skip(?![\p{L}\p{N}_-])(?:${BLANK}+(?:${anyOf(CHANGES, COURTESY)}|${EMOJI}))*`,
  'iu',
)
/** `until` stays in the reason, which says something else without it. */
const BECAUSE =
  /^(?:(?=until\b)|(?:because(?: of)?|since|due to|owing to|given(?: that)?|'?cause|cos|cuz|bc|as(?! (?:many|much|few|little|long|soon|well|far|often)\b))(?![\p{L}\p{N}])[:,]?[^\S\n]*)/iu
/** Where another clause or sentence begins, which may ask for something. */
const MORE = [
  /[,;:](?=\s)|[，、：；]/u,
  /(?<!\b(?:e\.g|i\.e|vs|etc|cf))[.!…]+\s+(?=\S)|[。！](?=\S)/iu,
  /\s[-–]+\s|—/u,
  /(?:^|\s)\(|[（【]|\[(?![^\]]*\]\()/u,
  /\s(?:but|then|please|pls)\s+(?=\p{L})/iu,
]
const QUESTION = /\?(?=[\s?!.)]|$)|[？؟]/u
const CODE = /`[^`]+`|&#?\w+;/g

export const SKIP_OR_REQUEST = { kind: 'skip-or-request' } as const

/**
 * @param asked what stands behind the command word
 * @param endOfWord a sign that ends a word, and what stands before it
 * @returns undefined for other words, and for a plain request, such as `skip the intro`
 */
export function readSkip(asked: string, endOfWord: RegExp): SkipWords | undefined {
  const [skip] = SKIP.exec(asked) ?? []
  if (skip === undefined) return undefined
  const rest = asked.slice(skip.length)
  const isQuestion = QUESTION.test(rest.replace(CODE, ''))
  if (holdsNoRequest(rest)) return isQuestion ? SKIP_OR_REQUEST : { kind: 'skip', why: '' }
  // Empty before a bracket.
  const [sign] = /^\s*\n\s*/.exec(rest) ?? endOfWord.exec(rest) ?? []
  const after = rest.slice(sign?.length ?? 0)
  const behind = after.trim()
  const bracket = /^[(（]\s*/u.exec(behind)?.[0] ?? ''
  const said = behind.slice(bracket.length)
  const [because] = BECAUSE.exec(said) ?? []
  if (sign === undefined && because === undefined) return undefined
  const isReason = because !== undefined || (/[:：]/u.test(sign ?? '') && !/^\s*\n/.test(after))
  const [line = '', ...below] = said.slice(because?.length ?? 0).split('\n')
  const why = bracket === '' ? line.trim() : line.trim().replace(/[)）]$/u, '')
  const isClear =
    isReason && !isQuestion && isOneClause(why, because !== undefined) && holdsNoRequest(below.join('\n'))
  if (!isClear) return SKIP_OR_REQUEST
  return { kind: 'skip', why: holdsNoRequest(why) ? '' : why }
}

/** @param isNamed a word such as `because` stands before it */
function isOneClause(why: string, isNamed: boolean): boolean {
  const prose = why.replace(CODE, (code) => 'x'.repeat(code.length))
  if (!isNamed && /\binstead[.!]*$/i.test(prose)) return false
  return MORE.every((mark) => holdsNoRequest(prose.slice(mark.exec(prose)?.index ?? prose.length)))
}
