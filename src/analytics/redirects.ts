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
  const patterns = sources.filter((source) => WILD.test(source)).map(patternOf)
  return (page) => exact.has(page) || patterns.some((isMatch) => isMatch(page))
}

const WILD = /\*|:\w/

function patternOf(source: string): Redirects {
  const glob = `/${source
    .replace(/^\//, '')
    .replace(/:\w*\*|\*+/g, '**')
    .replace(/:\w+/g, '*')}`
  // `/old/:slug*` takes `/old`, too.
  const itself = glob.replace(/\/\*\*$/, '')
  const [start = ''] = glob.split('*', 1)
  const isBelow = compileGlob(glob)
  return (page) => page === itself || (page.startsWith(start) && isBelow(page))
}
