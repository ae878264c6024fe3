import type { Move, PathTotals } from './comparison.ts'
import type { Figures, Row } from './page.ts'
import type { Period } from './period.ts'

/** What an export found: all that its outputs, log and summary tell. */
export interface Report {
  readonly project: string
  readonly period: Period
  /** The file's path from the workspace. */
  readonly file: string
  /** Written to the file. */
  readonly rows: number
  /** Of the whole site, as the service counts them: pages do not add up to them. */
  readonly totals: Figures
  /** Most visited first. */
  readonly top: readonly Row[]
  /** Whether all rows are in the file: `max-rows` may have cut them. */
  readonly complete: boolean
  /** Rows left out because they came twice. */
  readonly repeated: number
  readonly requests: number
  readonly durationMs: number
  readonly comparison: Comparison | undefined
}

export interface Comparison {
  readonly period: Period
  readonly totals: Figures
  /** Of the earlier period. */
  readonly pathTotals: PathTotals
  readonly movers: readonly Move[]
  /** Whether all pages of the earlier period were read. */
  readonly complete: boolean
}
