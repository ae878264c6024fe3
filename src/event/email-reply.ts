/** How a comment came, as GitHub says; `unknown` where it does not say. */
export type Via = 'page' | 'email' | 'unknown'

// What mail clients put around the words of a person who answers GitHub's mail. GitHub shows the reply as a comment, with
// signature and quoted mail, and masks addresses as `***@***.***`. No rule here knows a language.

const ADDRESS = /\S@\S/
const DATE = /\d\s?[:.h時시]\s?\d{2}|(?:19|20)\d{2}|\d[./-]\d{1,2}[./-]\d/u
/** Enough for a line that wraps at the date, the name and the address. */
const MOST_LINES = 3
/** A longer one is no such line. */
const MOST_CHARACTERS = 400

/** `-- `, or a dash that stands alone, as GitHub's own last lines have it. */
const SIGNATURE = /^(?:--|—|–)\s?$/u
/** `-----Original Message-----`, `---- On Tue, Nov 24 … wrote ----`, … */
const DIVIDER = /^\s*-{3,}\s?[^\s-].{0,200}[^\s-]\s?-{3,}\s*$/u
/** Above a block of fields. */
const RULE = /^\s*[_-]{5,}\s*$/u
/** `From: mallory <…>` */
const FIELD = /^[\s\p{Cf}*]*[\p{L}\p{M}][\p{L}\p{M} ]{0,20}\**\s?[:：]/u

export const isQuoted = (line: string): boolean => /^\s*>/.test(line)
export const isBlank = (line: string): boolean => line.trim() === ''

/**
 * Where the end of a mail begins: its signature, or the mail that it answers.
 * @param from the first line that can be part of it @param code lines that never are
 */
export function endOfMail(
  lines: readonly string[],
  from: number,
  code: ReadonlySet<number>,
): number | undefined {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (code.has(at)) continue
    if (SIGNATURE.test(line) || DIVIDER.test(line) || isHeader(lines, at))
      return RULE.test(lines[at - 1] ?? '') && at > from ? at - 1 : at
    const attribution = attributionEndingAt(lines, at, from)
    if (attribution !== undefined) return attribution
  }
  return undefined
}

/** Three fields, and an address in them. */
function isHeader(lines: readonly string[], at: number): boolean {
  const block = lines.slice(at, at + 3)
  return (
    block.length === 3 && block.every((line) => FIELD.test(line)) && block.some((line) => ADDRESS.test(line))
  )
}

/**
 * The first line of the words such as `On Tue, Nov 24, 2026 at 10:02 mallory wrote:`, where they end here above a quotation;
 * with a date and an address, above anything.
 */
function attributionEndingAt(lines: readonly string[], end: number, from: number): number | undefined {
  const last = lines[end] ?? ''
  if (last.length > MOST_CHARACTERS || !/[:：][\s\p{Cf}*_]*$/u.test(last)) return undefined
  let [start, most, text]: [number | undefined, number, string] = [undefined, 0, '']
  for (let at = end; at >= Math.max(from, end - MOST_LINES + 1); at--) {
    const line = lines[at] ?? ''
    text = `${line} ${text}`
    if (isBlank(line) || isQuoted(line) || text.length > MOST_CHARACTERS) break
    const marks = [ADDRESS, DATE].filter((mark) => mark.test(text)).length
    // A line above that adds none is the person's own.
    if (marks > most) [start, most] = [at, marks]
  }
  return most === 2 || isAboveQuotation(lines, end) ? start : undefined
}

function isAboveQuotation(lines: readonly string[], at: number): boolean {
  let below = at + 1
  while (below < lines.length && isBlank(lines[below] ?? '')) below++
  return isQuoted(lines[below] ?? '')
}

/** Where the words that begin here end, if they say whose words the quotation below them is. */
export function endOfAttribution(lines: readonly string[], from: number): number | undefined {
  return [from, from + 1, from + 2].find(
    (end) => attributionEndingAt(lines, end, from) === from && isAboveQuotation(lines, end),
  )
}

/** Names of devices and of their mail programs: `Sent from my iPhone`, `iPhoneから送信`, `Get Outlook for iOS`. */
const DEVICE =
  /phone|ipad|android|galaxy|outlook|yahoo|proton|telef[oó]n|телефон|handy|smartphone|m[oó]vil|mobile?\b|celular|cellulare|手机|手機|携帯|スマホ|휴대/iu

/** Without the line that a phone puts below what people write: the last one, in a paragraph of its own. */
export function withoutPhoneLine(text: string): string {
  const [, words = text, last = ''] = /^(.*?)\n[^\S\n]*\n\s*([^\n]{1,100})$/s.exec(text.trimEnd()) ?? []
  return DEVICE.test(last) ? words.trimEnd() : text
}
