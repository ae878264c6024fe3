import { type AnalyticsInputs, readAnalyticsInputs, TOP } from '../analytics/inputs.ts'
import { flag, type GetInput, numberIn, optionalNumberIn } from '../input-readers.ts'
import { EXTENSIONS, type Extension } from './format.ts'

/** The inputs of `visitors`, checked and typed (contract 7). */
export interface VisitorsInputs extends AnalyticsInputs<Extension> {
  readonly pageSize: number
  /** `Infinity` for all. */
  readonly maxRows: number
  readonly top: number
  readonly compare: boolean
}

/** What the service allows. */
const MAX_PAGE_SIZE = 250

/**
 * @param now in ms since the epoch: named periods end with the day before
 * @throws {BadInput} on the first input that cannot be used
 */
export function readVisitorsInputs(input: GetInput, now: number): VisitorsInputs {
  const maxRows = { min: 1, max: 10_000_000, whole: true, unit: 'rows' }
  const pageSize = { min: 1, max: MAX_PAGE_SIZE, whole: true, unit: 'rows' }
  return {
    ...readAnalyticsInputs(input, now, { period: '30d', file: 'visitors.csv', formats: EXTENSIONS }),
    pageSize: numberIn(input, 'page-size', pageSize, MAX_PAGE_SIZE),
    maxRows: optionalNumberIn(input, 'max-rows', maxRows) ?? Number.POSITIVE_INFINITY,
    top: numberIn(input, 'top', { ...TOP, unit: 'pages' }, 10),
    compare: flag(input, 'compare', false),
  }
}
