/** How lists with cursors go on. All but `plain` break the service's own rules. */
export type Paging =
  | 'plain'
  /** The next page has the same cursor as this one. */
  | 'repeat-cursor'
  /** Every page is empty, and claims that there are more, without a new cursor. */
  | 'empty-page'
  /** Every page is empty, and claims that there are more, with a new cursor. */
  | 'empty-pages'
  /** The cursors lead round in a circle of three pages. */
  | 'circle'
  /** Each new cursor leads to the first page. */
  | 'same-page'

/** Of the page that begins with this row: 26 digits, as ULIDs have. */
export const cursorAt = (offset: number): string => `01KDV${String(offset).padStart(21, '0')}`

/** The row that a page begins with; `undefined` for what is no cursor of this service. */
export function offsetOf(cursor: string): number | undefined {
  const row = /^01KDV(\d{21})$/.exec(cursor)?.[1]
  return row === undefined ? undefined : Number(row)
}

export function cursorPage<T>(
  all: readonly T[],
  given: number | null,
  limit: number,
  paging: Paging,
): { readonly rows: readonly T[]; readonly nextCursor: string | null; readonly hasMore: boolean } {
  const offset = given ?? 0
  const here = cursorAt(offset)
  const next = cursorAt(offset + limit)
  const rows = all.slice(offset, offset + limit)
  switch (paging) {
    case 'plain': {
      const hasMore = offset + limit < all.length
      return { rows, nextCursor: hasMore ? next : null, hasMore }
    }
    case 'repeat-cursor':
      return { rows, nextCursor: given === null ? next : here, hasMore: true }
    case 'empty-page':
      return { rows: [], nextCursor: given === null ? null : here, hasMore: true }
    case 'empty-pages':
      return { rows: [], nextCursor: next, hasMore: true }
    case 'circle':
      return { rows, nextCursor: offset >= 2 * limit ? cursorAt(limit) : next, hasMore: true }
    case 'same-page':
      return { rows: all.slice(0, limit), nextCursor: next, hasMore: true }
  }
}
