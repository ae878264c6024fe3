/** A fence at the left, or in a list, by the rules that all readers of Markdown share. */
const FENCE = /^( {0,3}(?:(?:[-*+]|1[.)]) {1,4})?)(`{3,}(?=[^`]*$)|~{3,})/
/** Whether that is one depends on the lines above. */
const ANY_FENCE = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(?:`{3,}[^`]*$|~{3,})/
const HTML = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*<[a-z/!?]/i
/** Blank lines do not end it. */
const LONG_HTML = /^[^<]*<(?:pre|script|style|textarea|[!?])/i

/**
 * The lines of fenced code blocks that are surely blocks. One without an end is none, since a mail could stand below it; and
 * below a fence that two readings of Markdown take differently, none is: what a person quotes there must not pass for code.
 */
export function codeLines(lines: readonly string[]): ReadonlySet<number> {
  const code = new Set<number>()
  let isHtml = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line.trim() === '') isHtml = false
    else if (HTML.test(line)) {
      if (LONG_HTML.test(line)) break
      isHtml = true
    }
    if (!ANY_FENCE.test(line)) continue
    const [, before = '', fence = ''] = FENCE.exec(line) ?? []
    const end = isHtml || fence === '' ? undefined : endOfBlock(lines, at, before.length, fence)
    if (end === undefined) break
    for (let index = at; index <= end; index++) code.add(index)
    at = end
  }
  return code
}

/** @returns undefined where the block has no end, or may have ended before it */
function endOfBlock(lines: readonly string[], start: number, column: number, fence: string) {
  const closing = new RegExp(`^ *${fence.charAt(0)}{${fence.length},}\\s*$`)
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const indent = line.search(/[^ ]/)
    if (line.trim() === '' || (column === 0 && indent > 3)) continue
    if (indent < column) return undefined
    if (closing.test(line)) return column === 0 || indent === column ? at : undefined
  }
  return undefined
}
