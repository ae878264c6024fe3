import { withoutInvisible } from '../base/invisible.ts'
import { masked } from '../base/mask.ts'
import { cut } from '../base/text.ts'

/** UTF-16 units of a text that are kept. */
export const MAX_LENGTH = 500

/**
 * Visible, with addresses, long numbers and keys masked, at most 500 characters and one blank line in a row.
 */
export function readerText(text: string): string {
  const decoded = text.replace(REFERENCE, (reference, decimal?: string, hex?: string, name = '') => {
    const point = Number(decimal ?? `0x${hex ?? ''}`)
    if (Number.isNaN(point)) return NAMED[String(name).toLowerCase()] ?? reference
    return point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : reference
  })
  const tidy = withoutInvisible(decoded.replace(LINE_BREAK, '\n'))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const safe = masked(tidy)
  // V8 keeps the whole text in memory as long as a slice of it lives; a copy lets a comment of a megabyte go.
  return safe.length <= MAX_LENGTH ? safe : Buffer.from(cut(safe, MAX_LENGTH)).toString()
}

const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** The references to characters that can hide an address or a number; others, such as `&lt;`, stay as readers wrote them. */
const REFERENCE = /&(?:amp;)*(?:#(\d{1,7})|#x([\da-f]{1,6})|(commat|period|quot|nbsp));?/gi
const NAMED: Readonly<Record<string, string>> = { commat: '@', period: '.', quot: '"', nbsp: ' ' }
