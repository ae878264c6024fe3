import type { PaginatingEndpoints } from '@octokit/plugin-paginate-rest'
import { parseList } from './answers.ts'
import type { Octokit } from './octokit.ts'
import { isTooLargeAnswer } from './requests.ts'

/** A hundred of the longest texts are more than the action reads of one answer (4.7); ten always fit. */
export const PAGE_SIZE = 100
export const SMALL_PAGE_SIZE = 10

/** GitHub takes 2,500 comments a thread, 275 pages at most; a listing that goes on for longer than this never ends. */
const MOST_PAGES = 300

export type List = (pageSize: number) => AsyncIterable<{ readonly data: unknown; readonly url: string }>

export function listAt<R extends keyof PaginatingEndpoints>(
  { paginate }: Octokit,
  route: R,
  parameters: PaginatingEndpoints[R]['parameters'],
): List {
  const path: string = route
  return (per_page) => paginate.iterator(path, { ...parameters, per_page })
}

/** The pages of a list as they come, and from the first one that is too large on in small ones. */
export async function* pagesOf(list: List): AsyncIterable<readonly unknown[]> {
  let read = 0
  try {
    for await (const entries of distinctPages(list, PAGE_SIZE)) {
      read += entries.length
      yield entries
    }
  } catch (error) {
    if (!isTooLargeAnswer(error)) throw error
    for await (const entries of distinctPages(list, SMALL_PAGE_SIZE)) {
      const known = Math.min(entries.length, read)
      read -= known
      yield entries.slice(known)
    }
  }
}

/** Ends where a `Link` leads back to a page that was read. */
async function* distinctPages(list: List, size: number): AsyncIterable<readonly unknown[]> {
  const seen = new Set<string>()
  for await (const { data, url } of list(size)) {
    const page = nameOf(url)
    if (seen.has(page)) return
    seen.add(page)
    yield parseList(data)
    if (seen.size >= (MOST_PAGES * PAGE_SIZE) / size) return
  }
}

/** By a number, or by the cursor where it begins. */
function nameOf(url: string): string {
  const parameters = new URL(url).searchParams
  return `${parameters.get('page') ?? 1} ${parameters.get('after') ?? ''}`
}

/** @param most entries after which no further page is read */
export const entriesOf = <T>(list: List, parse: (entry: unknown) => T, most?: number) =>
  gather(pagesOf(list), parse, most)

export async function gather<T>(
  pages: AsyncIterable<readonly unknown[]>,
  parse: (entry: unknown) => T,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly T[]> {
  const entries: T[] = []
  for await (const page of pages) {
    entries.push(...page.map(parse))
    if (entries.length >= most) break
  }
  return entries
}
