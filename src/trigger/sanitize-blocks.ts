/** What may stand before a block that stands in quotations and lists. */
export const CONTAINERS = String.raw`(?:[ \t>]|[*+-](?=[ \t])|\d{1,9}[.)](?=[ \t]))*`

const BLOCKS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|source|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul'

/** What begins a line and with it a block: a name of these, or any tag that has the line to itself. */
const LONE_TAG = String.raw`/?[a-z](?:[^\n>"']|"[^"\n]*"|'[^'\n]*')*>[ \t]*$`
const START = new RegExp(
  String.raw`^${CONTAINERS}(?=<(?:((?:pre|script|style|textarea)(?=[\s>]|$))|[!?]|/?(?:${BLOCKS})(?=[\s>]|/>|$)|${LONE_TAG}))`,
  'gim',
)
/** Only this ends these, with the rest of its line; blank lines do not. */
const END = /<\/(?:pre|script|style|textarea)>/gi
const BLANK_LINE = /\n[ \t]*(?=\n)/g

/**
 * Where the block of HTML ends in which a place is, if it is in one: at the next blank line, or further on. Markdown
 * has fewer such blocks; which ones depends on all that stands before them. Places must not go back.
 * https://spec.commonmark.org/0.31.2/#html-blocks
 */
export function htmlBlocks(text: string): (at: number) => number | undefined {
  const [blank, closed] = [blankLines(text), finder(text, END)]
  const starts = text.matchAll(START)
  let next = starts.next()
  let end = 0
  return (at) => {
    for (; !next.done && next.value.index <= at; next = starts.next()) {
      const { index, 1: untilClosed } = next.value
      end = Math.max(end, untilClosed === undefined ? blank(index) : lineEnd(text, closed(index)))
    }
    return at < end ? end : undefined
  }
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** The next blank line, or the end of the text, for places that do not go back. */
export const blankLines = (text: string): ((at: number) => number) => finder(text, BLANK_LINE)

function finder(text: string, pattern: RegExp): (at: number) => number {
  const again = new RegExp(pattern)
  let found = -1
  return (at) => {
    if (found >= at) return found
    again.lastIndex = at
    found = again.exec(text)?.index ?? text.length
    return found
  }
}
