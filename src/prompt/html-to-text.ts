import { parseFragment } from 'parse5'
import { withoutIgnorable, withoutInvisible } from '../base/invisible.ts'
import { cut, ticksAround, words } from '../base/text.ts'
import {
  attributeOf,
  directionsIn,
  type Element,
  ILLEGIBLE,
  isText,
  lineInItsDirection,
  marked,
  type Node,
  noteOf,
  PICTURE,
  replacementOf,
  SMALLER,
  UNKNOWN,
} from './html-visibility.ts'

/**
 * The text that a reader sees of GitHub's `body_html`, with marks as in Markdown. Folded `<details>` stay, since a
 * reader can open them. What people wrote can be hostile: of the libraries that would do this, four let hidden text
 * through, and five overflow the stack where it nests deeply.
 */
export const htmlToText = (html: string): VisibleText => seenOf(parseFragment(html).childNodes)

function seenOf(nodes: readonly Node[]): VisibleText {
  const page = { isCode: false, isCell: false, levels: 0, depth: 0, directions: '' }
  const whole = tidy(textOf(nodes, page))
  const text = whole
    .replaceAll(PICTURE, '')
    .replace(/(\S?)\ue004/g, (_, before) => before && `${before}^`)
    .replace(KEPT, (mark) => WHITE[MARKS.indexOf(mark)] ?? '')
    .split('\n')
    .map(lineInItsDirection)
    .join('\n')
  return { text, pictures: whole.split(PICTURE).length - 1 }
}

export interface VisibleText {
  readonly text: string
  /** How many pictures, diagrams and videos it shows. */
  readonly pictures: number
}

/** Within a text until it is whole. A page holds none of them: `withoutIgnorable` leaves no character of private use. */
const MARKS = '\ue000\ue001\ue002'
/** What they stand for: white space that stays as it is. */
const WHITE = '\n \t'
const KEPT = /[\ue000-\ue002]/g
const [LINE = '', BLANK = ''] = MARKS
/** Ends the line, where it does not end already. */
const END = '\ue003'
/** Here begins a power, if it stands behind something. */
const RAISED = '\ue004'

interface Around {
  readonly isCode: boolean
  readonly isCell: boolean
  /** By how many the text is smaller than that of the page. */
  readonly levels: number
  readonly depth: number
  readonly directions: string
}

/** Hostile HTML nests deeper than a call stack reaches; people do not. */
const DEEPEST = 80

const textOf = (nodes: readonly Node[], around: Around): string =>
  nodes
    .map((node) => {
      if (isText(node)) return written(node.value, around)
      return 'tagName' in node ? elementOf(node, around) : ''
    })
    .join('')

function written(value: string, { isCode, levels, directions }: Around): string {
  const shown = withoutIgnorable(value.replace(/[\f\r]/g, ' '))
  if (levels >= ILLEGIBLE) return blank(shown)
  if (!isCode) return isSeen(shown) ? marked(shown.replace(/[ \t\n]+/g, ' '), directions) : blank(shown)
  const lines = shown.replace(/[ \t]/g, (one) => MARKS[WHITE.indexOf(one)] ?? '').split('\n')
  return lines.map((line) => marked(line, directions)).join(LINE)
}

const isSeen = (text: string): boolean => /[^\s\p{Bidi_Control}\ue000-\ue013]/u.test(text)
/** Of text that is not seen, what still counts in its line. */
const blank = (text: string): string => text.replace(/\P{Bidi_Control}+/gu, ' ')

/** Blank lines in a row are one, and nothing blank begins or ends a line. */
const tidy = (text: string): string =>
  text
    .replace(/ {2,}/g, ' ')
    .replace(/[ \n\ue003]*[\n\ue003][ \n\ue003]*/g, (gap) => (/\n.*\n/s.test(gap) ? '\n\n' : '\n'))
    .trim()

function elementOf(element: Element, around: Around): string {
  const { tagName, childNodes } = element
  const replacement = replacementOf(element)
  if (replacement !== undefined) return replacement
  const levels = around.levels + (SMALLER[tagName] ?? 0)
  const note = around.depth < DEEPEST ? noteOf(element) : UNKNOWN
  if (note !== undefined) return levels >= ILLEGIBLE || childNodes.length === 0 ? '' : note
  const isBlock = BLOCKS.has(tagName)
  const inside: Around = {
    isCode: around.isCode || CODE.has(tagName),
    isCell: around.isCell || tagName === 'tr',
    levels,
    depth: around.depth + 1,
    directions: directionsIn(element, around.directions, isBlock && !around.isCell),
  }
  if (tagName === 'br') return around.isCode ? LINE : '\n'
  if (tagName === 'tr') return rowOf(element, inside)
  if (tagName === 'table' && isLinkedCode(element)) return linkedCode(element, inside)
  const text = LISTS.has(tagName) ? itemsOf(element, inside) : textOf(childNodes, inside)
  if (!isSeen(text)) return isBlock ? END : blank(text)
  const whole = around.isCode ? text : (WRITE[tagName]?.(text, element) ?? text)
  if (PARAGRAPHS.has(tagName) || (LISTS.has(tagName) && element.parentNode?.nodeName !== 'li'))
    return paragraph(whole)
  return isBlock ? END + whole + END : whole
}

const paragraph = (text: string): string => `\n\n${text}\n\n`

const setOf = (names: string): ReadonlySet<string> => new Set(words(names))
const CODE = setOf('code pre samp tt')
const LISTS = setOf('ol ul menu')
const PARAGRAPHS = setOf('p details table blockquote pre h1 h2 h3 h4 h5 h6')
const LINES = setOf(
  'address article aside caption center dd div dl dt figcaption figure footer header li main nav section summary',
)
const BLOCKS: ReadonlySet<string> = new Set([...LINES, ...LISTS, ...PARAGRAPHS])

/** Each line behind the first one begins with `rest`. */
const framed = (text: string, first: string, rest: string): string =>
  first +
  tidy(text).replace(/[\n\ue000](?=([\n\ue000]?))/g, (end, next) =>
    next === '' ? end + rest : end + rest.replace(/[ \ue001]+$/, ''),
  )

const integerOf = (element: Element, name: string): number | undefined => {
  const value = attributeOf(element, name)?.trim() ?? ''
  return /^-?\d{1,9}$/.test(value) ? Number(value) : undefined
}

function itemsOf(list: Element, inside: Around): string {
  const { parentNode: around } = list
  const isNotes = around !== null && 'attrs' in around && attributeOf(around, 'data-footnotes') !== undefined
  let number = integerOf(list, 'start') ?? 1
  const items = list.childNodes.map((item) => {
    const text = tidy(textOf([item], inside))
    if (item.nodeName !== 'li' || !isSeen(text)) return text
    number = ('tagName' in item && integerOf(item, 'value')) || number
    const ordered = isNotes ? `[^${number}]: ` : `${number}. `
    const marker = list.tagName === 'ol' ? ordered : '- '
    number += 1
    const end = text.includes('\n\n') ? '\n\n' : END
    return end + framed(text, marker, BLANK.repeat(marker.length)) + end
  })
  return items.join('')
}

function rowOf(row: Element, inside: Around): string {
  const cells = row.childNodes
    .filter((cell) => /^t[dh]$/.test(cell.nodeName))
    .map((cell) => tidy(textOf([cell], inside)).replace(/[\n\ue000]+/g, ' '))
  if (!cells.some(isSeen)) return ''
  const rule = row.parentNode?.nodeName === 'thead' ? `\n|${' --- |'.repeat(cells.length)}` : ''
  return `${END}| ${cells.join(' | ')} |${rule}${END}`
}

function inlineCode(text: string): string {
  const ticks = ticksAround(text, 1)
  const pad = /^`|`$/.test(text) ? ' ' : ''
  return ticks + pad + text + pad + ticks
}

function codeBlock(text: string): string {
  const fence = ticksAround(text, 3)
  return [fence, text.endsWith(LINE) ? text.slice(0, -1) : text, fence].join(LINE)
}

interface LinkedCode {
  readonly href: string
  /** With path and lines above it. */
  readonly text: string
}

/** The code that GitHub shows in place of links to lines of a file. */
export function linkedCodeIn(html: string): readonly LinkedCode[] {
  const open: Element[] = elementsIn(parseFragment(html)).toReversed()
  const found: LinkedCode[] = []
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    if (!hasClass(element, 'Box')) open.push(...elementsIn(element).toReversed())
    else if (first(element, isLinkedCode) !== undefined) {
      const link = first(element, ({ tagName }) => tagName === 'a')
      found.push({ href: (link && attributeOf(link, 'href')) ?? '', text: seenOf([element]).text })
    }
  }
  return found
}

/** What people write has no classes, so nothing of theirs stands in the boxes. */
const first = (element: Element, is: (one: Element) => boolean): Element | undefined =>
  elementsIn(element)
    .map((one) => (is(one) ? one : first(one, is)))
    .find((one) => one !== undefined)

/** GitHub shows the lines of a file in place of a link to them. What people write has no classes. */
const isLinkedCode = (element: Element): boolean => hasClass(element, 'js-file-line-container')

const hasClass = (element: Element, name: string): boolean =>
  words(attributeOf(element, 'class') ?? '').includes(name)

const elementsIn = ({ childNodes }: { readonly childNodes: readonly Node[] }): readonly Element[] =>
  childNodes.flatMap((node) => ('tagName' in node ? node : []))

/** Each line is a cell, in which a space stands before it and behind it. */
function linkedCode(table: Element, inside: Around): string {
  const rows = elementsIn(table).flatMap((one) => (one.tagName === 'tr' ? one : elementsIn(one)))
  const lines = rows
    .flatMap(elementsIn)
    .filter((cell) => hasClass(cell, 'js-file-line'))
    .map((cell) => textOf(cell.childNodes, { ...inside, isCode: true }).replaceAll(LINE, ''))
  const code = lines.map((line) => line.replace(PADDING, '$1$2$3')).join(LINE)
  return isSeen(code) ? paragraph(codeBlock(code)) : END
}

/** Marks of directions can stand around the text. */
const PADDING = /^([\ue010-\ue012]*)\ue001(.*)\ue001(\ue013?)$/

const LONGEST_TARGET = 200

/** A link around nothing that can be seen is not seen, and does not come here. */
function link(text: string, element: Element): string {
  const href = attributeOf(element, 'href') ?? ''
  if (attributeOf(element, 'data-footnote-ref') !== undefined) return `[^${text}]`
  // In the page, a target says nothing. GitHub links an image to itself, and an address that somebody writes.
  if (href === '' || href.startsWith('#') || isItsTarget(element, href)) return text
  return `${text} (${cut(withoutInvisible(href).trim().replace(/\s/g, '%20'), LONGEST_TARGET)})`
}

function isItsTarget({ childNodes: [only, ...more] }: Element, href: string): boolean {
  if (only === undefined || more.length > 0) return false
  if (!isText(only)) return 'attrs' in only && attributeOf(only, 'src') === href
  const text = only.value.trim()
  return [text, `http://${text}`, `mailto:${text}`].includes(href)
}

/** 10<sup>6</sup> is not 106. What has neither digits nor signs is no power: 1st, the mark of a brand. */
function raised(text: string): string {
  if (/^[-+\u2212]?(?:\d+|[a-z])$/i.test(text)) return RAISED + text
  return /^[-+\u2212*/.,\w\s]+$/.test(text) && /[\d+\u2212*/-]/.test(text) ? `${RAISED}(${text})` : text
}

type Write = (text: string, element: Element) => string
const each = (names: string, write: Write) => Object.fromEntries(words(names).map((name) => [name, write]))

/** How an element that holds something to see is written. */
const WRITE: Readonly<Record<string, Write>> = {
  ...each('h1 h2 h3 h4 h5 h6', (text, { tagName }) => framed(text, `${'#'.repeat(Number(tagName[1]))} `, '')),
  ...each('code samp tt', inlineCode),
  ...each('del s strike', (text) => `~~${text}~~`),
  pre: codeBlock,
  blockquote: (text) => framed(text, '> ', '> '),
  a: link,
  q: (text) => `"${text}"`,
  rt: (text) => `(${text})`,
  sup: raised,
}
