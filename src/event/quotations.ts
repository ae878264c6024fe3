import { codeLines } from './code-blocks.ts'
import { endOfAttribution, endOfMail, isBlank, isQuoted, type Via } from './email-reply.ts'

/** What of a comment the agent does not get: the end of a mail, from this line on, and what stands below a word that asks nothing. */
export type CommentPart =
  | { readonly kind: 'mail-end'; readonly from: string }
  | { readonly kind: 'text-below' }

/** Stands where the request quotes, and leads to the fence. @param n counted from 1 */
const quotationNote = (n: number): string => `[Quotation ${n} stands in the reference material below.]`

interface Reading {
  /** Whether the words may begin below empty and quoted lines. */
  readonly passesOver?: boolean
  readonly via?: Via
  /** How many quotations came before this text. */
  readonly quotedBefore?: number
}

/**
 * Takes what a comment quotes out of it; code blocks stay. Of one that came by mail, its end is cut. Where it is not known
 * whether it did, what looks like such an end is a quotation.
 */
export function separateQuotations(
  body: string,
  { passesOver = true, via = 'page', quotedBefore = 0 }: Reading = {},
) {
  const lines = body.replace(/\r\n?/g, '\n').split('\n')
  const code = codeLines(lines)
  const isOthers = (at: number) => !code.has(at) && isQuoted(lines[at] ?? '')
  const isNoWord = (at: number) => isOthers(at) || isBlank(lines[at] ?? '')
  const first = passesOver ? firstOwn(lines, isNoWord) : 0
  const mailEnd = via === 'page' ? undefined : endOfMail(lines, first + 1, code)
  const below = mailEnd ?? lines.length
  let end = below
  while (end > first && isNoWord(end - 1)) end--
  const quotations: string[] = []
  const note = () => quotationNote(quotedBefore + quotations.length)
  const text: string[] = []
  for (let at = 0; at < below; at++) {
    const line = lines[at] ?? ''
    if (isOthers(at)) {
      const goesOn = at > 0 && isOthers(at - 1)
      if (goesOn) quotations.push(`${quotations.pop()}\n${line}`)
      else quotations.push(line)
      if (!goesOn && at > first && at < end) {
        if (!isBlank(lines[at - 1] ?? '')) text.push('')
        text.push(note())
      }
    } else if (at >= first && at < end) {
      if (at > first && isOthers(at - 1) && !isBlank(line)) text.push('')
      text.push(line)
    }
  }
  const cut: CommentPart[] = []
  let noteBelow = ''
  if (mailEnd !== undefined && via === 'email') cut.push({ kind: 'mail-end', from: lines[mailEnd] ?? '' })
  else if (mailEnd !== undefined) {
    quotations.push(lines.slice(mailEnd).join('\n'))
    noteBelow = note()
  }
  return {
    /** The person's own lines, with a note in the place of a quotation. */
    text: text.join('\n'),
    /** Stands below the request, in the place of what looks like the end of a mail. */
    noteBelow,
    /** Somebody else's words, with their `>`. */
    quotations,
    cut,
  }
}

/** The first line that is neither empty nor quoted, nor says whose words the quoted ones are. */
function firstOwn(lines: readonly string[], isNoWord: (at: number) => boolean): number {
  let first = 0
  while (first < lines.length) {
    const end = isNoWord(first) ? first : endOfAttribution(lines, first)
    if (end === undefined) return first
    first = end + 1
  }
  return first
}
