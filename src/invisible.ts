/** What readers of a text cannot see in it goes, what they need to read it stays (contract 4.2). */

/** These turn the direction of what follows, or count as a letter of a direction. */
const CONTROLS = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`

/** Letters whose shape a joiner between or behind them changes. */
const JOINING = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Adlam', 'Mongolian', 'Phags_Pa', 'Devanagari', 'Bengali'],
  ...['Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Tibetan'],
  ...['Khmer', 'Myanmar', 'Balinese', 'Javanese', 'Sundanese', 'Lepcha', 'Limbu', 'Meetei_Mayek'],
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('')

/** One picture: with its skin tone, its style, and those that it is joined with. */
const PICTURE = String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\ufe0e\ufe0f])?`

const NEEDED = [
  String.raw`\p{Emoji_Keycap_Sequence}|\p{RGI_Emoji_Tag_Sequence}`,
  `${PICTURE}(?:\\u200d${PICTURE})*`,
  `(?<=[${JOINING}])(?:\\u200d|\\u200c(?=[${JOINING}]))`,
  // Variants of a letter: https://www.unicode.org/Public/UCD/latest/ucd/StandardizedVariants.txt
  String.raw`(?<=(?![\u180b-\u180f])\p{Script=Mongolian})[\u180b-\u180f]`,
  String.raw`(?<=[\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}])\ufe00`,
  // Forms of names in Japanese: https://www.unicode.org/ivd/
  String.raw`(?<=\p{Script=Han})[\u{e0100}-\u{e011f}]`,
].join('|')

/**
 * Zero-width, filler, variation and tag characters are "default ignorable" in Unicode. The interlinear ones,
 * the place of an object, hieroglyphs' format, the empty Braille pattern, private use and controls are not.
 */
const INVISIBLE = [
  String.raw`[[\p{Default_Ignorable_Code_Point}\p{Co}\u2800\ufff9-\ufffc\u{13430}-\u{1343f}]--[${CONTROLS}]]`,
  String.raw`(?![\n\t])\p{Cc}`,
].join('|')

const ANY_INVISIBLE = new RegExp(`${INVISIBLE}|[\u2028\u2029]`, 'v')
const NEEDED_OR_INVISIBLE = new RegExp(`${NEEDED}|(${INVISIBLE})`, 'gv')

/** For parts of a line: characters that turn the direction stay, since they may count beyond the part. */
export function withoutIgnorable(text: string): string {
  const wellFormed = text.toWellFormed()
  if (!ANY_INVISIBLE.test(wellFormed)) return wellFormed
  return wellFormed
    .replace(/[\u2028\u2029]/g, ' ')
    .replace(NEEDED_OR_INVISIBLE, (found, invisible) => (invisible === undefined ? found : ''))
}

export const withoutInvisible = (text: string): string => inItsDirection(withoutIgnorable(text))

const ANY_CONTROL = new RegExp(`[${CONTROLS}]`)

/** Lines without the characters that turn directions, and with a note for what they turn against its letters. */
export const inItsDirection = (text: string): string =>
  ANY_CONTROL.test(text) ? text.split('\n').map(lineInItsDirection).join('\n') : text

const TURNED = '[text in another direction]'

/** Unicode's controls by name: https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters */
export const BIDI = {
  ...{ embedRight: '\u202b', popEmbedding: '\u202c', overrideLeft: '\u202d', overrideRight: '\u202e' },
  rightMark: '\u200f',
  ...{ isolateLeft: '\u2066', isolateRight: '\u2067', isolateFirst: '\u2068', popIsolate: '\u2069' },
} as const

const PIECES = new RegExp(`[${CONTROLS}]|[^${CONTROLS}]+`, 'g')
const ISOLATES: readonly string[] = [BIDI.isolateLeft, BIDI.isolateRight, BIDI.isolateFirst]
const MARKS: ReadonlyMap<string, string> = new Map([
  ['\u200e', 'l'],
  [BIDI.rightMark, 'r'],
  ['\u061c', 'r'],
])

interface Span {
  /** '' for the line itself. */
  readonly opener: string
  text: string
  /**
   * A letter for each run: `L` and `R` are letters of a direction, `l` and `r` invisible marks, `N` digits, `J` a span that
   * begins with an `L`, `I` what has no direction, such as an image.
   */
  runs: string
}

function lineInItsDirection(line: string): string {
  if (!ANY_CONTROL.test(line)) return line
  const root: Span = { opener: '', text: '', runs: '' }
  const open: Span[] = [root]
  let isolates = 0
  const close = () => {
    const span = open.pop() ?? root
    if (ISOLATES.includes(span.opener)) isolates -= 1
    const [text, runs] = shown(span)
    const around = open.at(-1)
    if (around !== undefined) Object.assign(around, { text: around.text + text, runs: around.runs + runs })
    return span.opener
  }
  for (const [piece] of line.matchAll(PIECES)) {
    const top = open.at(-1) ?? root
    if (!ANY_CONTROL.test(piece)) {
      top.text += piece
      top.runs += runsOf(piece)
    } else if (MARKS.has(piece)) top.runs += MARKS.get(piece)
    else if (piece === BIDI.popEmbedding) {
      if (top !== root && !ISOLATES.includes(top.opener)) close()
    } else if (piece === BIDI.popIsolate) {
      while (isolates > 0 && !ISOLATES.includes(close()));
    } else {
      if (ISOLATES.includes(piece)) isolates += 1
      open.push({ opener: piece, text: '', runs: '' })
    }
  }
  while (open.length > 1) close()
  return shown(root)[0]
}

const shown = (span: Span): readonly [text: string, runs: string] => {
  if (isTurned(span)) return [TURNED, 'I']
  const [first] = /[LRJ]/.exec(span.runs) ?? ['I']
  return [span.text, first === 'L' ? 'J' : first]
}

function isTurned({ opener, runs }: Span): boolean {
  if (opener === BIDI.overrideLeft) return runs.includes('R')
  if (opener === BIDI.overrideRight) return /[LJN]/.test(runs)
  if (opener === BIDI.isolateRight || opener === BIDI.embedRight)
    return /[LR]/.exec(runs)?.[0] === 'L' || isScrambled(runs)
  const isOpen = opener === '' || opener === BIDI.isolateFirst
  return isOpen && /[LR]/i.exec(runs)?.[0]?.toLowerCase() === 'r' && isScrambled(runs)
}

/**
 * Whether a line from right to left holds parts from left to right that a reader meets in another order: text in one
 * piece is not, and neither are parts with letters of the line's own direction between them.
 */
const isScrambled = (runs: string): boolean =>
  /J[^R]*[LJ]|L[^R]*(?:J|I[^R]*L)/.test(
    runs
      .replace(/[Nl]/g, '')
      .replaceAll('r', 'I')
      .replace(/([LIR])\1+/g, '$1'),
  )

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const NOTES = /\[(?:image|video|audio|diagram|formula|styled text|text in another direction)\]/g

const runsOf = (text: string): string =>
  (text.replace(NOTES, '\ufffc').match(/[\p{L}\p{Nd}\ufffc]/gu) ?? [])
    .map((one) => {
      if (one === '\ufffc') return 'I'
      if (/\p{Nd}/u.test(one)) return 'N'
      return RIGHT_TO_LEFT.test(one) ? 'R' : 'L'
    })
    .join('')

/** Undefined for a text without a letter. */
export const firstDirection = (text: string): 'L' | 'R' | undefined =>
  /[LR]/.exec(runsOf(text))?.[0] as 'L' | 'R' | undefined

/** Where a comment ends, as browsers see it: https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state */
const COMMENT = /<!--(?:-?>|[\s\S]*?(?:--!?>|$))/g

/**
 * Comments go from code, too, and one without an end hides the rest: the cautious choice, not an exact one.
 */
export const withoutComments = (markdown: string): string => withoutInvisible(markdown).replace(COMMENT, '')
