import type { PaginatingEndpoints } from '@octokit/plugin-paginate-rest'
import { asObject } from '../json.ts'
import { parseList } from './answers.ts'
import { type Octokit, SlowPage } from './requests.ts'

export const PAGE_SIZE = 100
/** A slow page is asked for again in pages of this size, because it is the entries that take GitHub its time. */
export const SMALL_PAGE_SIZE = 10

/** GitHub takes 2,500 comments a thread, 275 pages at most; a listing that goes on for longer than this never ends. */
const MOST_PAGES = 300

type Route = keyof PaginatingEndpoints
type Parameters<R extends Route> = PaginatingEndpoints[R]['parameters']

interface ListOptions<R extends Route> {
  /**
   * The field with the entries, beside `total_count`. If an answer has no `Link` (the combined status), the count tells
   * whether more follow. By default, the answer is the list.
   */
  readonly field?: string
  /** Of each request, for octokit. */
  readonly request?: object
  /** The first page that counts, from 1. */
  readonly from?: number
  /** In place of the others, for small pages. */
  readonly inSmall?: Parameters<R>
  /** Entries after which no further page is read. */
  readonly most?: number
}

interface Answer {
  readonly entries: readonly unknown[]
  readonly url: string
  readonly isLast: boolean
}

/** The pages from this one on, as GitHub gives them. @param first counted from 1 in pages of that size */
async function* answersOf<R extends Route>(
  { request }: Octokit,
  route: R,
  parameters: Parameters<R>,
  { field, request: option }: ListOptions<R>,
  per_page: number,
  first: number,
): AsyncGenerator<Answer, void> {
  const path: string = route
  const { headers, url } = request.endpoint(path, { ...parameters, per_page })
  const options = { ...option, isLargePage: per_page === PAGE_SIZE }
  const pageAt = (page: number): string => {
    const address = new URL(url)
    address.searchParams.set('page', String(page))
    return address.href
  }
  let read = (first - 1) * per_page
  let next: string | undefined = first === 1 ? url : pageAt(first)
  for (let page = first + 1; next !== undefined; page++) {
    const answer: ListAnswer = await request({ method: 'GET', url: next, headers, request: options })
    const { [field ?? '']: list = answer.data, total_count } = asObject(answer.data)
    const entries = parseList(list)
    read += entries.length
    const hasMore = field !== undefined && entries.length > 0 && read < Number(total_count)
    const [, linked] = /<([^<>]+)>;\s*rel="next"/.exec(answer.headers.link ?? '') ?? []
    next = linked ?? (hasMore ? pageAt(page) : undefined)
    yield { entries, url: answer.url, isLast: next === undefined }
  }
}

interface ListAnswer {
  readonly data: unknown
  readonly url: string
  readonly headers: { readonly link?: string | undefined }
}

interface Page {
  readonly entries: readonly unknown[]
  /** How many entries of the list this page and those before it have room for. */
  readonly end: number
  readonly isFull: boolean
}

/** The pages of a list as they come. One that takes GitHub too long comes in small ones. */
export async function* pagesOf<R extends Route>(
  octokit: Octokit,
  route: R,
  parameters: Parameters<R>,
  options: ListOptions<R> = {},
): AsyncGenerator<Page, void> {
  const { from = 1, inSmall = parameters } = options
  const seen = new Set<string>()
  for (let page = from; page <= MOST_PAGES; page++) {
    try {
      for await (const { entries, url } of answersOf(octokit, route, parameters, options, PAGE_SIZE, page)) {
        // By a number, or by the cursor where it begins: a `Link` can lead back to a page that was read.
        const { searchParams } = new URL(url)
        const name = `${searchParams.get('page') ?? 1} ${searchParams.get('after') ?? ''}`
        if (seen.has(name) || page > MOST_PAGES) return
        seen.add(name)
        yield { entries, end: page * PAGE_SIZE, isFull: entries.length === PAGE_SIZE }
        page++
      }
      return
    } catch (error) {
      if (!(error instanceof SlowPage)) throw error
    }
    let end = (page - 1) * PAGE_SIZE
    const first = end / SMALL_PAGE_SIZE + 1
    for await (const answer of answersOf(octokit, route, inSmall, options, SMALL_PAGE_SIZE, first)) {
      const { entries, isLast } = answer
      end += SMALL_PAGE_SIZE
      yield { entries, end, isFull: entries.length === SMALL_PAGE_SIZE }
      if (isLast) return
      if (end === page * PAGE_SIZE) break
    }
  }
}

/** All entries of a list. */
export async function entriesOf<R extends Route, T>(
  octokit: Octokit,
  route: R,
  parameters: Parameters<R>,
  parse: (entry: unknown) => T,
  options: ListOptions<R> = {},
): Promise<readonly T[]> {
  const { most = Number.POSITIVE_INFINITY } = options
  const all: T[] = []
  for await (const { entries } of pagesOf(octokit, route, parameters, options)) {
    all.push(...entries.map(parse))
    if (all.length >= most) break
  }
  return all
}

/** A list whose pages move is read this often. */
const MOST_READINGS = 4

/**
 * All entries of a list from which people may delete some meanwhile. Then those behind move to pages that were read
 * already, and one of them is missed: so the last entry of each full page must still be in its place at the end, or the
 * list is read again. A list of one page takes no further request.
 */
export async function settledEntries<R extends Route, T extends { readonly id: number }>(
  octokit: Octokit,
  route: R,
  parameters: Parameters<R>,
  parse: (entry: unknown) => T,
): Promise<readonly T[]> {
  for (let readings = 1; ; readings++) {
    const all: T[] = []
    const boundaries: { readonly at: number; readonly id: number }[] = []
    let last: { readonly at: number; readonly id: number } | undefined
    for await (const { entries, end, isFull } of pagesOf(octokit, route, parameters)) {
      if (last !== undefined) boundaries.push(last)
      all.push(...entries.map(parse))
      const id = all.at(-1)?.id
      last = isFull && id !== undefined ? { at: end, id } : undefined
    }
    if (readings === MOST_READINGS) return all
    const areInPlace = await Promise.all(
      boundaries.map(async ({ at, id }) => {
        for await (const { entries } of answersOf(octokit, route, parameters, {}, 1, at))
          return entries.map(parse)[0]?.id === id
        return false
      }),
    )
    if (areInPlace.every(Boolean)) return all
  }
}
