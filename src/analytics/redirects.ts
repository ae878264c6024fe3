import * as v from 'valibot'
import { listOf, text } from '../base/json.ts'
import { compileGlob } from '../inputs/paths.ts'
import { pagePath } from './page-path.ts'

/** Whether the docs lead visitors of a path elsewhere. */
export type Redirects = (page: string) => boolean

const REDIRECTS = listOf(v.object({ source: text }))

/** @param value the `redirects` of a `docs.json`; `:slug*` and `*` stand for anything, `:slug` for all or a part of one folder */
export function redirectsOf(value: unknown): Redirects {
  const sources = v.parse(REDIRECTS, value).map(({ source }) => source)
  const exact = new Set(sources.filter((source) => !WILD.test(source)).map(pagePath))
  const byFolder = Map.groupBy(
    sources.filter((source) => WILD.test(source)).map(patternOf),
    ({ folder }) => folder,
  )
  const matches = (page: string, folder: string): boolean =>
    byFolder.get(folder)?.some(({ isMatch }) => isMatch(page)) === true
  if (byFolder.size === 0) return (page) => exact.has(page)
  return (page) => exact.has(page) || matches(page, folderOf(page)) || matches(page, ANY)
}

const WILD = /\*|:\w/
/** Of a pattern that begins with a wildcard. */
const ANY = '*'

function folderOf(path: string): string {
  const end = path.indexOf('/', 1)
  return end < 0 ? path.slice(1) : path.slice(1, end)
}

function patternOf(source: string) {
  const glob = `/${source
    .replace(/^\//, '')
    .replace(/:\w*\*|\*+/g, '**')
    .replace(/:\w+/g, '*')}`
  const folder = folderOf(glob)
  // `/old/:slug*` takes `/old`, too.
  const isBelow = compileGlob(glob)
  const itself = glob.replace(/\/\*\*$/, '')
  const isMatch = (page: string): boolean => isBelow(page) || page === itself
  return { folder: folder.includes('*') ? ANY : folder, isMatch }
}
