/** What of a comment the agent does not get: the end of a mail, from this line on, and what stands below a word that asks nothing. */
export type CommentPart =
  | { readonly kind: 'mail-end'; readonly from: string }
  | { readonly kind: 'text-below' }

/** Stands where the request quotes, and leads to the fence. @param n counted from 1 */
const quotationNote = (n: number): string => `[Quotation ${n} stands in the reference material below.]`

interface Reading {
  /** Whether the words may begin below empty and quoted lines. */
  readonly passesOver?: boolean
  /** GitHub says that the comment came by mail: nothing else lets its end go. */
  readonly isMail?: boolean
  /** How many quotations came before this text. */
  readonly quotedBefore?: number
}

/** Reads a comment. Quoted lines leave the request, and of a mail what its client put at the end; code blocks stay. */
export function readOwnWords(
  body: string,
  { passesOver = true, isMail = false, quotedBefore = 0 }: Reading = {},
) {
  const lines = body.replace(/\r\n?/g, '\n').split('\n')
  const code = codeLines(lines)
  const isOthers = (at: number) => !code.has(at) && isQuoted(lines[at] ?? '')
  const isNoWord = (at: number) => isOthers(at) || isBlank(lines[at] ?? '')
  const first = passesOver ? firstOwn(lines, isNoWord) : 0
  const mailEnd = isMail ? endOfMail(lines, first + 1, code) : undefined
  const quoted = mailEnd ?? lines.length
  let end = quoted
  while (end > first && isNoWord(end - 1)) end--
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
  const cut: CommentPart[] = mailEnd === undefined ? [] : [{ kind: 'mail-end', from: lines[mailEnd] ?? '' }]
  /** `text`: the person's own lines, with a note in the place of a quotation; `quotations`: somebody else's words, with their `>`. */
  return { text: text.join('\n'), quotations, cut }
}

/** The first line that is neither empty nor quoted, nor says whose words the quoted ones are. */
function firstOwn(lines: readonly string[], isNoWord: (at: number) => boolean): number {
  let first = 0
  while (first < lines.length) {
    const own = first
    const isAttribution = (end: number) =>
      attributionEndingAt(lines, end, own) === own && isAboveQuotation(lines, end)
    const end = isNoWord(own) ? own : [own, own + 1, own + 2].find(isAttribution)
    if (end === undefined) return first
    first = end + 1
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

const isQuoted = (line: string): boolean => /^\s*>/.test(line)
const isBlank = (line: string): boolean => line.trim() === ''

const ADDRESS = /\S@\S/
const DATE = /\d\s?[:.h時시]\s?\d{2}|(?:19|20)\d{2}|\d[./-]\d{1,2}[./-]\d/u
/** Enough for a line that wraps at the date, the name and the address. */
const MOST_LINES = 3
/** A longer one is no such line. */
const MOST_CHARACTERS = 400

/**
 * The first line of the words such as `On Tue, Nov 24, 2026 at 10:02 mallory wrote:`, where they end here above a quotation;
 * with a date and an address, above anything.
 */
function attributionEndingAt(lines: readonly string[], end: number, from: number): number | undefined {
  const last = lines[end] ?? ''
  if (last.length > MOST_CHARACTERS || !/[:：][\s\p{Cf}*_]*$/u.test(last)) return undefined
  let [start, most, text]: [number | undefined, number, string] = [undefined, 0, '']
  for (let at = end; at >= Math.max(from, end - MOST_LINES + 1); at--) {
    const line = lines[at] ?? ''
    text = `${line} ${text}`
    if (isBlank(line) || isQuoted(line) || text.length > MOST_CHARACTERS) break
    const marks = [ADDRESS, DATE].filter((mark) => mark.test(text)).length
    // A line above that adds none is the person's own.
    if (marks > most) [start, most] = [at, marks]
  }
  return most === 2 || isAboveQuotation(lines, end) ? start : undefined
}

function isAboveQuotation(lines: readonly string[], at: number): boolean {
  let below = at + 1
  while (below < lines.length && isBlank(lines[below] ?? '')) below++
  return isQuoted(lines[below] ?? '')
}

/** `-- `, or a dash that stands alone, as GitHub's own last lines have it. */
const MARK = /^(?:--|—|–)\s?$/u
/** `-----Original Message-----`, `---- On Tue, Nov 24 … wrote ----`, … */
const DIVIDER = /^\s*-{3,}\s?[^\s-].{0,200}[^\s-]\s?-{3,}\s*$/u
/** Above a block of fields. */
const RULE = /^\s*[_-]{5,}\s*$/u
/** `From: mallory <…>`, in whatever language. */
const FIELD = /^[\s\p{Cf}*]*[\p{L}\p{M}][\p{L}\p{M} ]{0,20}\**\s?[:：]/u

function isHeader(lines: readonly string[], at: number): boolean {
  const block = lines.slice(at, at + 3)
  return (
    block.length === 3 && block.every((line) => FIELD.test(line)) && block.some((line) => ADDRESS.test(line))
  )
}

/** Where the end of a mail begins: a signature, or the mail that it answers. By marks that no language changes. */
function endOfMail(lines: readonly string[], from: number, code: ReadonlySet<number>): number | undefined {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (code.has(at)) continue
    if (MARK.test(line) || DIVIDER.test(line) || isHeader(lines, at)) {
      return RULE.test(lines[at - 1] ?? '') && at > from ? at - 1 : at
    }
    const attribution = attributionEndingAt(lines, at, from)
    if (attribution !== undefined) return attribution
  }
  return undefined
}
