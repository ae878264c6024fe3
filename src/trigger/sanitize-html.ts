import { blankLines, htmlBlocks } from './sanitize-blocks.ts'

/** What HTML and CommonMark do not show, from its opening to its closing; to the end where nothing closes it. */
const HIDDEN: readonly { readonly open: RegExp; readonly close: RegExp }[] = [
  // `<!-->` and `<!--->` are whole comments: https://html.spec.whatwg.org/#parse-error-abrupt-closing-of-empty-comment
  { open: /^<!--/, close: /(?<=^<!-{2,3})>|--!?>/ },
  { open: /^<!\[CDATA\[/, close: /\]\]>/ },
  { open: /^<![a-z]/i, close: />/ },
  { open: /^<\?/, close: /\?>/ },
  // What is no tag after all is a comment where HTML is read: https://html.spec.whatwg.org/#bogus-comment-state
  { open: /^<[!/](?![a-z])[^<>]*>/i, close: />/ },
]

/** One pass from left to right, as a parser would: what opens first hides everything up to its own closing. */
export function withoutHiddenHtml(text: string): string {
  const blockAt = htmlBlocks(text)
  let shown = ''
  let from = 0
  for (const { index } of text.matchAll(/<(?:[!?]|\/(?![a-z]))/gi)) {
    if (index < from) continue
    const end = hiddenUntil(text.slice(index), (blockAt(index)?.end ?? 0) - index)
    shown += text.slice(from, index)
    from = index + end
  }
  return shown + text.slice(from)
}

/** Where what hides at the start of the text ends: 0 where nothing hides there. */
function hiddenUntil(rest: string, blockEnd: number): number {
  const hidden = HIDDEN.find(({ open }) => open.test(rest))
  if (hidden !== undefined) {
    const end = hidden.close.exec(rest)
    return end === null ? rest.length : end.index + end[0].length
  }
  // A comment after all in a block of HTML; text in a paragraph.
  const end = rest.slice(0, Math.max(0, blockEnd)).indexOf('>')
  return blockEnd <= 0 ? 0 : end < 0 ? blockEnd : end + 1
}

/** A tag stays, what it carries goes: `<img alt="…">`, `<a title="…">`. */
export function withoutAttributes(text: string): string {
  const blockAt = htmlBlocks(text)
  const blank = blankLines(text)
  let shown = ''
  let from = 0
  let unclosed = 0
  for (const { 0: name, index } of text.matchAll(/<\/?[a-z][^\s/<>]*(?=[\s/])/gi)) {
    if (index < from) continue
    const block = blockAt(index)
    const limit = block?.end ?? blank(index)
    let end = inlineTagEnd(text, index, limit)
    if (block !== undefined) {
      const found = unclosed < MOST_UNCLOSED ? tagEnd(text, index + name.length, limit) : -1
      if (found < 0) unclosed++
      end = found < 0 ? limit : found
    }
    if (end < 0) continue
    shown += `${text.slice(from, index)}${name}>`
    from = end
  }
  return shown + text.slice(from)
}

/** https://spec.commonmark.org/0.31.2/#raw-html */
const INLINE_TAG =
  /<(?:[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?|\/[a-z][a-z0-9-]*\s*)>/iy

/** In a paragraph everything else that begins like a tag is text: -1. */
function inlineTagEnd(text: string, at: number, limit: number): number {
  INLINE_TAG.lastIndex = at
  const end = at + (INLINE_TAG.exec(text)?.[0].length ?? Number.POSITIVE_INFINITY)
  return end <= limit ? end : -1
}

/** Each is looked for up to the end of its paragraph; nobody writes more in good faith. */
const MOST_UNCLOSED = 50

/** Where a tag in a block of HTML ends, as HTML reads it: only behind `=` does a quote begin a value; -1 where nothing ends it. */
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
  return -1
}
