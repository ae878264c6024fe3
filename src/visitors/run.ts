import { promptPath } from '../analytics/paths.ts'
import { type AnalyticsAction, runAnalytics } from '../analytics/run.ts'
import type { Deps } from '../deps.ts'
import { describePeriod, isoDate, periodBefore } from '../period.ts'
import type { RunContext } from '../run-context.ts'
import { count, duration } from '../text.ts'
import { exportVisitors, type Report } from './export.ts'
import { readVisitorsInputs, type VisitorsInputs } from './inputs.ts'
import { summaryOf } from './summary.ts'

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

function outputsOf({ file, rows, totals, period, top, complete }: Report): Outputs {
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

const VISITORS: AnalyticsAction<VisitorsInputs> = {
  outputs: OUTPUTS,
  nothing: 'No visitors were exported',
  remedy: 'set `max-rows`',
  readInputs: readVisitorsInputs,
  title({ access, period, compare }) {
    const before = compare ? `, compared with ${describePeriod(periodBefore(period))}` : ''
    return `visitors of ${access.projectId} from ${describePeriod(period)}${before}`
  },
  async work(run) {
    const report = await exportVisitors(run)
    return {
      outputs: outputsOf(report),
      logLine: logLine(report),
      warning: repeatedWarning(report),
      summary: summaryOf(report),
    }
  },
}

/** One run of `visitors` (contract 7). */
export function visitors(deps: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  return runAnalytics(deps, readContext, VISITORS)
}

function logLine({ rows, file, requests, durationMs, complete }: Report): string {
  const cut = complete ? '' : ', cut by max-rows'
  return `${count(rows, 'row')} in ${file}${cut}: ${count(requests, 'request')}, ${duration(durationMs)}`
}

function repeatedWarning({ repeated }: Report): string {
  if (repeated === 0) return ''
  const rows = repeated === 1 ? '1 row came twice and is' : `${count(repeated, 'row')} came twice and are`
  return `${rows} in the file once: pages changed rank while the action read them, so as many others may be missing. If that matters, run again.`
}
