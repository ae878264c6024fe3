import type { Period } from '../inputs/period.ts'
import type { FileReport } from './analytics.ts'
import type { Navigation } from './navigation.ts'
import type { Coverage } from './sections.ts'
import type { Records } from './visitor-files.ts'
import type { VisitedPages } from './visitor-pages.ts'

interface Comparison extends VisitedPages {
  readonly period: Period
}

export interface Export extends VisitedPages {
  /** The most pages in the chart and in each table. */
  readonly size: number
  readonly comparison: Comparison | undefined
  readonly navigation: Navigation | undefined
  readonly coverage: Coverage | undefined
  /** The rows of the file. */
  readonly records: Records
  /** The path of the file for the agent; '' for none. */
  readonly agentFile: string
}

export type VisitorsReport = Export & FileReport
