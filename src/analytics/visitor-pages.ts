import type { Navigation } from './navigation.ts'
import { basePathOf, isUrl, maskedPage, pagePath, withoutBase } from './page-path.ts'
import type { Figures, Row, Visitors } from './visitor-rows.ts'

/** The visitors of a page, under its one name. */
export type Page = Row

export interface VisitedPages {
  /** Of the whole site, as the service counts them. */
  readonly totals: Readonly<Figures>
  /** By name, in the order of the service. A visitor of two spellings of a page counts twice. */
  readonly pages: ReadonlyMap<string, Page>
  /** Rows whose figures were added to those of another spelling; one of them as an example. */
  readonly spellings: { readonly count: number; readonly example: string }
  readonly repeated: number
  readonly unnamed: number
  readonly complete: boolean
}

/** Paths as the service writes them, and the one name of the page that each is about. */
export type Names = ReadonlyMap<string, string>

/**
 * URLs of a site that lies under a path have it, and so may all paths: with a navigation, its pages decide.
 * @param periods whose paths share the names
 */
export function namesOf(periods: readonly Visitors[], navigation: Navigation | undefined): Names {
  const names = new Map<string, string>()
  for (const { rows } of periods) for (const path of rows.keys()) names.set(path, nameOf(path))
  const base = navigation === undefined ? basePathOfUrls(names) : basePathOf(names.values(), navigation.pages)
  for (const [path, name] of names) {
    const short = navigation !== undefined || isUrl(path) ? withoutBase(name, base) : name
    const page = pageOfMarkdown(short, navigation)
    const shown = navigation?.pages.has(page) === true ? page : maskedPage(page)
    if (shown !== name) names.set(path, shown)
  }
  return names
}

function basePathOfUrls(names: Names): string {
  const urls = [...names.keys()].filter(isUrl)
  if (urls.length === 0) return ''
  const paths = new Set([...names].filter(([path]) => !isUrl(path)).map(([, name]) => name))
  return basePathOf(new Set(urls.map((url) => names.get(url) ?? '')), paths)
}

/** A path that is no URL of the web names a page all the same: visitors ask for anything. */
const nameOf = (path: string): string => pagePath(path) || (path.trim() === '' ? '/' : pagePath(`/${path}`))

/** AI reads the Markdown of a page at its path with `.md` behind it. */
function pageOfMarkdown(name: string, navigation: Navigation | undefined): string {
  if (navigation === undefined || navigation.pages.has(name)) return name
  const page = name.replace(/\.mdx?$/, '')
  return navigation.pages.has(page) ? page : name
}

export function visitedPagesOf(
  { rows, totals, complete, repeated, unnamed }: Visitors,
  names: Names,
): VisitedPages {
  const pages = new Map<string, Page>()
  let [count, example] = [0, '']
  for (const row of rows.values()) {
    const path = names.get(row.path) ?? row.path
    const before = pages.get(path)
    if (before !== undefined) {
      count++
      example ||= maskedPage(row.path)
    }
    pages.set(path, before === undefined ? (path === row.path ? row : { ...row, path }) : sumOf(before, row))
  }
  return { totals, pages, spellings: { count, example }, complete, repeated, unnamed }
}

const sumOf = ({ path, ...one }: Page, other: Row): Page => ({
  path,
  human: one.human + other.human,
  ai: one.ai + other.ai,
  total: one.total + other.total,
})

export const mostVisited = ({ pages }: Pick<VisitedPages, 'pages'>, size: number): readonly Page[] =>
  [...pages.values()].toSorted((a, b) => b.total - a.total).slice(0, size)

/** 0 for a page that is not among all; undefined where rows were cut, because then it is unknown. */
export const totalOf = (
  { pages, complete }: Pick<VisitedPages, 'pages' | 'complete'>,
  path: string,
): number | undefined => pages.get(path)?.total ?? (complete ? 0 : undefined)

/** What a path is: a page of the navigation, one that leads elsewhere, another page or file of the docs, or none of these. */
type PathKind = 'page' | 'redirect' | 'file' | 'other'

export function kindOf(page: string, { pages, redirects, others }: Navigation): PathKind {
  if (pages.has(page) || page === '/') return 'page'
  if (others.has(page) || SERVED.test(page)) return 'file'
  return redirects(page) ? 'redirect' : 'other'
}

/** What Mintlify makes beside the pages: https://www.mintlify.com/docs/ai/llmstxt */
const SERVED =
  /^\/(?:llms(?:-full)?\.txt|skill\.md|sitemap\.xml|robots\.txt|favicon\.\w+|apple-touch-icon\.png|(?:mcp|_mintlify|\.well-known)(?:\/.*)?)$|\/rss\.xml$/
