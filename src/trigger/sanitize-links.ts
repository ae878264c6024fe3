/** Longer targets are none in good faith, and each is looked through. */
const MOST_TARGET = 2000
const OVERLONG = new RegExp(String.raw`\]\(\s*\S{${MOST_TARGET},}`, 'g')

/** White space, the marks of quotations in it too, but no blank line. */
const GAP = String.raw`(?:[ \t]*(?:\n[ \t>]*(?!\n))?)`
const QUOTED = String.raw`"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\)`
const TARGET = new RegExp(`${GAP}(?:<(?:[^<>\\\\\\n]|\\\\.)*>)?`, 'y')
const TITLE = new RegExp(`(?=\\s)${GAP}(?:${QUOTED})${GAP}\\)`, 'y')

/** `[text](target "title")`: a title shows only to who points at the link. */
export function withoutTitles(markdown: string): string {
  const text = markdown.replace(OVERLONG, '](#')
  let shown = ''
  let from = 0
  for (const { index } of text.matchAll(/\]\(/g)) {
    if (index < from) continue
    TITLE.lastIndex = targetEnd(text, index + 2)
    const end = TITLE.lastIndex
    const [title] = TITLE.exec(text) ?? []
    if (title === undefined || /\n[ \t>]*\n/.test(title)) continue
    shown += `${text.slice(from, end)})`
    from = end + title.length
  }
  return shown + text.slice(from)
}

/** Behind the target: in angles, or up to white space, or where brackets that it did not open close the link. */
function targetEnd(text: string, start: number): number {
  TARGET.lastIndex = start
  const [angles = ''] = TARGET.exec(text) ?? []
  let at = start + angles.length
  for (let depth = 0; ; at++) {
    const character = text.charAt(at)
    if (character === '(') depth++
    if (isSpace(character) || (character === ')' && depth-- === 0)) break
    if (character === '\\' && !isSpace(text.charAt(at + 1))) at++
  }
  return at
}

/** Other blanks than these can stand in a target. The end of the text reads as ''. */
const isSpace = (character: string): boolean => ' \t\n'.includes(character)

/**
 * `![alternative](target)`: the text shows only where the image does not. Brackets in code do not count for Markdown;
 * they are not told from others here, so of two readings the one counts that takes out more.
 */
export function withoutAlternatives(text: string): string {
  const cuts: { from: number; to: number }[] = []
  let open: Bracket[] = []
  let [ticks, counted] = [0, 0]
  const isImage = (at: number) => text.charAt(at - 1) === '!'
  for (const { 0: mark, index } of text.matchAll(/\\.|[[\]]|\n[ \t>]*(?=\n)/gs)) {
    ticks += ticksIn(text.slice(counted, index))
    counted = index
    if (mark.startsWith('\n')) open = []
    else if (mark === '[') {
      const image = open.at(-1)?.image ?? (isImage(index) ? index : undefined)
      open.push({ at: index, ticks, image })
    } else if (mark === ']') {
      const last = open.pop()
      const image = /[[(]/.test(text.charAt(index + 1)) ? last?.image : undefined
      if (image !== undefined) cuts.push({ from: image + 1, to: index })
      else if (last !== undefined && isImage(last.at) && (ticks - last.ticks) % 2 === 1) open.push(last)
    }
  }
  return withoutRanges(text, cuts)
}

/** An opening bracket, so many backticks into the text; `image` is the outermost around it, or itself, that opens one. */
interface Bracket {
  readonly at: number
  readonly ticks: number
  readonly image: number | undefined
}

const ticksIn = (part: string): number => part.split('`').length - 1

/** In the order of their ends; those that overlap begin at the same place. */
function withoutRanges(text: string, cuts: readonly { from: number; to: number }[]): string {
  let shown = ''
  let to = text.length
  for (const cut of cuts.toReversed()) {
    shown = text.slice(cut.to, to) + shown
    to = cut.from
  }
  return text.slice(0, to) + shown
}
