import type { Root } from 'hast'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { type RenderContext, renderTree } from '../../../../emulator/github/render.ts'
import { markAlerts } from './alerts.ts'
import { ownLinks, type Resolve } from './links.ts'

export interface Place extends Required<RenderContext> {
  readonly resolve: Resolve
}

/** Markdown as GitHub shows it. */
export function toHtml(markdown: string, place: Place): string {
  const tree = renderTree(markdown, place)
  dropImages(tree)
  markAlerts(tree)
  ownLinks(place)(tree)
  return unified().use(rehypeStringify).stringify(tree).trim()
}

/** GitHub fetches images through a proxy; this page makes no requests to other sites. */
function dropImages(node: Root | Root['children'][number]): void {
  if (!('children' in node)) return
  const { children } = node
  for (let at = children.length - 1; at >= 0; at -= 1) {
    const child = children[at]
    if (child?.type === 'element' && ['img', 'picture', 'source'].includes(child.tagName))
      children.splice(at, 1)
    else if (child !== undefined) dropImages(child)
  }
}
