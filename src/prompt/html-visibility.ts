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

/** @returns '' where nothing of the element is shown, `undefined` where what it holds is */
export function replacementOf(element: Element): string | undefined {
  const { tagName, childNodes } = element
  const classes = attributeOf(element, 'class')?.split(/\s+/) ?? []
  // Browsers show elements with a name such as `g-emoji` whether they know them or not.
  const isShown = SHOWN.has(tagName) || tagName.includes('-')
  // For screen readers.
  const isSpoken = classes.includes('sr-only')
  if (!isShown || isSpoken || attributeOf(element, 'hidden') !== undefined) return ''
  if (tagName === 'img') {
    const sides = ['width', 'height'].map((name) => attributeOf(element, name) ?? '')
    // One of three pixels or less counts readers.
    return sides.some((side) => /^\s*0*[0-3](?:\.\d*)?\D*$/.test(side)) ? '' : '[image]'
  }
  if (tagName === 'video' || tagName === 'audio') return `[${tagName}]`
  const type = (tagName === 'section' && attributeOf(element, 'data-type')) || ''
  const language = (tagName === 'pre' && attributeOf(element, 'lang')) || ''
  // GitHub draws these from their source, which says more than the drawing does.
  if ([...classes, type, language].some((name) => DIAGRAM.test(name))) return '[diagram]'
  if (tagName === 'math-renderer' || classes.includes('language-math')) {
    // In TeX, commands and comments can hide text, and wide blanks push it out of sight.
    const isPrinted = (node: Node): boolean => isText(node) && !/[\\%~]|[^\S \n]/.test(node.value)
    if (!childNodes.every(isPrinted)) return '[formula]'
  }
  // GitHub shows a color behind code with a styled element that is empty.
  if (!PLAIN_STYLE.test(attributeOf(element, 'style') ?? '') && childNodes.length > 0) return '[styled text]'
  if (tagName === 'hr') return '---'
  if (tagName !== 'input') return undefined
  if (attributeOf(element, 'type') !== 'checkbox') return ''
  return attributeOf(element, 'checked') === undefined ? '[ ] ' : '[x] '
}

/** Of the size of the text around it: https://github.com/primer/css/tree/main/src/markdown */
const RELATIVE_SIZES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ h1: 2, h2: 1.5, h3: 1.25, h5: 0.875, h6: 0.85 },
    ...{ sub: 0.75, sup: 0.75, small: 0.9, rt: 0.5, code: 0.85, tt: 0.85, samp: 0.85, pre: 0.85 },
  }),
)

/** GitHub sets keys in 11 pixels, wherever they stand; the text of a comment has 14. */
const KEY_SIZE = 11 / 14

/** Smaller text is hidden: of 14 pixels, less than 7. Ruby has half the size. */
export const ILLEGIBLE_BELOW = 0.5

/** @param around where that of the page is 1 */
export function sizeOf({ tagName, parentNode }: Element, around: number): number {
  if (tagName === 'kbd') return KEY_SIZE
  const isSameCode = parentNode?.nodeName === 'pre' && (tagName === 'code' || tagName === 'tt')
  return isSameCode ? around : around * (RELATIVE_SIZES.get(tagName) ?? 1)
}
