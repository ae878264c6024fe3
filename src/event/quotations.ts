import { codeLines } from './code-blocks.ts'
import { type CommentChannel, endOfParagraph, hasWords, isBlank, isQuoted } from './mail.ts'

/** Stands where the request quotes, and leads to the fence. @param n counted from 1 */
const quotationNote = (n: number): string => `[Quotation ${n} stands in the reference material below.]`

interface Reading {
  /** Whether the words may begin below empty and quoted lines. */
  readonly passesOver?: boolean
  readonly via?: CommentChannel
  /** How many quotations came before this text. */
  readonly quotedBefore?: number
}

/**
 * Takes what a comment quotes out of it; code blocks stay. Of one that came by mail, or of which that is not known, what
 * stands below its first paragraph goes apart, whatever it looks like.
 */
export function separateQuotations(
  body: string,
  { passesOver = true, via = 'page', quotedBefore = 0 }: Reading = {},
) {
  const all = body.replace(/\r\n?/g, '\n').split('\n')
  const first = passesOver ? firstOwn(all) : 0
  const from = endOfParagraph(all, first)
  // Quotations alone are others' words however they came.
  const isSplit = via !== 'page' && hasWords(all, from)
  const lines = isSplit ? all.slice(0, from) : all
  const below = isSplit ? all.slice(from).join('\n').trim() : ''
  const code = codeLines(lines)
  const isOthers = (at: number) => !code.has(at) && isQuoted(lines[at] ?? '')
  let end = lines.length
  while (end > first && (isOthers(end - 1) || isBlank(lines[end - 1] ?? ''))) end--
  const quotations: string[] = []
  const text: string[] = []
  for (const [at, line] of lines.entries()) {
    if (isOthers(at)) {
      const goesOn = at > 0 && isOthers(at - 1)
      if (goesOn) quotations.push(`${quotations.pop()}\n${line}`)
      else quotations.push(line)
      if (!goesOn && at > first && at < end) {
        if (!isBlank(lines[at - 1] ?? '')) text.push('')
        text.push(quotationNote(quotedBefore + quotations.length))
      }
    } else if (at >= first && at < end) {
      if (at > first && isOthers(at - 1) && !isBlank(line)) text.push('')
      text.push(line)
    }
  }
  return {
    /** The person's own lines, with a note in the place of a quotation. */
    text: text.join('\n'),
    /** Somebody else's words, with their `>`. */
    quotations,
    /** What of a mail stands below its first paragraph: Markdown; '' for nothing. */
    below,
  }
}

/** The first line that is neither empty nor quoted. */
function firstOwn(lines: readonly string[]): number {
  const first = lines.findIndex((line) => !isBlank(line) && !isQuoted(line))
  return first < 0 ? lines.length : first
}
