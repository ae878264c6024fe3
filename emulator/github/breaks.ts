import type remarkGithub from 'remark-github'

type Root = Parameters<ReturnType<typeof remarkGithub>>[0]
type Node = Root | Root['children'][number]

/** Turns the ends of lines within a paragraph into breaks, as GitHub does in comments. */
export const hardBreaks = () => (tree: Root) => breakLines(tree)

function breakLines(node: Node): void {
  if (!('children' in node)) return
  for (let at = node.children.length - 1; at >= 0; at -= 1) {
    const child = node.children[at]
    if (child?.type !== 'text') {
      if (child !== undefined) breakLines(child)
      continue
    }
    const parts = child.value
      .split('\n')
      .flatMap((value, index) => [
        ...(index > 0 ? [{ type: 'break' as const }] : []),
        ...(value === '' ? [] : [{ type: 'text' as const, value }]),
      ])
    const siblings: Node[] = node.children
    siblings.splice(at, 1, ...parts)
  }
}
