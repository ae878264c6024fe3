import type { Element, Root } from 'hast'

type Node = Root | Root['children'][number]

/** https://docs.github.com/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts */
const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/

/** Marks the quotations that GitHub shows as alerts, for the style sheet. */
export function markAlerts(node: Node): void {
  if (node.type === 'element' && node.tagName === 'blockquote') markAlert(node)
  if ('children' in node) node.children.forEach(markAlerts)
}

function markAlert(quote: Element): void {
  const paragraph = quote.children.find((child) => child.type === 'element')
  const text = paragraph?.children[0]
  const kind = text?.type === 'text' ? ALERT.exec(text.value)?.[1] : undefined
  if (text?.type !== 'text' || kind === undefined) return
  text.value = text.value.replace(ALERT, '')
  // In a comment, a break follows the kind.
  if (text.value === '') paragraph?.children.splice(0, 2)
  const name = kind.toLowerCase()
  quote.tagName = 'div'
  quote.properties = { className: ['markdown-alert', `markdown-alert-${name}`] }
  quote.children.unshift({
    type: 'element',
    tagName: 'p',
    properties: { className: ['markdown-alert-title'] },
    children: [{ type: 'text', value: kind.charAt(0) + name.slice(1) }],
  })
}
