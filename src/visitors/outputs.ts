import { promptPath } from '../analytics/path-text.ts'
import { isoDate } from '../period.ts'
import type { Report } from './export.ts'

/** The outputs of `visitors`, in the order of its action.yml (contract 7). `result` holds all others as JSON. */
export const OUTPUTS = [
  'file',
  'rows',
  'human',
  'ai',
  'total',
  'date-from',
  'date-to',
  'top-pages',
  'top-paths',
  'requests',
  'complete',
] as const

export type Outputs = Readonly<Record<Exclude<(typeof OUTPUTS)[number], 'requests'>, string>>

export function outputsOf({ file, rows, totals, period, top, complete }: Report): Outputs {
  return {
    file,
    rows: String(rows),
    human: String(totals.human),
    ai: String(totals.ai),
    total: String(totals.total),
    'date-from': isoDate(period.from),
    'date-to': isoDate(period.to),
    'top-pages': JSON.stringify(top),
    'top-paths': [...new Set(top.map(({ path }) => promptPath(path)))].join('\n'),
    complete: String(complete),
  }
}
