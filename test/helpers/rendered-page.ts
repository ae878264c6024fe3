import type { Nodes } from 'mdast'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

/** A Markdown page as GitHub makes it: its flavour, HTML in it, and then only what its sanitiser lets through. */
const parser = unified().use(remarkParse).use(remarkGfm)
const page = unified()
  .use(() => escapeDisallowed)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize)

export type MarkdownTree = ReturnType<typeof parser.parse>
export const markdownTree = (markdown: string): MarkdownTree => parser.parse(markdown)

/** The page's elements and texts. */
export const pageTree = (markdown: string) => page.runSync(markdownTree(markdown))

/** These tags show as text: https://github.github.com/gfm/#disallowed-raw-html-extension- */
const DISALLOWED =
  /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[\s/>]|$))/gi

function escapeDisallowed(tree: Nodes): void {
  if (tree.type === 'html') tree.value = tree.value.replace(DISALLOWED, '&lt;')
  if ('children' in tree) tree.children.forEach(escapeDisallowed)
}

interface Node {
  readonly type: string
  readonly value?: unknown
  readonly tagName?: unknown
  readonly children?: readonly Node[]
}

/** All nodes of a tree, outer before inner. */
export function nodesOf(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)]
}
