import { TransportError } from '../http/fetch.ts'

/** GitHub takes 2,500 comments a thread; a listing that goes on for longer than this never ends. */
const MOST_PAGES = 250

/**
 * Entries of a page. A hundred texts as long as GitHub takes them are larger than what the action reads of one answer
 * (contract 4.7); ten of them always fit.
 */
export const PAGE_SIZE = 100
export const SMALL_PAGE_SIZE = 10
/** Reads a list, and once more in small pages where one was too large. */
export async function inPages<T>(read: (pageSize: number) => Promise<T>): Promise<T> {
  try {
    return await read(PAGE_SIZE)
  } catch (error) {
    if (!isTooLarge(error)) throw error
    return await read(SMALL_PAGE_SIZE)
  }
}

/** One page of a list, in parts where it is too large. */
export async function pageOf<T>(
  page: number,
  read: (part: {
    readonly per_page: number
    readonly page: number
  }) => Promise<{ readonly data: readonly T[] }>,
): Promise<readonly T[]> {
  return await inPages(async (per_page) => {
    const parts = PAGE_SIZE / per_page
    const entries: T[] = []
    for (let part = 1; part <= parts; part++) {
      const { data } = await read({ per_page, page: (page - 1) * parts + part })
      entries.push(...data)
      if (data.length < per_page) break
    }
    return entries
  })
}

export function isTooLarge(error: unknown): boolean {
  if (error instanceof TransportError) return error.kind === 'too-large'
  return error instanceof Error && error.cause !== undefined && isTooLarge(error.cause)
}

/** What octokit's `paginate` calls for each page: its entries, as long as the list can still have an end. */
export function entriesOfPages() {
  let pages = 0
  return <T>({ data }: { readonly data: T[] }, done: () => void): T[] => {
    pages += 1
    if (pages >= MOST_PAGES) done()
    return data
  }
}
