import { parseFragment } from 'parse5'
import { withoutInvisible } from '../text.ts'
import { attributeOf, type Element, isText, type Node, replacementOf } from './html-replacements.ts'
import { TextWriter } from './text-writer.ts'

/**
 * The text that a reader sees of GitHub's `body_html`, for a prompt: with marks for lists, quotations, headings, code
 * and tables, links with their targets, `[image]` and `[diagram]`. Attributes, comments, hidden elements and invisible
 * characters are left out. Folded `<details>` stay, since a reader can open them.
 */
export function htmlToText(html: string): string {
  const page = new Page()
  // What is left to do is a list, since hostile HTML nests deeper than a call stack reaches.
  const work: (Node | (() => void))[] = parseFragment(html).childNodes.reverse()
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (typeof next === 'function') next()
    else if (isText(next)) page.text(page.size > ILLEGIBLE ? shownText(next.value) : '')
    else if ('tagName' in next) for (const step of open(page, next)) work.push(step)
  }
  return String(page.out)
}

/** Begins an element, and gives what is left to do of it, last first. */
function open(page: Page, element: Element): (Node | (() => void))[] {
  const { size, out } = page
  const replacement = size > ILLEGIBLE ? replacementOf(element) : ''
  if (replacement === undefined) {
    page.size *= SHRINKS.get(element.tagName) ?? 1
    const grow = () => {
      page.size = size
    }
    const close = OPEN.get(element.tagName)?.(page, element)
    return [grow, ...(close === undefined ? [] : [close]), ...element.childNodes.reverse()]
  }
  if (replacement === '[image]') page.lastImage = attributeOf(element, 'src')
  const isBlock = replacement === '[diagram]' || replacement === '---'
  if (isBlock) out.endBlock(2)
  page.text(replacement)
  if (isBlock) out.endBlock(2)
  return []
}

const shownText = (value: string): string => withoutInvisible(value.replace(/[\f\r]/g, ' '))

/** What is open where the walk is. */
class Page {
  out = new TextWriter()
  readonly markers: ((item: Element) => string)[] = []
  readonly rows: string[][] = []
  isCode = false
  /** The size of the text, where that of the page is 1. */
  size = 1
  lastImage: string | undefined

  /** Code and cells are written aside. The function that comes back ends that, and gives what was written. */
  writeAside(): () => string {
    const { out } = this
    const aside = new TextWriter()
    this.out = aside
    return () => {
      this.out = out
      return String(aside)
    }
  }

  /** White space counts in code only. */
  text(value: string): void {
    if (this.isCode) this.out.verbatim(value)
    else this.out.text(value)
  }
}

/** Begins an element, and gives what ends it. */
type Open = (page: Page, element: Element) => (() => void) | undefined

const block =
  (lines: 1 | 2): Open =>
  ({ out }) => {
    out.endBlock(lines)
    return () => out.endBlock(lines)
  }

const prefixed =
  (lines: 1 | 2, first: string, rest: string): Open =>
  ({ out }) => {
    out.endBlock(lines)
    out.openPrefix(first, rest)
    return () => {
      out.closePrefix()
      out.endBlock(lines)
    }
  }

const wrapped =
  (before: string, after = before): Open =>
  (page) => {
    page.text(before)
    return () => page.text(after)
  }

const listed =
  (markersOf: (list: Element) => (item: Element) => string): Open =>
  (page, list) => {
    const lines = page.markers.length > 0 ? 1 : 2
    page.out.endBlock(lines)
    page.markers.push(markersOf(list))
    return () => {
      page.markers.pop()
      page.out.endBlock(lines)
    }
  }

const bullets = () => () => '- '

const integerOf = (element: Element, name: string): number | undefined => {
  const value = attributeOf(element, name)?.trim() ?? ''
  return /^-?\d{1,9}$/.test(value) ? Number(value) : undefined
}

function numbersOf(list: Element): (item: Element) => string {
  const { parentNode: around } = list
  const isNotes = around !== null && 'attrs' in around && attributeOf(around, 'data-footnotes') !== undefined
  let next = integerOf(list, 'start') ?? 1
  return (item) => {
    const number = integerOf(item, 'value') ?? next
    next = number + 1
    return isNotes ? `[^${number}]: ` : `${number}. `
  }
}

const listItem: Open = (page, item) => {
  const marker = page.markers.at(-1)?.(item) ?? '- '
  return prefixed(1, marker, ' '.repeat(marker.length))(page, item)
}

/** Code is written aside with its white space, and comes back between marks that it does not hold. */
const code =
  (write: (page: Page, text: string, longest: number) => void, within?: Open): Open =>
  (page, element) => {
    if (page.isCode) return within?.(page, element)
    page.isCode = true
    const take = page.writeAside()
    return () => {
      page.isCode = false
      const text = take()
      if (text.trim() !== '') write(page, text, longestTicks(text))
    }
  }

const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, ticks) => Math.max(longest, ticks.length), 0)

function writeInlineCode({ out }: Page, text: string, longest: number): void {
  const ticks = '`'.repeat(longest + 1)
  const pad = /^`|`$/.test(text) ? ' ' : ''
  out.verbatim(ticks + pad + text + pad + ticks)
}

function writeCodeBlock({ out }: Page, text: string, longest: number): void {
  const fence = '`'.repeat(Math.max(3, longest + 1))
  out.endBlock(2)
  out.verbatim([fence, text.replace(/\n$/, ''), fence].join('\n'))
  out.endBlock(2)
}

const link: Open = (page, element) => {
  const href = attributeOf(element, 'href') ?? ''
  const isNoteReference = attributeOf(element, 'data-footnote-ref') !== undefined && href.startsWith('#')
  if (isNoteReference) return wrapped('[^', ']')(page, element)
  const { out } = page
  const { size } = out
  page.lastImage = undefined
  const target = shownText(href).trim().replace(/\s/g, '%20')
  return () => {
    const text = out.since(size).trim()
    // A link without text is not shown.
    if (target === '' || text === '' || isOwnTarget(page, text, target)) return
    page.text(` (${target})`)
  }
}

/** GitHub links each image to its own address, and an address that somebody writes to itself. */
const isOwnTarget = ({ lastImage }: Page, text: string, target: string): boolean =>
  text === '[image]' ? lastImage === target : [text, `http://${text}`, `mailto:${text}`].includes(target)

/** Tables in tables, deeper than this, are blocks: each level would copy what it holds once more. */
const DEEPEST_TABLE = 10

const cell: Open = (page, element) => {
  if (page.rows.length > DEEPEST_TABLE) return block(1)(page, element)
  const take = page.writeAside()
  return () => {
    // A cell without a row ends here, too.
    const text = take()
    page.rows.at(-1)?.push(text)
  }
}

const row: Open = (page, element) => {
  const cells: string[] = []
  page.rows.push(cells)
  return () => {
    page.rows.pop()
    if (cells.every((text) => text === '')) return
    page.out.endBlock(1)
    // Code keeps its lines; all else fits on the line of its row.
    if (cells.some(holdsCodeBlock)) page.out.verbatim(cells.join('\n'))
    else page.out.verbatim(`| ${cells.map(onOneLine).join(' | ')} |`)
    if (element.parentNode?.nodeName === 'thead') page.out.verbatim(`\n|${' --- |'.repeat(cells.length)}`)
    page.out.endBlock(1)
  }
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim())

const holdsCodeBlock = (text: string): boolean => linesOf(text).some((line) => line.startsWith('```'))

const onOneLine = (text: string): string =>
  text.includes('\n') ? linesOf(text).filter(Boolean).join(' ') : text

/** Text of this size or less is illegible: of the 14 pixels of GitHub's text, less than three. */
const ILLEGIBLE = 0.2

const each = <T>(names: string, value: T): Record<string, T> =>
  Object.fromEntries(names.split(' ').map((name) => [name, value]))

/** By how much GitHub's and the browsers' style sheets shrink the text of elements that nest. */
const SHRINKS: ReadonlyMap<string, number> = new Map(
  Object.entries({ small: 0.9, ...each('sub sup', 0.75), rt: 0.5, ...each('code samp tt pre h6', 0.85) }),
)

const checkbox: Open = (page, element) => {
  const box = attributeOf(element, 'checked') === undefined ? '[ ] ' : '[x] '
  if (attributeOf(element, 'type') === 'checkbox') page.text(box)
  return undefined
}

const lineBreak: Open = ({ out }) => {
  out.breakLine()
  return undefined
}

/** By the names of elements; all others are no more than what they hold. */
const OPEN: ReadonlyMap<string, Open> = new Map(
  Object.entries({
    ...each('p table details', block(2)),
    ...each('address article aside caption center dd div dl dt figcaption figure', block(1)),
    ...each('fieldset footer form header legend main nav option section summary', block(1)),
    ...Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, prefixed(2, `${'#'.repeat(level)} `, '')]),
    ),
    ...each('ul menu', listed(bullets)),
    ol: listed(numbersOf),
    li: listItem,
    blockquote: prefixed(2, '> ', '> '),
    pre: code(writeCodeBlock, block(1)),
    ...each('code samp tt', code(writeInlineCode)),
    a: link,
    ...each('td th', cell),
    tr: row,
    ...each('del s strike', wrapped('~~')),
    q: wrapped('"'),
    rt: wrapped('(', ')'),
    input: checkbox,
    br: lineBreak,
  }),
)
