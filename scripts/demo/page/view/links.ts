import type rehypeSanitize from 'rehype-sanitize'
import type { Story } from '../../stage.ts'

type Root = ReturnType<ReturnType<typeof rehypeSanitize>>
type Node = Root | Root['children'][number]
type Element = Extract<Node, { type: 'element' }>

/** The key of what a path such as `/octo/app/issues/12` shows here; `undefined` where that is nothing. */
export type Resolve = (path: string) => string | undefined

export const threadKey = (story: number, repository: string, number: number): string =>
  `${story + 1}/${repository}/${number}`

export const runKey = (story: number, id: number): string => `${story + 1}/run/${id}`

/** What GitHub's links mean within one story. */
export const resolver =
  ({ emulator, runs }: Story, story: number): Resolve =>
  (path) => {
    const run = /^\/[^/]+\/[^/]+\/actions\/runs\/(\d+)/.exec(path)?.[1]
    if (run !== undefined)
      return runs.some(({ id }) => id === Number(run)) ? runKey(story, Number(run)) : undefined
    const [, repository = '', number = ''] = /^\/([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)/.exec(path) ?? []
    const known = emulator.github.repository(repository)
    return known?.issues.has(Number(number)) ? threadKey(story, known.name, Number(number)) : undefined
  }

/**
 * Leads links to the emulated GitHub to what this page shows. Those that it does not show are no links here: on the
 * real GitHub other people have these names. Other sites open in a new tab and get no referrer.
 */
export const ownLinks =
  ({ serverUrl, resolve }: { readonly serverUrl: string; readonly resolve: Resolve }) =>
  (tree: Root): void => {
    visit(tree)

    function visit(node: Node): void {
      if (node.type === 'element' && node.tagName === 'a') lead(node)
      if ('children' in node) for (const child of node.children) visit(child)
    }

    function lead(link: Element): void {
      const url = String(link.properties.href ?? '')
      const own = url.startsWith(`${serverUrl}/`) ? resolve(url.slice(serverUrl.length)) : undefined
      if (own !== undefined) link.properties = { href: `#/${own}` }
      else if (/^https?:\/\//.test(url) && !isWithin(url, serverUrl)) {
        link.properties = { href: url, target: '_blank', rel: ['noopener', 'noreferrer', 'nofollow'] }
      } else Object.assign(link, { tagName: 'span', properties: {} })
    }
  }

const isWithin = (url: string, serverUrl: string): boolean =>
  URL.canParse(url) && new URL(url).host === new URL(serverUrl).host
