import { inItsDirection, withoutInvisible } from '../invisible.ts'
import { cut, words } from '../text.ts'
import { code, writeCodeBlock, writeInlineCode } from './html-code.ts'
import { block, type Open, type Page, prefixed, wrapped } from './html-page.ts'
import { attributeOf, classesOf, type Element, isText, type Node } from './html-visibility.ts'

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

const integerOf = (element: Element, name: string): number | undefined => {
  const value = attributeOf(element, name)?.trim() ?? ''
  return /^-?\d{1,9}$/.test(value) ? Number(value) : undefined
}

function numbersOf(list: Element): (item: Element) => string {
  const { parentNode: around } = list
  const isNotes = around !== null && 'attrs' in around && attributeOf(around, 'data-footnotes') !== undefined
  const isReversed = attributeOf(list, 'reversed') !== undefined
  const items = list.childNodes.filter(({ nodeName }) => nodeName === 'li').length
  let next = integerOf(list, 'start') ?? (isReversed ? items : 1)
  return (item) => {
    const number = integerOf(item, 'value') ?? next
    next = number + (isReversed ? -1 : 1)
    return isNotes ? `[^${number}]: ` : `${number}. `
  }
}

const listItem: Open = (page, item) => {
  const marker = page.markers.at(-1)?.(item) ?? '- '
  return prefixed(1, marker, ' '.repeat(marker.length))(page, item)
}

const LONGEST_TARGET = 200

const link: Open = (page, element) => {
  const href = attributeOf(element, 'href') ?? ''
  const isNoteReference = attributeOf(element, 'data-footnote-ref') !== undefined && href.startsWith('#')
  if (isNoteReference) return page.wrap('[^', ']')
  const { out, seen } = page
  const { size } = out
  page.lastImage = undefined
  const target = withoutInvisible(href).trim().replace(/\s/g, '%20')
  return () => {
    // A link around nothing that can be seen is not seen.
    if (target === '' || page.seen === seen) return
    const text = inItsDirection(out.since(size)).trim()
    if (isOwnTarget(page, text, target)) return
    out.text(` (${cut(target, LONGEST_TARGET)})`)
  }
}

/** GitHub links each image to its own address, and an address that somebody writes to itself. */
const isOwnTarget = ({ lastImage }: Page, text: string, target: string): boolean =>
  text === '[image]' ? lastImage === target : [text, `http://${text}`, `mailto:${text}`].includes(target)

/** GitHub shows the code of a link to it, and a suggested change, as tables with a row for each line. */
const table: Open = (page, element) => {
  const { parentNode } = element
  const isCode = parentNode && 'tagName' in parentNode && classesOf(parentNode).includes('blob-wrapper')
  if (!isCode) return block(2)(page, element)
  const take = page.writeAside()
  return () => writeCodeBlock(page, take())
}

/** @returns the sign that the style sheet sets before a line of code; undefined for what is none */
const signOf = (node: Node): string | undefined => {
  const names = 'tagName' in node ? classesOf(node) : []
  if (names.includes('blob-code-deletion')) return '-'
  if (names.includes('blob-code-addition')) return '+'
  return names.includes('blob-code-inner') ? '' : undefined
}

/** Tables in tables, deeper than this, are blocks: each level would copy what it holds once more. */
const DEEPEST_TABLE = 10

const cell: Open = (page, element) => {
  if (page.rows.length > DEEPEST_TABLE) return block(1)(page, element)
  const sign = signOf(element)
  const take = page.writeAside(sign === undefined ? undefined : true)
  return () => {
    // A direction ends with the cell. A cell without a row ends here, too.
    const text = inItsDirection(take())
    page.rows.at(-1)?.push(sign === undefined ? text : sign + text.replace(/\n$/, ''))
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
    if (element.childNodes.some((node) => signOf(node) !== undefined)) page.out.verbatim(cells.join(''))
    else if (cells.some(holdsCodeBlock)) page.out.verbatim(cells.join('\n'))
    else page.out.verbatim(`| ${cells.map(onOneLine).join(' | ')} |`)
    if (element.parentNode?.nodeName === 'thead') page.out.verbatim(`\n|${' --- |'.repeat(cells.length)}`)
    page.out.endBlock(1)
  }
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim())
const holdsCodeBlock = (text: string): boolean => linesOf(text).some((line) => line.startsWith('```'))
const onOneLine = (text: string): string =>
  text.includes('\n') ? linesOf(text).filter(Boolean).join(' ') : text

/** 10<sup>6</sup> is not 106. Where several characters are raised, they stay together. */
const raised: Open = (page, { childNodes: [first, ...more] }) => {
  const text = first !== undefined && more.length === 0 && isText(first) ? first.value.trim() : ''
  // A fraction begins with a raised number, after a blank.
  if (!page.out.isAfterText) return undefined
  if (/^[-+\u2212]?(?:\d+|[a-z])$/i.test(text)) return page.wrap('^', '')
  // What has neither digits nor signs is no power: 1st, the mark of a brand.
  return /^[-+\u2212\w][-+\u2212*/.,\w\s]*$/.test(text) && /[\d+\u2212*/-]/.test(text)
    ? page.wrap('^(', ')')
    : undefined
}

const each = (names: string, open: Open): Record<string, Open> =>
  Object.fromEntries(words(names).map((name) => [name, open]))

const HEADINGS = ['#', '##', '###', '####', '#####', '######']

const OPEN_BLOCK: Readonly<Record<string, Open>> = {
  ...each('p details', block(2)),
  table,
  ...each(
    `address article aside caption center dd div dl dt figcaption figure
    footer header main nav section summary`,
    block(1),
  ),
  ...Object.fromEntries(HEADINGS.map((mark) => [`h${mark.length}`, prefixed(2, `${mark} `, '')])),
  ...each(
    'ul menu',
    listed(() => () => '- '),
  ),
  ol: listed(numbersOf),
  li: listItem,
  blockquote: prefixed(2, '> ', '> '),
  pre: code(writeCodeBlock, block(1)),
  ...each('td th', cell),
  tr: row,
}

/** Replies by email are plain text, in which GitHub keeps the lines and marks what the reply quotes. */
export const openEmail = (element: Element): Open | undefined => {
  if (element.tagName !== 'div') return undefined
  const classes = classesOf(element)
  if (classes.includes('email-quoted-reply')) return keepingLines(prefixed(2, '> ', '> '))
  return classes.includes('email-fragment') ? keepingLines(block(2)) : undefined
}

const keepingLines =
  (open: Open): Open =>
  (page, element) => {
    page.keepsLines = true
    return open(page, element)
  }

export const BLOCKS: ReadonlySet<string> = new Set(Object.keys(OPEN_BLOCK))

/** By the names of elements; all others are no more than what they hold. */
export const OPEN: ReadonlyMap<string, Open> = new Map(
  Object.entries({
    ...OPEN_BLOCK,
    ...each('code samp tt', code(writeInlineCode)),
    a: link,
    ...each('del s strike', wrapped('~~')),
    q: wrapped('"'),
    rt: wrapped('(', ')'),
    sup: raised,
    br: ({ out }) => void out.breakLine(),
  }),
)
