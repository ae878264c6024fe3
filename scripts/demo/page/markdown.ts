import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Element, Root, Text } from 'hast'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { renderTree } from '../../../emulator/github/render.ts'

type Node = Root | Root['children'][number]

export interface Place {
  /** `owner/name`, which `#12` counts from. */
  readonly repository: string
  readonly serverUrl: string
  /** Whether newlines become line breaks: comments do this, step summaries don't. */
  readonly breaks: boolean
  /** Where this page shows a path of GitHub, such as `/octo/app/issues/12`; undefined where it does not. */
  readonly resolve: (path: string) => string | undefined
}

/** Markdown as GitHub shows it. */
export function toHtml(markdown: string, place: Place): string {
  const tree = renderTree(markdown, place)
  adapt(tree, place)
  return unified().use(rehypeStringify).stringify(tree).trim()
}

function adapt(node: Node, place: Place): void {
  if (!('children' in node)) return
  if (node.type === 'element' && node.tagName === 'blockquote') markAlert(node)
  if (node.type === 'element' && node.tagName === 'a') lead(node, place)
  for (const child of node.children) adapt(child, place)
  if (node.type === 'root' || node.tagName !== 'code') drawEmoji(node)
}

const EMOJI = /(\p{Extended_Pictographic}\uFE0F?)/u
const DRAWINGS = dirname(createRequire(import.meta.url).resolve('@twemoji/svg/package.json'))

/** The drawing of an emoji, so that no machine lacks the font for it, nor the package with its file. */
export function emojiUrl(emoji: string): string {
  const drawing = readFileSync(join(DRAWINGS, `${emoji.codePointAt(0)?.toString(16)}.svg`), 'utf8')
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`
}

function drawEmoji(node: Root | Element): void {
  for (const [at, child] of [...node.children.entries()].reverse()) {
    if (child.type !== 'text') continue
    const parts = child.value.split(EMOJI).map((part): Element | Text =>
      EMOJI.test(part)
        ? {
            type: 'element',
            tagName: 'img',
            properties: { className: ['emoji'], alt: part, src: emojiUrl(part) },
            children: [],
          }
        : { type: 'text', value: part },
    )
    node.children.splice(at, 1, ...parts)
  }
}

/** https://docs.github.com/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts */
const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/

function markAlert(quote: Element): void {
  const paragraph = quote.children.find((child) => child.type === 'element')
  const text = paragraph?.children[0]
  const kind = text?.type === 'text' ? ALERT.exec(text.value)?.[1]?.toLowerCase() : undefined
  if (text?.type !== 'text' || kind === undefined) return
  text.value = text.value.replace(ALERT, '')
  quote.tagName = 'div'
  quote.properties = { className: ['markdown-alert', `markdown-alert-${kind}`] }
}

/** Leads to what this page shows. The rest is no link: on the real GitHub other people have these names. */
function lead(link: Element, { serverUrl, resolve }: Place): void {
  const href = String(link.properties.href ?? '')
  const url = URL.canParse(href) ? new URL(href) : undefined
  const shown = url?.host === new URL(serverUrl).host ? resolve(url.pathname) : undefined
  if (shown !== undefined) link.properties = { href: shown }
  else Object.assign(link, { tagName: 'span', properties: {} })
}
