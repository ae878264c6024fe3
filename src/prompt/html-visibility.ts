import type { DefaultTreeAdapterTypes } from 'parse5'
import { inItsDirection, TURNED, withoutInvisible } from '../base/invisible.ts'
import { oneLine, words } from '../base/text.ts'
import { labelsOf } from './mermaid.ts'

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
const MERMAID = /^(?:language-|highlight-source-)?mermaid$/i

/** Behind what stands in place of a picture, until these are counted. */
export const PICTURE = '\ue005'

/** GitHub writes these alone; any other style may hide the text, or have the color of the page. */
const PLAIN_STYLE =
  /^\s*(?:(?:display:\s*(?:inline|(?:inline-)?block)|max-width:\s*100%|text-align:\s*\w+)\s*(?:;\s*|$))*$/i

/** An image of three pixels or less counts readers. */
const DOT = /^\s*0*[0-3](?:\.\d*)?\D*$/

/** @returns '' where nothing of the element is shown, `undefined` where what it holds is */
export function replacementOf(element: Element): string | undefined {
  const { tagName } = element
  const classes = attributeOf(element, 'class')?.split(/\s+/) ?? []
  // Browsers show elements with a name such as `g-emoji` whether they know them or not.
  const isShown = SHOWN.has(tagName) || tagName.includes('-')
  // `sr-only` is for screen readers.
  if (!isShown || classes.includes('sr-only') || attributeOf(element, 'hidden') !== undefined) return ''
  if (tagName === 'img')
    return ['width', 'height'].some((side) => DOT.test(attributeOf(element, side) ?? ''))
      ? ''
      : `[image]${PICTURE}`
  if (tagName === 'video' || tagName === 'audio') return `[${tagName}]${PICTURE}`
  // GitHub draws these from their source, which says more than the drawing does.
  const kinds = [...classes, attributeOf(element, 'data-type') ?? '', attributeOf(element, 'lang') ?? '']
  if (kinds.some((kind) => DIAGRAM.test(kind))) {
    const labels = kinds.some((kind) => MERMAID.test(kind)) ? labelsOf(sourceIn(element)) : undefined
    return `\n\n${labelsText(labels ?? [])}${PICTURE}\n\n`
  }
  if (tagName === 'hr') return '\n\n---\n\n'
  if (tagName !== 'input') return undefined
  if (attributeOf(element, 'type') !== 'checkbox') return ''
  return attributeOf(element, 'checked') === undefined ? '[ ] ' : '[x] '
}

const labelsText = (labels: readonly string[]): string => {
  const shown = labels.map((label) => withoutInvisible(oneLine(label))).filter(Boolean)
  return shown.length === 0 ? '[diagram]' : `[diagram: ${shown.map((label) => `"${label}"`).join(', ')}]`
}

/** The text of the first `pre`; '' where that holds more than text. */
function sourceIn(element: Element): string {
  const open: Node[] = [element]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!('tagName' in node)) continue
    if (node.tagName === 'pre') return textIn(node)
    open.push(...node.childNodes.toReversed())
  }
  return ''
}

/** GitHub may put the source into one more element. */
function textIn({ childNodes }: Element): string {
  const [only, ...more] = childNodes
  if (more.length > 0 || only === undefined) return ''
  if (isText(only)) return only.value
  return 'tagName' in only && only.tagName === 'code' ? textIn(only) : ''
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

/** Marks around text, of the private use areas: whose elements have `dir`, or are a `bdo`, and where such text ends. */
const MARKS = { ltr: '\ue010', rtl: '\ue011', bdo: '\ue012', end: '\ue013' } as const
const TEXT = /([\ue010-\ue012]+)([^\ue013]*)\ue013/g

/**
 * The marks of the text in an element.
 * @param around those of the text around it @param isBlock its lines are its own
 */
export function directionsIn(element: Element, around: string, isBlock: boolean): string {
  const dir = attributeOf(element, 'dir')?.trim().toLowerCase()
  const isExplicit = dir === 'ltr' || dir === 'rtl'
  const mark = element.tagName === 'bdo' ? MARKS.bdo : isExplicit ? MARKS[dir] : ''
  const outer = isBlock && (isExplicit || dir === 'auto') ? '' : around
  return outer.includes(mark) ? outer : outer + mark
}

/** @param line of text without an end of line */
export const marked = (line: string, directions: string): string =>
  directions === '' || line === '' ? line : directions + line + MARKS.end

/** In place of text whose directions are not looked into. */
export const UNKNOWN = marked('[…]', MARKS.bdo)

/** Letters of the scripts that are written from right to left. */
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Neither the first letter nor most of them go the way of `dir`. A Hebrew line may begin with an English name. */
function isAgainst(dir: 'ltr' | 'rtl', texts: readonly RegExpExecArray[]): boolean {
  const text = texts.map(([, marks = '', words = '']) => (marks.includes(MARKS[dir]) ? words : '')).join('')
  const suits = (text.match(/\p{L}/gu) ?? []).map((letter) => RTL.test(letter) === (dir === 'rtl'))
  return suits[0] === false && suits.filter(Boolean).length < suits.length / 2
}

/** A line without its marks, or a note in its place where readers see its words in another order. */
export function lineInItsDirection(line: string): string {
  const texts = [...line.matchAll(TEXT)]
  const isBdo = texts.some(([, marks = '']) => marks.includes(MARKS.bdo))
  return isBdo || isAgainst('ltr', texts) || isAgainst('rtl', texts)
    ? TURNED
    : inItsDirection(line.replace(/[\ue010-\ue013]/g, ''))
}
