import { withoutHtmlComments } from './html-comments.ts'

// What readers of a text cannot see in it goes, what they need to read it stays.

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

/** For parts of a line: characters that turn the direction stay, since they count beyond the part. */
export function withoutIgnorable(text: string): string {
  const wellFormed = text.toWellFormed()
  if (!ANY_INVISIBLE.test(wellFormed)) return wellFormed
  return wellFormed
    .replace(/[\u2028\u2029]/g, ' ')
    .replace(NEEDED_OR_INVISIBLE, (found, invisible) => (invisible === undefined ? found : ''))
}

export const withoutInvisible = (text: string): string => inItsDirection(withoutIgnorable(text))

const ALL_CONTROLS = new RegExp(`[${CONTROLS}]`, 'g')

/** Marks are invisible letters; all other controls can show words in another order than they are written. */
const TURNED_LINE = /^.*[\u202a-\u202e\u2066-\u2069].*$/gm

export const TURNED = '[text in another direction]'

/** Whether lines of the text became such a note. */
export const losesLines = (text: string, shown: string): boolean =>
  shown.split(TURNED).length > text.split(TURNED).length

/** Without the characters that turn directions. */
export const withoutControls = (text: string): string => text.replace(ALL_CONTROLS, '')

/** The same, with a note for each line that has more of them than marks. */
export function inItsDirection(text: string): string {
  return withoutControls(text.replace(TURNED_LINE, (line) => withoutControls(line).trim() && TURNED))
}

/** Markdown without its comments, but for those in code. */
export const withoutComments = (markdown: string): string =>
  inItsDirection(withoutHtmlComments(withoutIgnorable(markdown)))
