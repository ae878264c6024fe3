import type { DefaultTreeAdapterTypes } from 'parse5'

export type Node = DefaultTreeAdapterTypes.ChildNode
export type Element = DefaultTreeAdapterTypes.Element

export const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text'

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value

const classesOf = (element: Element): string[] => attributeOf(element, 'class')?.split(/\s+/) ?? []

/** Browsers show no text of these. */
const NOT_SHOWN = new Set(
  'area base canvas datalist dialog embed frame head iframe link meta noembed noframes noscript object param rp'
    .concat(' script source style svg template title track')
    .split(' '),
)

/** For screen readers, and the quotations that GitHub folds away in replies by email. */
const HIDDEN_CLASSES = new Set(['sr-only', 'email-hidden-toggle', 'email-hidden-reply'])

const DIAGRAM = /^(?:language-|highlight-source-)?(?:mermaid|geojson|topojson|stl)$/i

/** GitHub draws these from their source, which says more than the drawing does. */
const isDiagram = (element: Element): boolean =>
  [
    ...classesOf(element),
    (element.tagName === 'section' && attributeOf(element, 'data-type')) || '',
    (element.tagName === 'pre' && attributeOf(element, 'lang')) || '',
  ].some((name) => DIAGRAM.test(name))

/** TeX that is not printed, or printed so that nothing can be seen, as outside the page. */
const HIDING_TEX = new RegExp(
  String.raw`%|\\(?:[hv]?phantom|(?:text|f?color)?color(?:box)?|style|class|cssId|[lr]lap|smash|mathchoice|tiny`
    .concat(
      '|scriptscriptstyle|require|def|let|(?:re)?newcommand|(?:eq|h)?ref|label|tag|texttip|mmlToken|unicode',
    )
    .concat('|[hm]?space|[hm]?skip|m?kern|raise|lower|move(?:left|right)|vcenter|Rule|rule|char)'),
)

/** What stands for the whole element: '' where nothing of it is shown, `undefined` where its content is. */
export function replacementOf(element: Element): string | undefined {
  const { tagName } = element
  if (NOT_SHOWN.has(tagName) || attributeOf(element, 'hidden') !== undefined) return ''
  if (classesOf(element).some((name) => HIDDEN_CLASSES.has(name)) || isWayBack(element)) return ''
  if (tagName === 'img') return '[image]'
  if (tagName === 'video' || tagName === 'audio') return `[${tagName}]`
  if (isDiagram(element)) return '[diagram]'
  if (isFormula(element) && HIDING_TEX.test(textOf(element))) return '[formula]'
  if (isColored(element)) return '[colored text]'
  if (tagName === 'hr') return '---'
  if (tagName === 'a' && attributeOf(element, 'href')?.startsWith('#fn:') === true) return noteNumber(element)
  return tagName === 'pre' ? replacementOfCode(element) : undefined
}

const isFormula = (element: Element): boolean =>
  element.tagName === 'math-renderer' || classesOf(element).includes('language-math')

/** Gitea lets people set colors, which may be that of the page. It shows a color behind its code without text. */
const isColored = (element: Element): boolean =>
  /color/i.test(attributeOf(element, 'style') ?? '') && element.childNodes.length > 0

/** Gitea's link from a text to its footnote; what else is linked there is a link. */
function noteNumber(element: Element): string | undefined {
  const [, number] = /^(\d+) ?$/.exec(textOf(element)) ?? []
  return number === undefined ? undefined : `[^${number}]`
}

/** Gitea marks diagrams and formulas by a `code` within the block. */
function replacementOfCode({ childNodes: [first, ...more] }: Element): string | undefined {
  if (first === undefined || !('tagName' in first) || first.tagName !== 'code' || more.length > 0)
    return undefined
  return replacementOf(first)
}

const textOf = (element: Element): string =>
  element.childNodes.map((node) => (isText(node) ? node.value : '')).join('')

/** The arrow from a footnote to what refers to it. */
const isWayBack = (element: Element): boolean =>
  (attributeOf(element, 'data-footnote-backref') !== undefined ||
    attributeOf(element, 'href')?.startsWith('#fnref:') === true) &&
  element.childNodes
    .flatMap((node) => ('childNodes' in node ? node.childNodes : [node]))
    .every((node) => isText(node) && /^(?:\u21a9|\ufe0e|\ufe0f|\d|\s)*$/.test(node.value))
