import { count, duration, plainText } from '../core/text.ts'
import { VERSION } from '../core/version.ts'
import type { Deps } from '../runner/deps.ts'
import type { Ending } from './ending.ts'
import type { VisitorsInputs } from './inputs.ts'
import { writeOutputs } from './outputs.ts'
import { describePeriod, periodBefore } from './period.ts'
import type { Report } from './report.ts'
import { summaryOf } from './summary.ts'

/** The log's first line. */
export function header({ access, period, compare }: VisitorsInputs): string {
  const before = compare ? `, compared with ${describePeriod(periodBefore(period))}` : ''
  return `Docs agent ${VERSION} · visitors of ${access.projectId} from ${describePeriod(period)}${before}`
}

/** Tells how the run ended, everywhere that people look: outputs, log, annotation and summary. */
export function finish({ runner, log }: Pick<Deps, 'runner' | 'log'>, ending: Ending): void {
  if (ending.kind === 'exported') writeOutputs(runner, ending.report.requests, ending.report)
  else writeOutputs(runner, ending.requests)
  if (ending.kind !== 'exported') {
    const { level, sign } = LEVELS[ending.kind]
    runner.annotate(level, plainText(ending.sentence))
    runner.summary(`## ${sign} No visitors were exported\n\n${ending.sentence}\n`)
    return
  }
  log(lastLine(ending.report))
  const repeated = repeatedWarning(ending.report)
  if (repeated !== '') runner.annotate('warning', repeated)
  runner.summary(summaryOf(ending.report))
}

const LEVELS = {
  skipped: { level: 'warning', sign: 'ℹ️' },
  cancelled: { level: 'error', sign: '⏹️' },
  failed: { level: 'error', sign: '❌' },
} as const

function lastLine({ rows, file, requests, durationMs, complete }: Report): string {
  const cut = complete ? '' : ', cut by max-rows'
  return `${count(rows, 'row')} in ${file}${cut}: ${count(requests, 'request')}, ${duration(durationMs)}`
}

function repeatedWarning({ repeated }: Report): string {
  if (repeated === 0) return ''
  const rows = repeated === 1 ? '1 row came twice and is' : `${count(repeated, 'row')} came twice and are`
  return `${rows} in the file once: pages changed ranks while they were read, so as many others may be missing. Run again where that matters.`
}
