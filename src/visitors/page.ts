import type { AnalyticsClient, Parsed } from '../analytics/client.ts'
import { isObject, parseJson } from '../json.ts'
import type { Period } from '../period.ts'

/** Visitors: people, AI, and the total, which counts a visitor once who is both. */
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

export interface PageQuery {
  readonly period: Period
  /** Rows, 1 to 250. */
  readonly limit: number
  readonly offset: number
}

export function readPage(client: AnalyticsClient, { period, limit, offset }: PageQuery): Promise<Page> {
  const query = () => ({ limit, offset })
  return client.page({ call: 'visitors', endpoint: 'visitors', period, query, parse: parsePage })
}

export function parsePage(text: string): Parsed<Page> {
  const raw = parseJson(text)
  if (!isObject(raw)) return { fault: 'an answer that is no JSON object' }
  const { totals, visitors, hasMore } = raw
  if (!isFigures(totals)) return { fault: 'an answer without usable `totals`' }
  if (typeof hasMore !== 'boolean') return { fault: 'an answer without `hasMore`' }
  if (!Array.isArray(visitors)) return { fault: 'an answer without a list of `visitors`' }
  if (visitors.every(isRow)) return { totals: figures(totals), rows: visitors.map(row), hasMore }
  const odd = visitors.findIndex((each) => !isRow(each))
  return { fault: `an answer whose row ${odd + 1} is no path with its visitors` }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isFigures = (value: unknown): value is Figures =>
  isObject(value) && isCount(value.human) && isCount(value.ai) && isCount(value.total)

const isRow = (value: unknown): value is Row =>
  isFigures(value) && 'path' in value && typeof value.path === 'string' && value.path !== ''

/** Known fields only, so that files have the same columns whatever the service adds. */
const figures = ({ human, ai, total }: Figures): Figures => ({ human, ai, total })

/** Half a surrogate pair cannot be written as UTF-8. */
const row = ({ path, ...rest }: Row): Row => ({ path: path.toWellFormed(), ...figures(rest) })
