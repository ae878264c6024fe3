import { parseList } from './answers.ts'
import { isTooLargeAnswer } from './requests.ts'

/**
 * Entries of a page. A hundred texts as long as GitHub takes them are larger than what the action reads of one answer
 * (contract 4.7); ten of them always fit.
 */
export const PAGE_SIZE = 100
export const SMALL_PAGE_SIZE = 10

/** GitHub takes 2,500 comments a thread, 275 pages at most; a listing that goes on for longer than this never ends. */
const MOST_PAGES = 300

interface Page {
  readonly data: unknown
  readonly url: string
}

/** Pages of a list as they come, of the size that is asked for. */
type List = (pageSize: number) => AsyncIterable<Page>

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

/** What tells a page from the others of its list: by a number, or by the cursor where it begins. */
function nameOf(url: string): string {
  const parameters = new URL(url).searchParams
  return `${parameters.get('page') ?? 1} ${parameters.get('after') ?? ''}`
}

/** A whole list. @param enough entries after which no further page is read */
export async function entriesOf(list: List, enough = Number.POSITIVE_INFINITY): Promise<readonly unknown[]> {
  const entries: unknown[] = []
  for await (const page of pagesOf(list)) {
    entries.push(...page)
    if (entries.length >= enough) break
  }
  return entries
}

/** One page of a list by its number, in parts where it is too large. */
export async function pageOf(
  page: number,
  read: (part: { readonly per_page: number; readonly page: number }) => Promise<{ readonly data: unknown }>,
): Promise<readonly unknown[]> {
  try {
    return parseList((await read({ per_page: PAGE_SIZE, page })).data)
  } catch (error) {
    if (!isTooLargeAnswer(error)) throw error
  }
  const parts = PAGE_SIZE / SMALL_PAGE_SIZE
  const entries: unknown[] = []
  for (let part = 1; part <= parts; part++) {
    const { data } = await read({ per_page: SMALL_PAGE_SIZE, page: (page - 1) * parts + part })
    const some = parseList(data)
    entries.push(...some)
    if (some.length < SMALL_PAGE_SIZE) break
  }
  return entries
}
