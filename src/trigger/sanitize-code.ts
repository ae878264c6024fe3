import { CONTAINERS } from './sanitize-blocks.ts'

/** Of these GitHub shows a drawing instead of the text. */
const DRAWN = /^\s*(?:mermaid|math|geojson|topojson|stl)\b/i
const OPENING = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/
const PREFIX = new RegExp(String.raw`^(?:${CONTAINERS}|\[\^[^\]]*\]:)*`)
const FENCE_LIKE = /^(?:`{3,}[^`]*$|~{3,})/
const BLANK = /^[ \t]*$/

/** Tags that hide nothing, whole on their line. */
const HARMLESS =
  /<\/?(?:a|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|ins|kbd|li|ol|p|span|strong|su[bp]|summary|table|tbody|td|th|thead|tr|ul)(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>/gi
/** What changes how HTML reads everything behind it. */
const HIDING = /<(?:audio|canvas|math|noscript|object|rp|select|svg|template|video)\b/i

/** Numbers of the first line of some code and of the line behind its last. */
export interface CodeLines {
  readonly from: number
  readonly to: number
}

/**
 * The lines in fences that are code on GitHub beyond doubt: no step of the sanitiser need look at them. Fences at the
 * beginning of their line count, as no list, quotation or paragraph can hold these; from the first line on that could
 * make a difference (HTML that is not whole, a fence anywhere else), no more code is found.
 * @param bare what is left of a line without the characters that nobody sees
 */
export function certainCode(lines: readonly string[], bare: (line: string) => string): CodeLines[] {
  const found: CodeLines[] = []
  let inHtml = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const opening = OPENING.exec(line)
    const inside = bare(line).replace(PREFIX, '')
    if (HIDING.test(line)) break
    if (opening !== null && !inHtml) {
      const to = closingLine(lines, at, opening[1] ?? opening[3] ?? '')
      if (!DRAWN.test(bare(opening[2] ?? opening[4] ?? ''))) found.push({ from: at + 1, to })
      at = to
    } else if (FENCE_LIKE.test(inside)) break
    else if (line.startsWith('<!--') && !inHtml) {
      const end = commentEnd(lines, at)
      if (end === undefined) break
      at = end
    } else {
      inHtml = !BLANK.test(line) && (inHtml || inside.startsWith('<'))
      if (inHtml && line.replace(HARMLESS, '').includes('<')) break
    }
  }
  return found
}

function closingLine(lines: readonly string[], opening: number, fence: string): number {
  const closing = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}[ \\t]*$`)
  return lineLike(lines, closing, opening + 1) ?? lines.length
}

/** The last line of a comment that Markdown and HTML read alike, with nothing behind it. */
function commentEnd(lines: readonly string[], start: number): number | undefined {
  const end = lineLike(lines, /--!?>/, start)
  if (end === undefined) return undefined
  const comment = lines.slice(start, end + 1).join('\n')
  return /^<!--(?!-?>)[\s\S]*?-->[^<]*$/.test(comment) && !comment.includes('--!>') ? end : undefined
}

function lineLike(lines: readonly string[], pattern: RegExp, from: number): number | undefined {
  for (let at = from; at < lines.length; at++) if (pattern.test(lines[at] ?? '')) return at
  return undefined
}
