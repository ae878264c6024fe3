import type { Deps } from '../base/deps.ts'
import { BadInput } from '../base/errors.ts'
import { count } from '../base/text.ts'
import type { Runner } from '../event/trigger.ts'
import { describePeriod, isoDate, periodBefore, readPeriod } from '../inputs/period.ts'
import { type GetInput, numberIn, readAccess, readFlag, readTimeoutMs } from '../inputs/readers.ts'
import { readOutputFile, readOutputName } from '../inputs/workspace-file.ts'
import { type AnalyticsClient, type AnalyticsStep, type Outputs, runAnalytics } from './analytics.ts'
import { agentText } from './coverage-file.ts'
import { readNavigation } from './navigation.ts'
import { coverageOf } from './sections.ts'
import type { Export } from './visitor-export.ts'
import { EXTENSIONS, VISITOR_FORMATS } from './visitor-files.ts'
import { mostVisited, namesOf, visitedPagesOf } from './visitor-pages.ts'
import { lostPaths, newPaths, topPaths } from './visitor-paths.ts'
import { rowsOfFile } from './visitor-records.ts'
import { MAX_PAGE_SIZE, readVisitors } from './visitor-rows.ts'
import { notesOf } from './visitors-notes.ts'
import { visitorsSummary } from './visitors-summary.ts'

type VisitorsInputs = ReturnType<typeof readVisitorsInputs>

export function readVisitorsInputs(input: GetInput, now: number) {
  const maxRows = { min: 1, max: 10_000_000, whole: true, unit: 'rows' }
  const pageSize = { min: 1, max: MAX_PAGE_SIZE, whole: true, unit: 'rows' }
  const inputs = {
    access: readAccess(input),
    period: readPeriod(input, now, '30d'),
    ...readOutputFile(input, 'visitors.csv', EXTENSIONS),
    timeoutMs: readTimeoutMs(input, 0.01, 10),
    pageSize: numberIn(input, 'page-size', pageSize, MAX_PAGE_SIZE),
    /** `Infinity` for all. */
    maxRows: numberIn(input, 'max-rows', maxRows, Number.POSITIVE_INFINITY),
    /** Pages in the chart, the tables and the outputs. */
    top: numberIn(input, 'top', { min: 1, max: 250, whole: true, unit: 'pages' }, 10),
    compare: readFlag(input, 'compare', false),
    byteOrderMark: readFlag(input, 'byte-order-mark', false),
    /** Each of these is '' for none. */
    summaryFile: readOutputName(input, 'summary-file', '.md'),
    navigationFile: input('navigation-file'),
    agentFile: readOutputName(input, 'agent-file', '.md'),
  }
  requireFitting(inputs)
  return inputs
}

function requireFitting(inputs: {
  readonly format: string
  readonly byteOrderMark: boolean
  readonly summaryFile: string
  readonly agentFile: string
  readonly navigationFile: string
}): void {
  const { format, byteOrderMark, summaryFile, agentFile, navigationFile } = inputs
  if (byteOrderMark && format !== '.csv') {
    throw new BadInput(
      'byte-order-mark',
      `does not fit a \`${format}\` file`,
      'Leave it out, or write `.csv`.',
    )
  }
  if (agentFile !== '' && navigationFile === '') {
    throw new BadInput(
      'agent-file',
      'is given without `navigation-file`',
      'Name the `docs.json` of the docs there.',
    )
  }
  if (agentFile !== '' && agentFile === summaryFile) {
    throw new BadInput('agent-file', 'names the same file as `summary-file`', 'Write another path.')
  }
}

export const VISITORS_OUTPUTS = {
  file: ({ file }) => file,
  rows: (report) => String(report.records.size),
  human: ({ totals }) => String(totals.human),
  ai: ({ totals }) => String(totals.ai),
  total: ({ totals }) => String(totals.total),
  'date-from': ({ period }) => isoDate(period.from),
  'date-to': ({ period }) => isoDate(period.to),
  'top-pages': (report) => JSON.stringify(mostVisited(report, report.size)),
  'top-paths': (report) => topPaths(report).paths.join('\n'),
  'lost-paths': (report) => lostPaths(report).paths.join('\n'),
  'new-paths': (report) => newPaths(report).join('\n'),
  'agent-file': ({ agentFile }) => agentFile,
  requests: ({ requests }) => String(requests),
  complete: ({ complete }) => String(complete),
} as const satisfies Outputs<Export>

const STEP: AnalyticsStep<VisitorsInputs, Export> = {
  outputs: VISITORS_OUTPUTS,
  nothing: 'No visitors were exported',
  remedy: 'set `max-rows`',
  readInputs: readVisitorsInputs,
  title({ access, period, compare }) {
    const before = compare ? `, compared with ${describePeriod(periodBefore(period))}` : ''
    return `visitors of ${access.projectId} from ${describePeriod(period)}${before}`
  },
  read: readExport,
  text: ({ format, byteOrderMark }, found) => VISITOR_FORMATS[format](found.records, byteOrderMark),
  moreFiles: ({ summaryFile, agentFile }) => [
    ...(summaryFile === '' ? [] : [{ input: 'summary-file', file: summaryFile, text: visitorsSummary }]),
    ...(agentFile === '' ? [] : [{ input: 'agent-file', file: agentFile, text: agentText }]),
  ],
  written: (report) =>
    `${count(report.records.size, 'row')} in ${report.file}${report.complete ? '' : ', cut by max-rows'}`,
  notes: notesOf,
  warning: ({ repeated, unnamed }) =>
    [repeatedRows(repeated), unnamedRows(unnamed)].filter(Boolean).join(' '),
  summary: visitorsSummary,
}

function repeatedRows(repeated: number): string {
  if (repeated === 0) return ''
  const rows = repeated === 1 ? '1 row came twice and is' : `${count(repeated, 'row')} came twice and are`
  return `${rows} in the file once: pages changed rank while the action read them, so as many others may be missing. If that matters, run again.`
}

function unnamedRows(unnamed: number): string {
  if (unnamed === 0) return ''
  return `${count(unnamed, 'row')} without a path ${unnamed === 1 ? 'is' : 'are'} not in the file.`
}

export const visitors = (deps: Deps, readRunner: () => Promise<Runner>): Promise<void> =>
  runAnalytics(deps, readRunner, STEP)

async function readExport(
  inputs: VisitorsInputs,
  client: AnalyticsClient,
  { workspace }: Runner,
): Promise<Export> {
  const { navigationFile, agentFile, top: size } = inputs
  const navigation = navigationFile === '' ? undefined : await readNavigation(navigationFile, workspace)
  const now = await readVisitors(client, inputs.period, inputs)
  const period = periodBefore(inputs.period)
  const earlier = inputs.compare ? await readVisitors(client, period, inputs) : undefined
  const names = namesOf(earlier === undefined ? [now] : [now, earlier], navigation)
  const found = visitedPagesOf(now, names)
  const comparison = earlier === undefined ? undefined : { ...visitedPagesOf(earlier, names), period }
  const coverage = navigation === undefined ? undefined : coverageOf(found, navigation)
  const all = { ...found, size, comparison, navigation, coverage, agentFile }
  return { ...all, records: rowsOfFile(all) }
}
