import { parseFragment } from 'parse5'
import { BIDI, firstDirection, inItsDirection } from '../invisible.ts'
import { BLOCKS, OPEN, openEmail } from './html-elements.ts'
import { Page } from './html-page.ts'
import {
  attributeOf,
  type Element,
  isFormula,
  isText,
  type Node,
  replacementOf,
  sizeOf,
} from './html-visibility.ts'

/**
 * The text that a reader sees of GitHub's `body_html` (contract 4.2), with marks as in Markdown. Folded `<details>`
 * stay, since a reader can open them.
 *
 * `rehype-remark` with `remark-stringify` would write much of this, but what people wrote can be hostile: it fails on
 * 2,000 nested quotations, takes minutes for 1,000 nested `<b>`, breaks tables that hold code, and puts backslashes
 * into names and addresses. It would add 190 kB to the bundle, and the rules on what is visible would stay.
 */
export function htmlToText(html: string): string {
  const page = new Page()
  // What is left to do is a list, since hostile HTML nests deeper than a call stack reaches.
  const work: (Node | (() => void))[] = parseFragment(html).childNodes.reverse()
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (typeof next === 'function') next()
    else if (isText(next)) page.text(next.value)
    else if ('tagName' in next) for (const step of open(page, next)) work.push(step)
  }
  return inItsDirection(String(page.out))
}

/** Begins an element. @returns what is left to do of it, last first */
function open(page: Page, element: Element): (Node | (() => void))[] {
  const { size, direction, lineDirection, keepsLines } = page
  const replacement = replacementOf(element)
  if (replacement !== undefined) {
    // Small text leaves an image as large as it is.
    if (replacement === '[image]') page.lastImage = attributeOf(element, 'src')
    if (replacement !== '' && !(page.isIllegible && isFormula(element))) page.replace(replacement)
    return []
  }
  page.size = sizeOf(element, size)
  const closeDirection = turn(page, element)
  const close = (openEmail(element) ?? OPEN.get(element.tagName))?.(page, element)
  const restore = () => Object.assign(page, { size, direction, lineDirection, keepsLines })
  return [
    restore,
    ...[closeDirection, close].filter((step) => step !== undefined),
    ...element.childNodes.reverse(),
  ]
}

/**
 * The HTML standard defines `dir` and `<bdo>` by Unicode's characters for directions: those stand for them until the
 * text is complete, and it is known what they turn.
 */
function turn(page: Page, element: Element): (() => void) | undefined {
  const { tagName } = element
  const dir = attributeOf(element, 'dir')?.toLowerCase() ?? ''
  const isolate = ISOLATES.get(dir)
  if (isolate !== undefined)
    page.direction = dir === 'rtl' ? rightToLeft(element) : dir === 'ltr' ? isolate : ''
  // Code is one piece, in which nothing can stand in another order.
  if (tagName === 'pre') page.direction = ''
  if (BLOCKS.has(tagName)) page.lineDirection = page.direction
  if (tagName === 'bdo') {
    const override = dir === 'rtl' ? BIDI.overrideRight : BIDI.overrideLeft
    return page.wrap(BIDI.isolateFirst + override, BIDI.popEmbedding + BIDI.popIsolate, true)
  }
  if (BLOCKS.has(tagName) || (isolate === undefined && tagName !== 'bdi')) return undefined
  return page.wrap(isolate ?? BIDI.isolateFirst, BIDI.popIsolate, true)
}

/**
 * Around text of its own direction, a line of another one, such as a cell with the name of an option, reads the same:
 * there the line only must not hold parts that change places.
 */
const rightToLeft = (element: Element): string => {
  const work: Node[] = [element]
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const first = isText(next) ? firstDirection(next.value) : undefined
    if (first !== undefined) return first === 'R' ? BIDI.rightMark : BIDI.isolateRight
    if ('childNodes' in next) work.push(...next.childNodes.toReversed())
  }
  return BIDI.rightMark
}

const ISOLATES: ReadonlyMap<string, string> = new Map([
  ['ltr', BIDI.isolateLeft],
  ['rtl', BIDI.isolateRight],
  ['auto', BIDI.isolateFirst],
])
