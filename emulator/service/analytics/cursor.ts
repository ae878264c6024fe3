/** How lists with cursors go on. All but `plain` break the service's own rules. */
export type Paging =
  | 'plain'
  /** The next page has the same cursor as this one. */
  | 'repeat-cursor'
  /** Every page is empty, and claims that there are more, without a new cursor. */
  | 'empty-page'
  /** Every page is empty, and leads to another one with a new cursor. */
  | 'empty-pages'
  /** There is always another page: after the last row the first comes again. */
  | 'endless'

export interface CursorPage<T> {
  readonly rows: readonly T[]
  readonly nextCursor: string | null
  readonly hasMore: boolean
}

/** Crockford's base 32, which ULIDs are written in. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_DIGITS = 10
const CURSOR_TIME = Date.UTC(2026, 0, 1)

export function ulid(time: number, value: number): string {
  return base32(time, TIME_DIGITS) + base32(value, 16)
}

function base32(value: number, digits: number): string {
  const text = Math.max(0, Math.floor(value)).toString(32)
  return [...text.padStart(digits, '0')].map((digit) => DIGITS[Number.parseInt(digit, 32)]).join('')
}

/** Of the page that begins with this row. */
export const cursorAt = (offset: number): string => ulid(CURSOR_TIME, offset)

/** The row that a page begins with; `undefined` for what is no cursor of this service. */
export function offsetOf(cursor: string): number | undefined {
  if (!/^[0-9A-HJKMNP-TV-Z]{26}$/.test(cursor)) return undefined
  const digits = [...cursor.slice(TIME_DIGITS)].map((digit) => DIGITS.indexOf(digit))
  return digits.reduce((sum, digit) => sum * 32 + digit, 0)
}

export function cursorPage<T>(
  all: readonly T[],
  given: number | null,
  limit: number,
  paging: Paging,
): CursorPage<T> {
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
    case 'endless': {
      const begin = offset % all.length
      return { rows: [...all, ...all].slice(begin, begin + limit), nextCursor: next, hasMore: true }
    }
  }
}
