import {
  afterAttribution,
  isBlank,
  isOfDevice,
  isQuoted,
  type MailPart,
  quotedMailIn,
  signatureIn,
} from './mail.ts'

/** What of a comment the command does not take. */
export type CommentPart = MailPart | 'text-below'

/** Stands where the request quotes, and leads to the fence. @param n counted from 1 */
const quotationNote = (n: number): string => `[Quotation ${n} stands in the reference material below.]`

interface Reading {
  /** Whether the words may begin below empty and quoted lines. */
  readonly passesOver?: boolean
  /** How many quotations came before this text. */
  readonly quotedBefore?: number
}

/**
 * Reads a comment, also one that came by mail. Quoted lines leave the request, a signature and a mail that is quoted to the
 * end go; nothing that stands in a code block of its own does.
 */
export function readOwnWords(body: string, { passesOver = true, quotedBefore = 0 }: Reading = {}) {
  const lines = body.replace(/\r\n?/g, '\n').split('\n')
  const code = codeLines(lines)
  const isCode = (at: number) => code.has(at)
  const isOthers = (at: number) => !isCode(at) && isQuoted(lines[at] ?? '')
  const isNoWord = (at: number) => isOthers(at) || isBlank(lines[at] ?? '')
  const first = passesOver ? firstOwn(lines, isNoWord) : 0
  const mail = quotedMailIn(lines, first + 1, isCode) ?? lines.length
  const signature = signatureIn(lines, first + 1, isCode) ?? lines.length
  let end = Math.min(mail, signature)
  const cut = new Set<CommentPart>()
  if (signature < mail) cut.add('signature')
  if (mail < lines.length) cut.add('quoted-mail')
  // Where a mail ends without marks, nothing tells whose lines follow.
  const below = Math.max(mail, lines.findLastIndex(isQuoted)) + 1
  const rest = lines.slice(below, signatureIn(lines, below, isCode))
  const isAnswered = rest.some((line) => !isBlank(line) && !isOfDevice(line))
  if (isQuoted(lines[below - 1] ?? '') && isAnswered) cut.add('text-below')
  const withoutEnd = () => {
    while (end > first && isNoWord(end - 1)) end--
  }
  const quoted = end
  withoutEnd()
  const standsAlone = end - 1 === first + 1 || isBlank(lines[end - 2] ?? '')
  if (end > first + 1 && standsAlone && !isCode(end - 1) && isOfDevice(lines[end - 1] ?? '')) {
    cut.add('signature')
    end--
    withoutEnd()
  }
  const quotations: string[] = []
  const text: string[] = []
  for (let at = 0; at < quoted; at++) {
    const line = lines[at] ?? ''
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
    /** The person's own lines, as they are written, with a note in the place of a quotation. */
    text: text.join('\n'),
    /** The Markdown of each quotation, with its `>`: somebody else's words. */
    quotations,
    /** What the person's mail client added, and went; and the person's own lines below it, which went along. */
    cut: [...cut],
  }
}

/** The first line that is neither empty nor quoted, nor says whose words the quoted ones are. */
function firstOwn(lines: readonly string[], isNoWord: (at: number) => boolean): number {
  let first = 0
  while (first < lines.length) {
    if (isNoWord(first)) first++
    else {
      const below = afterAttribution(lines, first)
      if (below === undefined) return first
      first = below
    }
  }
  return first
}

/** The lines of fenced code blocks. One without an end is none: a mail could stand below it. */
function codeLines(lines: readonly string[]): ReadonlySet<number> {
  const code = new Set<number>()
  /** By the character: no fence of this length is closed any more. */
  const open = new Map<string, number>()
  for (let at = 0; at < lines.length; at++) {
    const [, fence = ''] = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(lines[at] ?? '') ?? []
    const sign = fence.charAt(0)
    if (fence === '' || fence.length >= (open.get(sign) ?? Number.POSITIVE_INFINITY)) continue
    const closing = new RegExp(`^\\s*${sign}{${fence.length},}\\s*$`)
    let end = at + 1
    while (end < lines.length && !closing.test(lines[end] ?? '')) end++
    if (end === lines.length) open.set(sign, fence.length)
    else {
      for (let index = at; index <= end; index++) code.add(index)
      at = end
    }
  }
  return code
}
