import { code, cut, oneLine } from '../text.ts'

/** Visitors choose the paths that they request, so a path is text of strangers: it may hold anything. */

/** Longer paths are cut before anything is measured. */
const MAX_LENGTH = 4000

/** A path on one line of at most `width` columns, without invisible characters; '' if none is visible. */
export function pathLabel(path: string, width: number): string {
  const plain = oneLine(path, MAX_LENGTH)
    .replace(/\p{Cf}/gu, '')
    .trim()
  return cutMiddle(plain.replace(OVERLONG, '□'), width)
}

/** At most `width` columns: the end of a path says more than its middle. */
export function cutMiddle(text: string, width: number): string {
  const characters = Array.from(text)
  if (widthOf(characters) <= width) return text
  const tail = Math.floor(width / 2)
  return `${takeWidth(characters, width - tail - 1).join('')}…${takeWidth(characters.toReversed(), tail).toReversed().join('')}`
}

/** The widest Latin letters and, to be safe, everything that is not Latin: most scripts have some that are square. */
const WIDE = /[^\x20-\x7e\u00c0-\u017f]|[@%MWmwÆæŒœĲŴŵ]/u

/** Single characters as long as a word or a sentence: Arabic ligatures and cuneiform. */
const OVERLONG = /[\ufdf0-\ufdfd\u{12000}-\u{1254f}]/gu

const widthOf = (characters: readonly string[]): number =>
  characters.reduce((sum, char) => sum + (WIDE.test(char) ? 2 : 1), 0)

/** As many characters from the start as fit. */
function takeWidth(characters: readonly string[], width: number): string[] {
  const end = characters.findIndex((_, i) => widthOf(characters.slice(0, i + 1)) > width)
  return characters.slice(0, end < 0 ? characters.length : end)
}

/**
 * A path for a prompt: at most 500 characters on one line, with white space, invisible characters, quotation marks and
 * angle brackets percent-encoded, so that it does not read as a sentence. Letters of any script stay readable.
 */
export function promptPath(path: string): string {
  return cut(path, 500).replace(/[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800"<>`]/gu, (char) =>
    encodeURIComponent(char),
  )
}

const PATH_WIDTH = 90

/** A path as a code span, in which nothing has a meaning in Markdown. */
export const codePath = (path: string): string => code(pathLabel(path, PATH_WIDTH)) || '(blank)'
