import { promptPath } from '../analytics/path-text.ts'
import { masked } from './reader-text.ts'

/** Never requested: only makes a URL of a path. */
const BASE = 'https://docs.invalid'

/**
 * The page that a path or a URL names, in the one form that all its spellings share: decoded, without host, query,
 * fragment and trailing slash. '' for no page. Safe to show in a code span, and to name in a prompt.
 */
export function pagePath(pathOrUrl: string): string {
  // The URL parser drops line breaks and invisible characters, so pages could get the name of another one.
  const text = pathOrUrl.trim().replace(/[\s\p{C}]/gu, (char) => encodeURIComponent(char))
  if (text === '') return ''
  const path = /^https?:\/\//i.test(text) ? text : `/${text.replace(/^[/\\]+/, '')}`
  const url = URL.parse(path, BASE)
  return url === null ? '' : promptPath(masked(decoded(url.pathname).replace(/(?<!^)\/+$/, '')))
}

function decoded(pathname: string): string {
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}
