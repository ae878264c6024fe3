import type { DefaultTreeAdapterTypes } from 'parse5'
import { words } from '../text.ts'

export type Node = DefaultTreeAdapterTypes.ChildNode
export type Element = DefaultTreeAdapterTypes.Element

export const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text'

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value

/**
 * Elements that show what they hold: those that GitHub lets people write, and what it puts around them.
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

const DIAGRAM =
  /^(?:(?:language-|highlight-source-)?(?:mermaid|geojson|topojson|stl)|(?:js-)?render-needs-enrichment)$/i

/** GitHub writes these alone; any other style may hide the text, or have the color of the page. */
const PLAIN_STYLE =
  /^\s*(?:(?:display:\s*(?:inline|(?:inline-)?block)|max-width:\s*100%|text-align:\s*\w+)\s*(?:;\s*|$))*$/i

/** An image of three pixels or less counts readers. */
const DOT = /^\s*0*[0-3](?:\.\d*)?\D*$/

export const DIAGRAM_NOTE = '[diagram]'
export const RULE = '---'

/** @returns '' where nothing of the element is shown, `undefined` where what it holds is */
export function replacementOf(element: Element): string | undefined {
  const { tagName } = element
  const classes = attributeOf(element, 'class')?.split(/\s+/) ?? []
  // Browsers show elements with a name such as `g-emoji` whether they know them or not.
  const isShown = SHOWN.has(tagName) || tagName.includes('-')
  // `sr-only` is for screen readers.
  if (!isShown || classes.includes('sr-only') || attributeOf(element, 'hidden') !== undefined) return ''
  if (tagName === 'img')
    return ['width', 'height'].some((side) => DOT.test(attributeOf(element, side) ?? '')) ? '' : '[image]'
  if (tagName === 'video' || tagName === 'audio') return `[${tagName}]`
  // GitHub draws these from their source, which says more than the drawing does.
  const kinds = [...classes, attributeOf(element, 'data-type') ?? '', attributeOf(element, 'lang') ?? '']
  if (kinds.some((kind) => DIAGRAM.test(kind))) return DIAGRAM_NOTE
  if (tagName === 'hr') return RULE
  if (tagName !== 'input') return undefined
  if (attributeOf(element, 'type') !== 'checkbox') return ''
  return attributeOf(element, 'checked') === undefined ? '[ ] ' : '[x] '
}

/** In place of text that may not look as it is written; undefined for text that does. */
export function noteOf({ tagName, childNodes, attrs }: Element): string | undefined {
  // In TeX, commands and comments hide text, and wide blanks push it out of sight.
  const isPrinted = (node: Node): boolean => isText(node) && !/[\\%~]|[^\S \n]/.test(node.value)
  if (tagName === 'math-renderer' && !childNodes.every(isPrinted)) return '[formula]'
  return attrs.some(({ name, value }) => name === 'style' && !PLAIN_STYLE.test(value))
    ? '[styled text]'
    : undefined
}

/** By how many levels an element makes its text smaller; that of `rt` has half the size. */
export const SMALLER: Readonly<Record<string, number>> = {
  ...{ sub: 1, sup: 1, small: 1, rt: 2 },
  ...{ code: 0.5, pre: 0.5, samp: 0.5, tt: 0.5, h5: 0.5, h6: 0.5 },
}

/** Three times three quarters of the size of the page are less than half of it, too small to read. */
export const ILLEGIBLE = 3
