/**
 * HTML comments in Markdown, as the rendered page hides them. Where two readings of the Markdown differ, what one of them hides
 * is hidden. Blocks and inline text: https://spec.commonmark.org/0.31.2/#html-blocks and #raw-html
 */

const CONTAINER = /^(?:[ \t]{0,3}>[ \t]?|[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]{1,4}(?=\S)|[ \t]*$))*/
const LIST_ITEM = /[-*+]|\d[.)]/
const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/
const HTML = /^ {0,3}<[a-z/!?]/i
const HTML_IN_LIST = /^[ \t]*<[a-z/!?]/i
/** Or a break. */
const HEADING = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|(?:[*][ \t]*){3,}$|(?:-[ \t]*){3,}$|(?:_[ \t]*){3,}$|=+[ \t]*$)/
/** What ends a paragraph without an empty line above it. */
const NEXT_BLOCK =
  /^ {0,3}(?:#{1,6}(?:[ \t]|$)|>|[-*+][ \t]|1[.)][ \t]|`{3,}[^`]*$|~{3,}|=+[ \t]*$|(?:-[ \t]*)+$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$|<)/
/** Its item may be indented by more. */
const NEXT_IN_LIST = new RegExp(NEXT_BLOCK.source.replace(' {0,3}', '[ \\t]*'))

/** Ends as browsers see it: https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state */
const COMMENT = /<!--(?:-?>|[\s\S]*?(?:--!?>|$))/g

const CLOSED = /^<!--(?:-?>|[\s\S]*--!?>$)/

type BlockKind = 'blank' | 'code' | 'fence' | 'html' | 'heading' | 'paragraph'

function kindOf(rest: string, isParagraphAbove: boolean, isInList: boolean): BlockKind {
  if (rest.trim() === '') return 'blank'
  if (!isParagraphAbove && !isInList && /^(?: {4}|\t)/.test(rest)) return 'code'
  if (FENCE.test(rest)) return 'fence'
  if ((isInList ? HTML_IN_LIST : HTML).test(rest)) return 'html'
  return HEADING.test(rest) ? 'heading' : 'paragraph'
}

/** @returns the Markdown without its HTML comments, but for those in code */
export function withoutHtmlComments(markdown: string): string {
  if (!markdown.includes('<!--')) return markdown
  const lines = markdown.split('\n')
  const shown: string[] = []
  let kind: BlockKind = 'blank'
  let isInList = false
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const [prefix = ''] = CONTAINER.exec(line) ?? []
    isInList = LIST_ITEM.test(prefix) || (isInList && (kind === 'paragraph' || /^\s|^$/.test(line)))
    kind = kindOf(line.slice(prefix.length), kind === 'paragraph', isInList)
    const end = ENDS[kind](lines, at, prefix, isInList)
    const text = lines.slice(at, end).join('\n')
    at = end
    if (kind === 'html') {
      shown.push(text.replace(COMMENT, ''))
      // One that is still open hides all that follows.
      if ((text.match(COMMENT) ?? []).some((comment) => !CLOSED.test(comment))) break
    } else shown.push(kind === 'heading' || kind === 'paragraph' ? withoutInline(text) : text)
  }
  return shown.join('\n')
}

type EndOf = (lines: readonly string[], start: number, prefix: string, isInList: boolean) => number

/** The line behind each block. */
const ENDS: Readonly<Record<BlockKind, EndOf>> = {
  blank: (_, start) => start + 1,
  code: (_, start) => start + 1,
  heading: (_, start) => start + 1,
  fence: endOfFence,
  html: endOfHtml,
  paragraph: (lines, start, _, isInList) => endOfBlock(lines, start, isInList ? NEXT_IN_LIST : NEXT_BLOCK),
}

const quotesIn = (prefix: string): number => prefix.split('>').length - 1

function endOfFence(lines: readonly string[], start: number, opening: string): number {
  const [, fence = ''] = FENCE.exec((lines[start] ?? '').slice(opening.length)) ?? []
  const quotes = quotesIn(opening)
  const closing = new RegExp(`^[ \\t]*${fence.charAt(0)}{${fence.length},}[ \\t]*$`)
  for (let at = start + 1; at < lines.length; at++) {
    const prefix = quotationOf(lines[at] ?? '')
    if (quotesIn(prefix) < quotes) return at
    if (closing.test((lines[at] ?? '').slice(prefix.length))) return at + 1
  }
  return lines.length
}

/** A block that begins with a comment ends with a line that has `-->`, or with what holds it; any other one, with an empty line. */
function endOfHtml(lines: readonly string[], start: number, prefix: string, isInList: boolean): number {
  if (!/^[ \t]*<!--/.test((lines[start] ?? '').slice(prefix.length))) return endOfBlock(lines, start)
  const column = LIST_ITEM.test(prefix) ? prefix.length : indentOf(lines[start] ?? '')
  const isOver = (line: string) =>
    (quotesIn(prefix) > 0 && !/^ {0,3}>/.test(line)) || (isInList && indentOf(line) < column)
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (at > start && isOver(line)) return at
    if (line.includes('-->')) return at + 1
  }
  return lines.length
}

/** @param next what ends a paragraph; undefined for other blocks */
function endOfBlock(lines: readonly string[], start: number, next?: RegExp): number {
  const quotes = quotesIn(quotationOf(lines[start] ?? ''))
  const end = lines.findIndex((line, at) => {
    if (at <= start) return false
    const prefix = quotationOf(line)
    const rest = line.slice(prefix.length)
    return rest.trim() === '' || (next !== undefined && (quotesIn(prefix) > quotes || next.test(rest)))
  })
  return end === -1 ? lines.length : end
}

/** An empty line is in each item. */
const indentOf = (line: string): number => (line.trim() === '' ? Infinity : line.search(/\S/))

const quotationOf = (line: string): string => /^(?: {0,3}>[ \t]?)*/.exec(line)?.[0] ?? ''

/** Of a paragraph: a comment needs its end there, and code hides none. */
function withoutInline(text: string): string {
  const runs = Map.groupBy([...text.matchAll(/`+/g)].reverse(), ([ticks]) => ticks.length)
  let shown = ''
  let from = 0
  for (const { 0: found, index } of text.matchAll(/\\[\s\S]|`+|<!--/g)) {
    if (index < from) continue
    if (found.startsWith('`')) {
      const later = runs.get(found.length) ?? []
      while ((later.at(-1)?.index ?? Infinity) <= index) later.pop()
      const end = later.at(-1)
      if (end === undefined) continue
      shown += text.slice(from, end.index + found.length)
      from = end.index + found.length
    } else if (found === '<!--') {
      const [comment = ''] = /^<!--(?:-?>|[\s\S]*?--!?>)/.exec(text.slice(index)) ?? []
      if (!text.includes('-->', index + 2)) break
      shown += text.slice(from, index)
      from = index + comment.length
    }
  }
  return shown + text.slice(from)
}
