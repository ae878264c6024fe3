import { parseFragment } from 'parse5'
import { inItsDirection, TURNED, withoutIgnorable, withoutInvisible } from '../invisible.ts'
import { cut, words } from '../text.ts'
import {
  attributeOf,
  type Element,
  ILLEGIBLE_BELOW,
  isText,
  type Node,
  replacementOf,
  sizeOf,
} from './html-visibility.ts'
import { TextWriter } from './text-writer.ts'

/**
 * The text that a reader sees of GitHub's `body_html` (contract 4.2), with marks as in Markdown. Folded `<details>`
 * stay, since a reader can open them.
 *
 * What people wrote can be hostile: of the libraries that would do this, four let hidden text through and five overflow the
 * stack where it nests deeply. `rehype-remark` fails on 2,000 nested quotations, takes minutes for 1,000 nested `<b>`, breaks
 * tables that hold code, puts backslashes into names and addresses, and would add 190 kB to the bundle.
 */
export function htmlToText(html: string): string {
  const page = new Page()
  // What is left to do is a list, since hostile HTML nests deeper than a call stack reaches.
  const work: (Node | (() => void))[] = parseFragment(html).childNodes.toReversed()
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (typeof next === 'function') next()
    else if (isText(next)) page.text(next.value)
    else if ('tagName' in next) {
      const replacement = replacementOf(next)
      if (replacement !== undefined) {
        page.replace(replacement)
        continue
      }
      const { size } = page
      page.size = sizeOf(next, size)
      const close = OPEN.get(next.tagName)?.(page, next)
      const turn = directed(page, next)
      work.push(() => {
        turn?.()
        close?.()
        page.size = size
      })
      for (const child of next.childNodes.toReversed()) work.push(child)
    }
  }
  return inItsDirection(String(page.out))
}

/** Deeper than this, an element is a block and no more: each level would copy what it holds once more. */
const DEEPEST = 20

/** The text as far as the walk has come, and what is open there. */
class Page {
  out = new TextWriter()
  /** The size of the text; that of the page is 1. */
  size = 1
  /** Of the innermost element whose `dir` names a direction. */
  letters: Letters | undefined
  /** How often readers have met something that they see. */
  seen = 0
  /** The cells of the rows that are open. */
  readonly rows: string[][] = []
  /** The next number of each ordered list. */
  readonly numbers = new Map<Element, number>()
  /** Of the writers that are open. */
  depth = 0

  get isIllegible(): boolean {
    return this.size < ILLEGIBLE_BELOW
  }

  text(value: string): void {
    if (this.isIllegible) return
    const shown = withoutIgnorable(value.replace(/[\f\r]/g, ' '))
    if (/[^\s\p{Bidi_Control}]/u.test(shown)) this.seen += 1
    if (this.letters !== undefined) countLetters(this.letters, shown)
    this.out.text(shown)
  }

  /** A mark that is no text of the page. */
  mark(value: string): void {
    if (!this.isIllegible) this.out.text(value)
  }

  /** @param note stands for what readers see in place of an element; '' where that is nothing */
  replace(note: string): void {
    // Small text makes no image smaller.
    const isOfText = note === '[formula]' || note === '[styled text]'
    if (note === '' || (isOfText && this.isIllegible)) return
    this.seen += 1
    if (note === '[diagram]' || note === '---') this.block(note, 2)
    else this.out.text(note)
  }

  block(text: string, lines: 1 | 2): void {
    if (text === '') return
    this.out.endBlock(lines)
    this.out.verbatim(text)
    this.out.endBlock(lines)
  }

  /** Writes what follows aside. @returns a function that ends this and gives what was written */
  aside(isCode = this.out.isCode): () => string {
    const { out } = this
    this.out = new TextWriter(isCode)
    this.depth += 1
    return () => {
      const text = String(this.out)
      this.out = out
      this.depth -= 1
      return text
    }
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

const wrapped =
  (before: string, after = before): Open =>
  (page) => {
    page.mark(before)
    return () => page.mark(after)
  }

/** A block whose lines begin with marks: the first one, and all others. */
const framed =
  (lines: 1 | 2, marksOf: (page: Page, element: Element) => readonly [first: string, rest: string]): Open =>
  (page, element) => {
    if (page.depth >= DEEPEST) return block(lines)(page, element)
    const [first, rest] = marksOf(page, element)
    const take = page.aside()
    return () => {
      const text = take()
      const prefixed = text.replace(/\n(?=(\n?))/g, (_, next) => `\n${next === '' ? rest : rest.trimEnd()}`)
      // What holds paragraphs is one.
      if (text !== '') page.block(first + prefixed, text.includes('\n\n') ? 2 : lines)
    }
  }

const integerOf = (element: Element, name: string): number | undefined => {
  const value = attributeOf(element, name)?.trim() ?? ''
  return /^-?\d{1,9}$/.test(value) ? Number(value) : undefined
}

const listItem = framed(1, ({ numbers }, item) => {
  const { parentNode: list } = item
  if (list === null || !('tagName' in list) || list.tagName !== 'ol') return ['- ', '  ']
  const number = integerOf(item, 'value') ?? numbers.get(list) ?? integerOf(list, 'start') ?? 1
  numbers.set(list, number + 1)
  const { parentNode: around } = list
  const isNotes = around !== null && 'attrs' in around && attributeOf(around, 'data-footnotes') !== undefined
  const marker = isNotes ? `[^${number}]: ` : `${number}. `
  return [marker, ' '.repeat(marker.length)]
})

const LONGEST_TARGET = 200

const link: Open = (page, element) => {
  const href = attributeOf(element, 'href') ?? ''
  const isToNote = attributeOf(element, 'data-footnote-ref') !== undefined
  const isFromNote = attributeOf(element, 'data-footnote-backref') !== undefined
  if (href.startsWith('#') && isToNote) return wrapped('[^', ']')(page, element)
  const { seen } = page
  const target = withoutInvisible(href).trim().replace(/\s/g, '%20')
  return () => {
    // A link around nothing that can be seen is not seen.
    if (target === '' || page.seen === seen || (href.startsWith('#') && isFromNote)) return
    if (!showsTarget(element, href)) page.out.text(` (${cut(target, LONGEST_TARGET)})`)
  }
}

/** GitHub links each image to its own address, and an address that somebody writes to itself. */
function showsTarget({ childNodes: [only, ...more] }: Element, href: string): boolean {
  if (only === undefined || more.length > 0) return false
  if (!isText(only)) return only.nodeName === 'img' && 'attrs' in only && attributeOf(only, 'src') === href
  const text = only.value.trim()
  return [text, `http://${text}`, `mailto:${text}`].includes(href)
}

const ticksAround = (text: string, least: number): string =>
  '`'.repeat((text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length + 1), least))

const inlineCode: Open = (page) => {
  if (page.out.isCode) return undefined
  const take = page.aside(true)
  return () => {
    const text = take()
    if (text.trim() === '') return
    const ticks = ticksAround(text, 1)
    const pad = /^`|`$/.test(text) ? ' ' : ''
    page.out.verbatim(ticks + pad + text + pad + ticks)
  }
}

const codeBlock: Open = (page, element) => {
  if (page.out.isCode) return block(1)(page, element)
  const take = page.aside(true)
  return () => {
    const text = take()
    const fence = ticksAround(text, 3)
    if (text.trim() !== '') page.block([fence, text.replace(/\n$/, ''), fence].join('\n'), 2)
  }
}

const cell: Open = (page, element) => {
  if (page.depth >= DEEPEST) return block(1)(page, element)
  const take = page.aside()
  // An override ends with its cell.
  return () => void page.rows.at(-1)?.push(inItsDirection(take()))
}

const row: Open = (page, element) => {
  page.rows.push([])
  return () => {
    const cells = page.rows.pop() ?? []
    if (cells.every((text) => text === '')) return
    // Code keeps its lines; all else fits on the line of its row.
    const holdsCodeBlock = cells.some((text) => /^```/m.test(text))
    const lines = cells.map((text) => text.split('\n').map((part) => part.trim()))
    const line = `| ${lines.map((parts) => parts.filter(Boolean).join(' ')).join(' | ')} |`
    const isHead = element.parentNode?.nodeName === 'thead'
    const rule = isHead ? `\n|${' --- |'.repeat(cells.length)}` : ''
    page.block((holdsCodeBlock ? cells.join('\n') : line) + rule, 1)
  }
}

/** 10<sup>6</sup> is not 106. Where several characters are raised, they stay together. */
const raised: Open = (page, element) => {
  const [first, ...more] = element.childNodes
  const text = first !== undefined && more.length === 0 && isText(first) ? first.value.trim() : ''
  // A fraction begins with a raised number, after a blank.
  if (!page.out.isAfterText) return undefined
  if (/^[-+\u2212]?(?:\d+|[a-z])$/i.test(text)) return wrapped('^', '')(page, element)
  // What has neither digits nor signs is no power: 1st, the mark of a brand.
  const isPower = /^[-+\u2212\w][-+\u2212*/.,\w\s]*$/.test(text) && /[\d+\u2212*/-]/.test(text)
  return isPower ? wrapped('^(', ')')(page, element) : undefined
}

/** The letters in an element: how many its `dir` suits, how many not, and which of them come first. */
interface Letters {
  readonly dir: 'ltr' | 'rtl'
  suited: number
  others: number
  beginsSuited: boolean | undefined
  /** Within an element that takes its direction from its own letters: `dir` turns none of them. */
  isAuto: boolean
}

/** Of the scripts that are written from right to left. */
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

function countLetters(letters: Letters, text: string): void {
  for (const [letter] of text.matchAll(/\p{L}/gu)) {
    const isSuited = RTL.test(letter) === (letters.dir === 'rtl')
    if (letters.isAuto && !isSuited) continue
    letters.beginsSuited ??= isSuited
    if (isSuited) letters.suited += 1
    else letters.others += 1
  }
}

/**
 * If `dir` goes against the letters, readers see words in another order, so a note stands for the element. `dir` does
 * so if neither the first letter nor most letters go its way: a Hebrew line may begin with an English name. Each
 * character of a `<bdo>` stands in another place.
 */
const directed: Open = (page, element) => {
  const { out, letters: around } = page
  const dir = attributeOf(element, 'dir')?.trim().toLowerCase()
  const isOverride = element.tagName === 'bdo'
  const isAuto = dir === 'auto' || element.tagName === 'bdi'
  if (!isOverride && dir !== 'ltr' && dir !== 'rtl') {
    if (!isAuto || around === undefined || around.isAuto) return undefined
    around.isAuto = true
    return () => {
      around.isAuto = false
    }
  }
  const own: Letters = {
    dir: dir === 'rtl' ? dir : 'ltr',
    suited: 0,
    others: 0,
    beginsSuited: undefined,
    isAuto: false,
  }
  page.letters = own
  const start = out.mark()
  return () => {
    page.letters = around
    if (isOverride || (own.beginsSuited === false && own.others > own.suited)) out.replaceFrom(start, TURNED)
  }
}

const each = (names: string, open: Open): [string, Open][] => words(names).map((name) => [name, open])

/** By the names of elements; all others are no more than what they hold. */
const OPEN: ReadonlyMap<string, Open> = new Map([
  ...each('p details table', block(2)),
  ...each(
    `address article aside caption center dd div dl dt figcaption figure
    footer header main nav section summary`,
    block(1),
  ),
  ...['#', '##', '###', '####', '#####', '######'].flatMap((mark) =>
    each(
      `h${mark.length}`,
      framed(2, () => [`${mark} `, '']),
    ),
  ),
  ...each(
    'blockquote',
    framed(2, () => ['> ', '> ']),
  ),
  ...each('ul ol menu', (page, element) =>
    block(element.parentNode?.nodeName === 'li' ? 1 : 2)(page, element),
  ),
  ...each('li', listItem),
  ...each('pre', codeBlock),
  ...each('code samp tt', inlineCode),
  ...each('td th', cell),
  ...each('tr', row),
  ...each('a', link),
  ...each('del s strike', wrapped('~~')),
  ...each('q', wrapped('"')),
  ...each('rt', wrapped('(', ')')),
  ...each('sup', raised),
  ...each('br', ({ out }) => void out.breakLine()),
])
