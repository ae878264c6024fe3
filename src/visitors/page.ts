import { isObject, parse } from '../core/json.ts'

/** Visitors: people, AI, and both with those counted once who are in both. */
export interface Figures {
  readonly human: number
  readonly ai: number
  readonly total: number
}

/** The visitors of one page of the site. */
export interface Row extends Figures {
  readonly path: string
}

/** One page of results. */
export interface Page {
  /** Of the whole site. */
  readonly totals: Figures
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

/** A page of results out of an answer's text, or what is wrong with it, for the middle of a sentence. */
export function parsePage(text: string): Page | { readonly fault: string } {
  const raw = parse(text)
  if (!isObject(raw)) return { fault: 'an answer that is no JSON object' }
  const { totals, visitors, hasMore } = raw
  if (!isFigures(totals)) return { fault: 'an answer without usable `totals`' }
  if (typeof hasMore !== 'boolean') return { fault: 'an answer that leaves open whether there is more' }
  if (!Array.isArray(visitors)) return { fault: 'an answer without a list of `visitors`' }
  if (visitors.every(isRow)) return { totals: figures(totals), rows: visitors.map(row), hasMore }
  const odd = visitors.findIndex((row) => !isRow(row))
  return { fault: `an answer whose row ${odd + 1} is no path with its visitors` }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isFigures = (value: unknown): value is Figures =>
  isObject(value) && isCount(value.human) && isCount(value.ai) && isCount(value.total)

const isRow = (value: unknown): value is Row =>
  isFigures(value) && 'path' in value && typeof value.path === 'string' && value.path !== ''

/** Only the fields that are known, so that files have the same columns whatever the service adds. */
const figures = ({ human, ai, total }: Figures): Figures => ({ human, ai, total })

/** Half a surrogate pair cannot be written as UTF-8. */
const row = ({ path, ...rest }: Row): Row => ({ path: path.toWellFormed(), ...figures(rest) })
