import { asObject } from '../base/json.ts'
import { parseList } from './answers.ts'
import type { Octokit } from './octokit.ts'

export const PAGE_SIZE = 100
/** Of entries with long bodies: a page that takes GitHub ten seconds never comes. */
export const LONG_BODIES = { per_page: 30 } as const

/** What the address and the query of a list take; `request` is for octokit. */
type ListParameters = Readonly<Record<string, string | number | object>>

interface Answer {
  readonly data: unknown
  readonly headers: { readonly link?: string | undefined }
}

/** @returns the address of that page, '' for none */
export const linkTo = (rel: 'next' | 'last', { headers }: Answer): string =>
  new RegExp(`<([^<>]+)>;\\s*rel="${rel}"`).exec(headers.link ?? '')?.[1] ?? ''

/**
 * The pages of a list as they come.
 * @param field of the entries, beside `total_count`, which tells whether more follow where no link does; '' for a list
 */
export async function* pagesOf(
  { request }: Octokit,
  route: string,
  parameters: ListParameters,
  field = '',
): AsyncGenerator<readonly unknown[], void> {
  const paged = { per_page: PAGE_SIZE, ...parameters }
  const { url, headers, request: option } = request.endpoint(route, paged)
  let read = 0
  const seen = new Set<string>()
  // A link can lead back to a page that was read.
  for (let next = url; next !== '' && !seen.has(next); ) {
    seen.add(next)
    const answer: Answer = await request({
      method: 'GET',
      url: next,
      headers,
      ...(option && { request: option }),
    })
    const { [field]: entries = answer.data, total_count } = asObject(answer.data)
    const list = parseList(entries)
    yield list
    read += list.length
    next = linkTo('next', answer)
    // A page that is not full is the last one, whatever the count.
    if (next === '' && list.length >= Number(paged.per_page) && read < Number(total_count)) {
      const address = new URL(url)
      address.searchParams.set('page', String(seen.size + 1))
      next = address.href
    }
  }
}

/** All entries of a list, or the first so many. */
export async function entriesOf<T>(
  octokit: Octokit,
  route: string,
  parameters: ListParameters,
  parse: (entry: unknown) => T,
  { field = '', most = Number.POSITIVE_INFINITY } = {},
): Promise<readonly T[]> {
  const all: T[] = []
  for await (const entries of pagesOf(octokit, route, parameters, field)) {
    all.push(...entries.map(parse))
    if (all.length >= most) break
  }
  return all.slice(0, most)
}
