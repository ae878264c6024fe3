import { masked } from '../base/mask.ts'

/** Never requested: only makes a URL of a path. */
const BASE = 'https://docs.invalid'

/**
 * The one name of a page, whichever way it is written: a path that begins with a slash, decoded, without host, query,
 * fragment, `/index` and trailing slash. A sign that could end a line, a code span or a link, or that is not seen, stays
 * encoded.
 * @returns '' for what is blank, and for a URL that is no web page
 */
export function pagePath(pathOrUrl: string): string {
  if (PLAIN.test(pathOrUrl)) return pathOrUrl
  // The URL parser drops line breaks and invisible characters, so pages could get the name of another one.
  const text = pathOrUrl.trim().replace(UNSAFE, encodeURIComponent)
  if (text === '') return ''
  const url = URL.parse(isUrl(text) ? text : `/${text.replace(/^[/\\]+/, '')}`, BASE)
  if (url === null || !/^https?:$/.test(url.protocol)) return ''
  return withoutIndex(decoded(url.pathname).replace(ENCODED, encodeURIComponent))
}

/** Of a file of the docs, such as `guides/start.mdx`: it has no query, whatever its signs. */
export const pageOfFile = (file: string): string =>
  pagePath(`/${file.replace(/\.mdx?$/, '').replace(/[?#%]/g, encodeURIComponent)}`)

/** What is a name already: most paths are so. */
const PLAIN = /^(?:\/(?!index$)[\w-]+)+$/

export const isUrl = (text: string): boolean => /^\s*[a-z][a-z\d+.-]*:/i.test(text)

/** What is not encoded as a URL is, and `/`, `?`, `#` and `%` within a folder's name, show as they are. */
function decoded(pathname: string): string {
  return pathname.replace(/(?:%(?!2[35f]|3f)[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes
    }
  })
}

const withoutIndex = (path: string): string => path.replace(/\/+$/, '').replace(/\/+index$/, '') || '/'

/** What ends a line or a code span, what is not seen, and what makes a path read as a sentence. */
const UNSAFE = /[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800"<>`]/gu
/** The same, and what a URL encodes in a path: https://url.spec.whatwg.org/#path-percent-encode-set */
const ENCODED = /[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800"<>`^{}|\\]/gu

/** The name of a page that no repository vouches for: visitors choose what they ask for, with all that stands in it. */
export function maskedPage(page: string): string {
  const all = masked(page)
  // The numbers of a date can stand in folders of their own.
  return all === page ? page : page.split('/').map(masked).join('/')
}

/** A base path has at most so many folders. */
const MOST_FOLDERS = 3

/**
 * The path that a site lies under, such as `/docs`, where addresses have it and pages do not.
 * @param addresses names of pages, perhaps with it
 * @param pages known names, without it
 * @returns '' where more addresses are pages as they are
 */
export function basePathOf(addresses: Iterable<string>, pages: { has(page: string): boolean }): string {
  const votes = new Map<string, number>()
  let direct = 0
  for (const address of addresses) {
    if (pages.has(address)) direct++
    else for (const base of basesOf(address, pages)) votes.set(base, (votes.get(base) ?? 0) + 1)
  }
  const [best, most] = [...votes].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0])
  return most > direct ? best : ''
}

/** Folders without which the address is a page, but for the first page, to which any folder would lead. */
function basesOf(address: string, pages: { has(page: string): boolean }): readonly string[] {
  const bases: string[] = []
  let at = 0
  for (let folders = 0; folders < MOST_FOLDERS; folders++) {
    at = address.indexOf('/', at + 1)
    if (at < 0) break
    if (pages.has(address.slice(at))) bases.push(address.slice(0, at))
  }
  return bases
}

export const withoutBase = (path: string, base: string): string =>
  base !== '' && (path === base || path.startsWith(`${base}/`)) ? path.slice(base.length) || '/' : path
