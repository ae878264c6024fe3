import { parseFragment } from 'parse5'
import { ILLEGIBLE, OPEN, Page, shownText, shrink } from './html-elements.ts'
import { attributeOf, type Element, isText, type Node, replacementOf } from './html-replacements.ts'

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
    else if (isText(next)) write(page, next.value)
    else if ('tagName' in next) for (const step of open(page, next)) work.push(step)
  }
  return String(page.out)
}

function write({ out, size }: Page, value: string): void {
  if (size > ILLEGIBLE) out.text(shownText(value))
}

/** Begins an element, and gives what is left to do of it, last first. */
function open(page: Page, element: Element): (Node | (() => void))[] {
  const replacement = page.size > ILLEGIBLE ? replacementOf(element) : ''
  if (replacement === undefined) {
    const grow = shrink(page, element)
    const close = OPEN.get(element.tagName)?.(page, element)
    return [grow, ...(close === undefined ? [] : [close]), ...element.childNodes.reverse()]
  }
  if (replacement === '[image]') page.lastImage = attributeOf(element, 'src')
  if (replacement === '[diagram]') page.out.endBlock(2)
  page.out.text(replacement)
  if (replacement === '[diagram]') page.out.endBlock(2)
  return []
}
