/** How lists with cursors go on. All but `plain` and `gap` break the service's own rules. */
export type Paging =
  | 'plain'
  /** The second page is empty, and its new cursor leads on. */
  | 'gap'
  /** The next page has the same cursor as this one. */
  | 'repeat-cursor'
  /** Every page is empty, and claims that there are more, without a new cursor. */
  | 'empty-page'
  /** Every page is empty, and leads to another one with a new cursor. */
  | 'empty-pages'
  /** There is always another page. */
  | 'endless'

/** Rows by index; those beyond `count` are for pages without end. */
export interface Rows<T> {
  readonly count: number
  at(index: number): T
}

export interface CursorPage<T> {
  readonly rows: readonly T[]
  readonly nextCursor: string | null
  readonly hasMore: boolean
}

/** Where a page begins, and whether the gap is behind it. */
interface Place {
  readonly offset: number
  readonly passedGap: boolean
}

export interface CursorQuery {
  readonly place: Place | null
  readonly limit: number
}

const FIRST: Place = { offset: 0, passedGap: false }
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

export const cursorAt = ({ offset, passedGap }: Place = FIRST): string =>
  ulid(CURSOR_TIME, offset * 2 + (passedGap ? 1 : 0))

/** `undefined` for what is no cursor of this service. */
export function placeOf(cursor: string): Place | undefined {
  if (!/^[0-9A-HJKMNP-TV-Z]{26}$/.test(cursor)) return undefined
  const digits = [...cursor.slice(TIME_DIGITS)].map((digit) => DIGITS.indexOf(digit))
  const value = digits.reduce((sum, digit) => sum * 32 + digit, 0)
  return { offset: Math.floor(value / 2), passedGap: value % 2 === 1 }
}

export function cursorPage<T>(rows: Rows<T>, { place, limit }: CursorQuery, paging: Paging): CursorPage<T> {
  const { offset, passedGap } = place ?? FIRST
  const given = place && cursorAt(place)
  if (paging === 'empty-page') return { rows: [], nextCursor: given, hasMore: true }
  if (paging === 'empty-pages')
    return { rows: [], nextCursor: cursorAt({ offset: offset + limit, passedGap }), hasMore: true }
  if (paging === 'gap' && offset > 0 && !passedGap)
    return { rows: [], nextCursor: cursorAt({ offset, passedGap: true }), hasMore: true }

  const end = paging === 'endless' ? offset + limit : Math.min(offset + limit, rows.count)
  const shown = Array.from({ length: Math.max(0, end - offset) }, (_, index) => rows.at(offset + index))
  const next = cursorAt({ offset: offset + limit, passedGap })
  if (paging === 'repeat-cursor') return { rows: shown, nextCursor: given ?? next, hasMore: true }
  const hasMore = paging === 'endless' || end < rows.count
  return { rows: shown, nextCursor: hasMore ? next : null, hasMore }
}
