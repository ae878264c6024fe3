import { renderTree } from '../../emulator/github/render.ts'

/** The elements and texts of a Markdown page as GitHub makes it. */
export const pageTree = (markdown: string) => renderTree(markdown, { breaks: false })

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
