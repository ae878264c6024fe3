import { stringify } from 'csv-stringify/sync'
import type { Deps } from '../base/deps.ts'
import { count } from '../base/text.ts'
import type { Runner } from '../event/trigger.ts'
import { describePeriod, isoDate, periodBefore, readPeriod } from '../inputs/period.ts'
import { flag, type GetInput, numberIn, readAccess, readTimeoutMs } from '../inputs/readers.ts'
import { readOutputFile } from '../inputs/workspace-file.ts'
import { type AnalyticsClient, type AnalyticsStep, type Outputs, runAnalytics } from './analytics.ts'
import { MAX_PAGE_SIZE, ROW, type Row, readVisitors } from './visitor-rows.ts'
import { type Export, mostVisited, type Report, summaryOf } from './visitors-summary.ts'

type VisitorsInputs = ReturnType<typeof readVisitorsInputs>

export function readVisitorsInputs(input: GetInput, now: number) {
  const maxRows = { min: 1, max: 10_000_000, whole: true, unit: 'rows' }
  const pageSize = { min: 1, max: MAX_PAGE_SIZE, whole: true, unit: 'rows' }
  return {
    access: readAccess(input),
    period: readPeriod(input, now, '30d'),
    ...readOutputFile(input, 'visitors.csv', EXTENSIONS),
    timeoutMs: readTimeoutMs(input, 0.01, 10),
    pageSize: numberIn(input, 'page-size', pageSize, MAX_PAGE_SIZE),
    /** `Infinity` for all. */
    maxRows: numberIn(input, 'max-rows', maxRows, Number.POSITIVE_INFINITY),
    /** Pages in the chart, the tables and the outputs. */
    top: numberIn(input, 'top', { min: 1, max: 250, whole: true, unit: 'pages' }, 10),
    compare: flag(input, 'compare', false),
  }
}

const top = (report: Report) => mostVisited(report, report.size)

/** Visitors choose the paths that they request, and these stand in prompts: no other one reads so little like a sentence. */
const PROMPT_PATH = /^[\w/.~%-]{1,100}$/

export const OUTPUTS = {
  file: ({ file }) => file,
  rows: ({ rows }) => String(rows.size),
  human: ({ totals }) => String(totals.human),
  ai: ({ totals }) => String(totals.ai),
  total: ({ totals }) => String(totals.total),
  'date-from': ({ period }) => isoDate(period.from),
  'date-to': ({ period }) => isoDate(period.to),
  'top-pages': (report) => JSON.stringify(top(report)),
  'top-paths': (report) =>
    top(report)
      .map(({ path }) => path)
      .filter((path) => PROMPT_PATH.test(path))
      .join('\n'),
  requests: ({ requests }) => String(requests),
  complete: ({ complete }) => String(complete),
} as const satisfies Outputs<Export>

const STEP: AnalyticsStep<VisitorsInputs, Export> = {
  outputs: OUTPUTS,
  nothing: 'No visitors were exported',
  remedy: 'set `max-rows`',
  readInputs: readVisitorsInputs,
  title({ access, period, compare }) {
    const before = compare ? `, compared with ${describePeriod(periodBefore(period))}` : ''
    return `visitors of ${access.projectId} from ${describePeriod(period)}${before}`
  },
  read: readExport,
  text: ({ format }, { rows }) => FORMATS[format]([...rows.values()]),
  written: ({ rows, file, complete }) =>
    `${count(rows.size, 'row')} in ${file}${complete ? '' : ', cut by max-rows'}`,
  warning({ repeated }) {
    if (repeated === 0) return ''
    const rows = repeated === 1 ? '1 row came twice and is' : `${count(repeated, 'row')} came twice and are`
    return `${rows} in the file once: pages changed rank while the action read them, so as many others may be missing. If that matters, run again.`
  },
  summary: summaryOf,
}

export const visitors = (deps: Deps, readRunner: () => Promise<Runner>): Promise<void> =>
  runAnalytics(deps, readRunner, STEP)

async function readExport(inputs: VisitorsInputs, client: AnalyticsClient): Promise<Export> {
  const found = await readVisitors(client, inputs.period, inputs)
  if (!inputs.compare) return { ...found, size: inputs.top, comparison: undefined }
  const period = periodBefore(inputs.period)
  const before = await readVisitors(client, period, inputs)
  return { ...found, size: inputs.top, comparison: { ...before, period } }
}

/** RFC 4180 in UTF-8, without a byte order mark. */
const csv = (rows: readonly Row[]): string =>
  stringify([...rows], {
    columns: Object.keys(ROW.entries),
    header: true,
    record_delimiter: 'windows',
    // Spreadsheets run cells that begin with `=`, `+`, `-` or `@`, …
    escape_formulas: true,
    // … some of them also behind white space or invisible characters, …
    cast: { string: (value) => (/^[\s\p{Cc}\p{Cf}]/u.test(value) ? `'${value}` : value) },
    // … and where the comma is for decimals they split unquoted cells at semicolons.
    quoted_match: [/[;\t]/],
    // The record delimiter has two characters; a cell that holds one of them needs quotation marks too.
    quote_record_delimiter: true,
  })

const jsonLines = (rows: readonly Row[]): readonly string[] => rows.map((row) => JSON.stringify(row))

type Extension = '.csv' | '.json' | '.ndjson'

export const FORMATS: Readonly<Record<Extension, (rows: readonly Row[]) => string>> = {
  '.csv': csv,
  '.json': (rows) => (rows.length === 0 ? '[]\n' : `[\n${jsonLines(rows).join(',\n')}\n]\n`),
  '.ndjson': (rows) =>
    jsonLines(rows)
      .map((line) => `${line}\n`)
      .join(''),
}

const EXTENSIONS: readonly Extension[] = ['.csv', '.json', '.ndjson']
