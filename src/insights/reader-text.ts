import { withoutInvisible } from '../github/visible-text.ts'
import { cut } from '../text.ts'

/** UTF-16 units of a text that are kept (contract 9.3). */
export const MAX_LENGTH = 500

/**
 * What a reader wrote, made safe to pass on: visible characters only, addresses and long numbers masked, at most 500
 * characters, lines that end in `\n`, at most one blank line in a row.
 */
export function readerText(text: string): string {
  const lines = withoutInvisible(text.replace(LINE_BREAK, '\n')).split('\n')
  const tidy = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const safe = masked(tidy)
  // V8 keeps the whole text in memory as long as a slice of it lives; a copy lets a comment of a megabyte go.
  return safe.length <= MAX_LENGTH ? safe : Buffer.from(cut(safe, MAX_LENGTH)).toString()
}

const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** The look-behind makes the match start at the first character of a word, so that it takes linear time. */
const EMAIL =
  /(?<![\p{L}\p{M}\p{N}._%+'!#$*^{|}~-])[\p{L}\p{M}\p{N}._%+'!#$*^{|}~-]+(?:[@＠﹫]|%40)[\p{L}\p{M}\p{N}-]+(?:[.。．｡][\p{L}\p{M}\p{N}-]+)+/gu

/** At least twelve digits, as card and phone numbers write them: with spaces, dashes, dots or brackets between. */
const LONG_NUMBER = /\p{Nd}(?:[\p{Zs}\p{Pd}\u2212\t()./]{0,2}\p{Nd}){11,}/gu

/** The text with email addresses and runs of twelve digits or more replaced. */
export const masked = (text: string): string =>
  text.replace(EMAIL, '[email]').replace(LONG_NUMBER, '[number]')
