import type { DefaultTreeAdapterTypes } from 'parse5'
import { words } from '../text.ts'
import { isPrinted } from './formula.ts'

export type Node = DefaultTreeAdapterTypes.ChildNode
export type Element = DefaultTreeAdapterTypes.Element

export const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text'

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value

export const classesOf = (element: Element): string[] => attributeOf(element, 'class')?.split(/\s+/) ?? []

/**
 * Elements that show what they hold: those that GitHub and Gitea let people write, and what these put around them.
 * https://github.com/gjtorikian/html-pipeline/blob/v2.14.3/lib/html/pipeline/sanitization_filter.rb
 */
const SHOWN: ReadonlySet<string> = new Set(
  words(`
    a abbr address article aside b bdi bdo big blockquote br caption center cite code dd del details dfn
    div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label li main
    mark menu nav ol p picture pre q rb rt rtc ruby s samp section small span strike strong sub summary
    sup table tbody td tfoot th thead time tr tt u ul var video audio wbr
  `),
)

/** Browsers show elements with a name such as `g-emoji` whether they know them or not. */
const isShown = (tagName: string): boolean => SHOWN.has(tagName) || tagName.includes('-')

/** For screen readers, and the quotations that GitHub folds away in replies by email. People cannot write classes. */
const HIDDEN_CLASSES = new Set(['sr-only', 'email-hidden-toggle', 'email-hidden-reply'])

const DIAGRAM =
  /^(?:(?:language-|highlight-source-)?(?:mermaid|geojson|topojson|stl)|(?:js-)?render-needs-enrichment)$/i

/** GitHub draws these from their source, which says more than the drawing does. */
const isDiagram = (element: Element): boolean =>
  [
    ...classesOf(element),
    (element.tagName === 'section' && attributeOf(element, 'data-type')) || '',
    (element.tagName === 'pre' && attributeOf(element, 'lang')) || '',
  ].some((name) => DIAGRAM.test(name))

/** @returns '' where nothing of the element is shown, `undefined` where what it holds is */
export function replacementOf(element: Element): string | undefined {
  const { tagName } = element
  if (!isShown(tagName) || attributeOf(element, 'hidden') !== undefined) return ''
  if (classesOf(element).some((name) => HIDDEN_CLASSES.has(name)) || isWayBack(element)) return ''
  if (tagName === 'img') return isPixel(element) ? '' : '[image]'
  if (tagName === 'video' || tagName === 'audio') return `[${tagName}]`
  if (isDiagram(element)) return '[diagram]'
  if (isFormula(element) && !element.childNodes.every((node) => isText(node) && isPrinted(node.value)))
    return '[formula]'
  if (isStyled(element)) return '[styled text]'
  if (tagName === 'hr') return '---'
  if (tagName === 'input') return checkboxOf(element)
  if (tagName === 'a' && attributeOf(element, 'href')?.startsWith('#fn:') === true) return noteNumber(element)
  return tagName === 'pre' ? replacementOfCode(element) : undefined
}

const checkboxOf = (input: Element): string => {
  if (attributeOf(input, 'type') !== 'checkbox') return ''
  return attributeOf(input, 'checked') === undefined ? '[ ] ' : '[x] '
}

/** An image of three pixels or less, as those that count readers. */
const isPixel = (image: Element): boolean =>
  ['width', 'height'].some((name) => /^\s*0*[0-3](?:\.\d*)?\D*$/.test(attributeOf(image, name) ?? ''))

export const isFormula = (element: Element): boolean =>
  element.tagName === 'math-renderer' || classesOf(element).includes('language-math')

const PLAIN_DECLARATIONS = [
  /display:\s*(?:inline|(?:inline-)?block)/,
  /max-width:\s*100%/,
  /text-align:\s*\w+/,
  // Around a suggested change.
  /margin:\s*0/,
  /border:\s*none/,
  /overflow-[xy]:\s*(?:visible|auto)/,
]

/** GitHub writes these; Gitea lets people set colors, which may be that of the page. */
const PLAIN_STYLE = new RegExp(
  `^\\s*(?:(?:${PLAIN_DECLARATIONS.map(({ source }) => source).join('|')})\\s*(?:;\\s*|$))*$`,
  'i',
)

/** Gitea shows a color behind its code by an element without text. */
const isStyled = (element: Element): boolean =>
  !PLAIN_STYLE.test(attributeOf(element, 'style') ?? '') && element.childNodes.length > 0

/** Gitea's link from a text to its footnote; what else is linked there is a link. */
function noteNumber(element: Element): string | undefined {
  const [first, ...more] = element.childNodes
  const text = first !== undefined && more.length === 0 && isText(first) ? first.value : ''
  const [, number] = /^(\d+) ?$/.exec(text) ?? []
  return number === undefined ? undefined : `[^${number}]`
}

/** Gitea marks diagrams and formulas by a `code` within the block. */
function replacementOfCode({ childNodes: [first, ...more] }: Element): string | undefined {
  if (first === undefined || !('tagName' in first) || first.tagName !== 'code' || more.length > 0)
    return undefined
  return replacementOf(first)
}

/** From a footnote to what refers to it. */
const isWayBack = (element: Element): boolean =>
  (attributeOf(element, 'data-footnote-backref') !== undefined ||
    attributeOf(element, 'href')?.startsWith('#fnref:') === true) &&
  element.childNodes
    .flatMap((node) => ('childNodes' in node ? node.childNodes : [node]))
    .every((node) => isText(node) && /^(?:\u21a9|\ufe0e|\ufe0f|\d|\s)*$/.test(node.value))

/** Of the size of the text around it: https://github.com/primer/css/tree/main/src/markdown */
const RELATIVE_SIZES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ h1: 2, h2: 1.5, h3: 1.25, h5: 0.875, h6: 0.85 },
    ...{ sub: 0.75, sup: 0.75, small: 0.9, rt: 0.5, code: 0.85, tt: 0.85, samp: 0.85, pre: 0.85 },
  }),
)

/** GitHub sets keys in 11 pixels, wherever they stand; the text of a comment has 14. */
const KEY_SIZE = 11 / 14

/** @param around where that of the page is 1 */
export function sizeOf({ tagName, parentNode }: Element, around: number): number {
  if (tagName === 'kbd') return KEY_SIZE
  const isSameCode = parentNode?.nodeName === 'pre' && (tagName === 'code' || tagName === 'tt')
  return isSameCode ? around : around * (RELATIVE_SIZES.get(tagName) ?? 1)
}
