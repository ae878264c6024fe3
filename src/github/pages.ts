import type { PaginatingEndpoints } from '@octokit/plugin-paginate-rest'
import { asObject } from '../json.ts'
import { parseList } from './answers.ts'
import type { Octokit } from './requests.ts'
import { SlowPage } from './requests.ts'

export const PAGE_SIZE = 100
/** Of the pages in which a slow one is asked for again: what takes GitHub its time are the entries. */
export const SMALL_PAGE_SIZE = 10

/** GitHub takes 2,500 comments a thread, 275 pages at most; a listing that goes on for longer than this never ends. */
const MOST_PAGES = 300

interface Answer {
  readonly entries: readonly unknown[]
  readonly url: string
  readonly isLast: boolean
}

/** The pages of a list from this one on. @param page counted from 1 in pages of that size */
export type List = (pageSize: number, page: number) => AsyncIterable<Answer>

interface ListOptions {
  /**
   * That holds the entries beside `total_count`, which tells where an answer has no `Link` (the combined status) whether
   * more follow; by default, the answer is the list.
   */
  readonly field?: string
  /** Of each request, for octokit. */
  readonly request?: object
}

export function listAt<R extends keyof PaginatingEndpoints>(
  { request }: Octokit,
  route: R,
  parameters: PaginatingEndpoints[R]['parameters'],
  { field, request: option }: ListOptions = {},
): List {
  const path: string = route
  return async function* (per_page, first) {
    const { headers, url } = request.endpoint(path, { ...parameters, per_page })
    const options = { ...option, isLargePage: per_page === PAGE_SIZE }
    let read = (first - 1) * per_page
    let next: string | undefined = first === 1 ? url : pageAt(url, first)
    for (let page = first + 1; next !== undefined; page++) {
      const answer: ListAnswer = await request({ method: 'GET', url: next, headers, request: options })
      const { [field ?? '']: list = answer.data, total_count } = asObject(answer.data)
      const entries = parseList(list)
      read += entries.length
      const hasMore = field !== undefined && entries.length > 0 && read < Number(total_count)
      next = nextIn(answer.headers.link) ?? (hasMore ? pageAt(url, page) : undefined)
      yield { entries, url: answer.url, isLast: next === undefined }
    }
  }
}

interface ListAnswer {
  readonly data: unknown
  readonly url: string
  readonly headers: { readonly link?: string | undefined }
}

const nextIn = (link = ''): string | undefined => /<([^<>]+)>;\s*rel="next"/.exec(link)?.[1]

function pageAt(list: string, page: number): string {
  const url = new URL(list)
  url.searchParams.set('page', String(page))
  return url.href
}

interface Page {
  readonly entries: readonly unknown[]
  /** How many entries of the list this page and those before it have room for. */
  readonly end: number
  readonly isFull: boolean
}

/** The pages of a list as they come. One that takes GitHub too long comes in small ones. */
async function* numberedPages(list: List): AsyncIterable<Page> {
  const seen = new Set<string>()
  for (let page = 1; page <= MOST_PAGES; page++) {
    try {
      for await (const { entries, url } of list(PAGE_SIZE, page)) {
        // A `Link` that leads back to a page that was read.
        if (seen.has(nameOf(url)) || page > MOST_PAGES) return
        seen.add(nameOf(url))
        yield { entries, end: page * PAGE_SIZE, isFull: entries.length === PAGE_SIZE }
        page++
      }
      return
    } catch (error) {
      if (!(error instanceof SlowPage)) throw error
    }
    let end = (page - 1) * PAGE_SIZE
    for await (const { entries, isLast } of list(SMALL_PAGE_SIZE, end / SMALL_PAGE_SIZE + 1)) {
      end += SMALL_PAGE_SIZE
      yield { entries, end, isFull: entries.length === SMALL_PAGE_SIZE }
      if (isLast) return
      if (end === page * PAGE_SIZE) break
    }
  }
}

/** By a number, or by the cursor where it begins. */
function nameOf(url: string): string {
  const parameters = new URL(url).searchParams
  return `${parameters.get('page') ?? 1} ${parameters.get('after') ?? ''}`
}

export async function* pagesOf(list: List): AsyncIterable<readonly unknown[]> {
  for await (const { entries } of numberedPages(list)) yield entries
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

/** So often is a list read whose pages move. */
const MOST_READINGS = 4

/**
 * All entries of a list from which people may delete some meanwhile. Then those behind move to pages that were read
 * already, and one of them is missed: so the last entry of each full page must still be in its place at the end, or the
 * list is read again. A list of one page takes no further request.
 */
export async function settledEntries<T extends { readonly id: number }>(
  list: List,
  parse: (entry: unknown) => T,
): Promise<readonly T[]> {
  const isInPlace = async ({ at, id }: { readonly at: number; readonly id: number }): Promise<boolean> => {
    for await (const { entries } of list(1, at)) return entries.map(parse)[0]?.id === id
    return false
  }
  for (let readings = 1; ; readings++) {
    const entries: T[] = []
    const boundaries: { readonly at: number; readonly id: number }[] = []
    let last: { readonly at: number; readonly id: number } | undefined
    for await (const { entries: page, end, isFull } of numberedPages(list)) {
      if (last !== undefined) boundaries.push(last)
      entries.push(...page.map(parse))
      const id = entries.at(-1)?.id
      last = isFull && id !== undefined ? { at: end, id } : undefined
    }
    if (readings === MOST_READINGS) return entries
    if ((await Promise.all(boundaries.map(isInPlace))).every(Boolean)) return entries
  }
}
