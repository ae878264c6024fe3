import { blankLines, htmlBlocks, lineEnd } from './sanitize-blocks.ts'

/** What neither HTML nor CommonMark shows, from its opening to its closing; to the end where nothing closes it. */
const HIDDEN: readonly { readonly open: RegExp; readonly close: RegExp }[] = [
  // `<!-->` and `<!--->` are whole comments: https://html.spec.whatwg.org/#parse-error-abrupt-closing-of-empty-comment
  { open: /^<!--/, close: /--!?>/ },
  { open: /^<!\[CDATA\[/, close: /\]\]>/ },
  { open: /^<![a-z]/i, close: />/ },
  { open: /^<\?/, close: /\?>/ },
]

/** One pass from left to right, as a parser would: what opens first hides everything up to its own closing. */
export function withoutHiddenHtml(text: string): string {
  const blockEnd = htmlBlocks(text)
  const blank = blankLines(text)
  let shown = ''
  let from = 0
  let lastLine = 0
  for (const { index } of text.matchAll(/<(?:[!?]|\/(?![a-z]))/gi)) {
    if (index < from) continue
    // The block of a comment goes on to the end of the line on which the comment ends.
    const block = blockEnd(index) ?? (index < lastLine ? lastLine : undefined)
    const end = hiddenUntil(text, index, block)
    // In a paragraph it hides only what it closes over.
    if (block === undefined && end > blank(index)) continue
    shown += text.slice(from, index)
    from = end
    if (block !== undefined) lastLine = lineEnd(text, end)
  }
  return shown + text.slice(from)
}

/** What stands in for ruby where a browser has none, and all have: nobody sees it. */
export const withoutParentheses = (text: string): string =>
  text.replace(/<rp(?=[\s/>])[\s\S]*?(?:<\/rp\s*>|$)/gi, '')

/** Where what hides at this place ends; the place itself where nothing hides. */
function hiddenUntil(text: string, at: number, blockEnd: number | undefined): number {
  const rest = text.slice(at)
  const hidden = HIDDEN.find(({ open }) => open.test(rest))
  if (hidden !== undefined) {
    const end = hidden.close.exec(rest)
    return end === null ? text.length : at + end.index + end[0].length
  }
  // What is no tag after all is a comment where HTML is read: https://html.spec.whatwg.org/#bogus-comment-state
  if (blockEnd === undefined) return at
  const end = text.slice(at, blockEnd).indexOf('>')
  return end === -1 ? blockEnd : at + end + 1
}

/** A tag stays, what it carries goes: `<img alt="…">`, `<a title="…">`. */
export function withoutAttributes(text: string): string {
  const blockEnd = htmlBlocks(text)
  const blank = blankLines(text)
  let shown = ''
  let from = 0
  for (const { 0: name, index } of text.matchAll(/<\/?[a-z][^\s/<>]*(?=[\s/])/gi)) {
    if (index < from) continue
    const limit = blockEnd(index)
    const end =
      limit === undefined ? inlineTagEnd(text, index, blank(index)) : tagEnd(text, index + name.length, limit)
    if (end === undefined) continue
    shown += `${text.slice(from, index)}${name}>`
    from = end
  }
  return shown + text.slice(from)
}

/** https://spec.commonmark.org/0.31.2/#raw-html */
const INLINE_TAG =
  /<(?:[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?|\/[a-z][a-z0-9-]*\s*)>/iy

/** In a paragraph everything else that begins like a tag is text. */
function inlineTagEnd(text: string, at: number, limit: number): number | undefined {
  INLINE_TAG.lastIndex = at
  const tag = INLINE_TAG.exec(text)?.[0]
  return tag === undefined || at + tag.length > limit ? undefined : at + tag.length
}

/** Where a tag in a block of HTML ends, as HTML reads it: only behind `=` does a quote begin a value. */
function tagEnd(text: string, start: number, limit: number): number {
  let quote = ''
  let before = ''
  for (let at = start; at < limit; at++) {
    const character = text.charAt(at)
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '>') return at + 1
    else if (before === '=' && (character === '"' || character === "'")) quote = character
    if (character.trim() !== '') before = character
  }
  return limit
}
