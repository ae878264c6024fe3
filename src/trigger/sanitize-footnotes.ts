import { CONTAINERS } from './sanitize-blocks.ts'

const FOOTNOTE = new RegExp(String.raw`^${CONTAINERS}\[\^(?:[^\]\\ \t]|\\.)+\]:`)
const QUOTATION = /^[ \t]*(?:>[ \t]?)+/
/** What ends a paragraph without a blank line: not all that does, but nothing else. */
const NEW_BLOCK =
  /^ {0,3}(?:#{1,6}(?:[ \t]|$)|(?:[*+-]|1[.)])[ \t]+[^ \t]|`{3,}[^`]*$|~{3}|<\/?(?:details|div|h[1-6]|hr|p|summary|table)(?:[ >]|$))/i
const INDENTED = /^(?: {4}|\t)/

const never = (): boolean => false
const isLazy = (line: string): boolean => !NEW_BLOCK.test(line)
const isIndented = (line: string): boolean => INDENTED.test(line)

/**
 * Footnotes that nothing refers to show nowhere, and what refers to one may be hidden itself: all go, with their further
 * lines and paragraphs.
 */
export function withoutFootnotes(text: string): string {
  let goesOn: (line: string) => boolean = never
  const kept = text.split('\n').filter((line) => {
    const inside = line.replace(QUOTATION, '')
    if (/^[ \t]*$/.test(inside)) {
      if (goesOn !== never) goesOn = isIndented
      return true
    }
    const part = FOOTNOTE.test(line) || goesOn(inside)
    goesOn = part ? isLazy : never
    return !part
  })
  return kept.join('\n')
}
