import { readAnalyticsInputs, TOP } from '../analytics/inputs.ts'
import { promptPath } from '../analytics/paths.ts'
import { type AnalyticsAction, type AnalyticsRun, analyticsStep } from '../analytics/run.ts'
import { flag, type GetInput, numberIn } from '../input-readers.ts'
import { describePeriod, isoDate, type Period, periodBefore } from '../period.ts'
import { count } from '../text.ts'
import { addTotals, type Comparison, largestChanges, type PathTotals, ranking } from './comparison.ts'
import { type Batch, EXTENSIONS, FORMATS, listing, parsePage, type Row } from './rows.ts'
import { type Export, type Report, summaryOf } from './summary.ts'

type VisitorsInputs = Readonly<ReturnType<typeof readVisitorsInputs>>

/** What the service allows. */
const MAX_PAGE_SIZE = 250

/** The inputs of `visitors`, checked and typed (contract 7); see `readAnalyticsInputs`. */
export function readVisitorsInputs(input: GetInput, now: number) {
  const maxRows = { min: 1, max: 10_000_000, whole: true, unit: 'rows' }
  const pageSize = { min: 1, max: MAX_PAGE_SIZE, whole: true, unit: 'rows' }
  return {
    ...readAnalyticsInputs(input, now, { period: '30d', file: 'visitors.csv', formats: EXTENSIONS }),
    pageSize: numberIn(input, 'page-size', pageSize, MAX_PAGE_SIZE),
    /** `Infinity` for all. */
    maxRows: numberIn(input, 'max-rows', maxRows, Number.POSITIVE_INFINITY),
    top: numberIn(input, 'top', { ...TOP, unit: 'pages' }, 10),
    compare: flag(input, 'compare', false),
  }
}

/** The outputs of `visitors`, in the order of its action.yml (contract 7). */
export const OUTPUTS = {
  file: ({ file }) => file,
  rows: ({ rows }) => String(rows),
  human: ({ totals }) => String(totals.human),
  ai: ({ totals }) => String(totals.ai),
  total: ({ totals }) => String(totals.total),
  'date-from': ({ period }) => isoDate(period.from),
  'date-to': ({ period }) => isoDate(period.to),
  'top-pages': ({ top }) => JSON.stringify(top),
  'top-paths': ({ top }) => [...new Set(top.map(({ path }) => promptPath(path)))].join('\n'),
  requests: ({ requests }) => String(requests),
  complete: ({ complete }) => String(complete),
} as const satisfies AnalyticsAction<VisitorsInputs, Export>['outputs']

export const visitors = analyticsStep<VisitorsInputs, Export>({
  outputs: OUTPUTS,
  nothing: 'No visitors were exported',
  remedy: 'set `max-rows`',
  readInputs: readVisitorsInputs,
  title({ access, period, compare }) {
    const before = compare ? `, compared with ${describePeriod(periodBefore(period))}` : ''
    return `visitors of ${access.projectId} from ${describePeriod(period)}${before}`
  },
  read: exportVisitors,
  messages: (report) => ({
    written: `${count(report.rows, 'row')} in ${report.file}${report.complete ? '' : ', cut by max-rows'}`,
    warning: repeatedWarning(report),
    summary: summaryOf(report),
  }),
})

function repeatedWarning({ repeated }: Report): string {
  if (repeated === 0) return ''
  const rows = repeated === 1 ? '1 row came twice and is' : `${count(repeated, 'row')} came twice and are`
  return `${rows} in the file once: pages changed rank while the action read them, so as many others may be missing. If that matters, run again.`
}

type VisitorsRun = AnalyticsRun<VisitorsInputs>

/** Writes each batch before it requests the next one, so that memory holds one. */
async function exportVisitors(run: VisitorsRun): Promise<Export> {
  const { inputs, write } = run
  const format = FORMATS[inputs.format]
  const top = ranking<Row>(inputs.top, ({ total }) => total)
  const pathTotals = new Map<string, number>()
  let [rows, repeated] = [0, 0]
  await write(format.begin)
  const { totals, complete } = await readAll(run, inputs.period, async (batch) => {
    if (batch.rows.length > 0) await write(format.rows(batch.rows, rows === 0))
    for (const row of batch.rows) top.add(row)
    if (inputs.compare) addTotals(pathTotals, batch.rows)
    rows += batch.rows.length
    repeated += batch.repeated
  })
  await write(format.end(rows === 0))
  const comparison = inputs.compare ? await compare(run, pathTotals, complete) : undefined
  return { rows, repeated, totals, complete, top: top.list(), comparison }
}

/** Reads the period before, and keeps what the comparison needs. */
async function compare(run: VisitorsRun, now: PathTotals, nowComplete: boolean): Promise<Comparison> {
  const period = periodBefore(run.inputs.period)
  const pathTotals = new Map<string, number>()
  const { totals, complete } = await readAll(run, period, ({ rows }) => addTotals(pathTotals, rows))
  const changes = largestChanges(now, pathTotals, run.inputs.top, nowComplete && complete)
  return { period, totals, complete, pathTotals, changes }
}

/** Hands over each batch of a period. @returns the last one: a listing has one at least */
async function readAll(
  { client, inputs }: VisitorsRun,
  period: Period,
  take: (batch: Batch) => void | Promise<void>,
): Promise<Pick<Batch, 'totals' | 'complete'>> {
  const { maxRows } = inputs
  const limit = Math.min(inputs.pageSize, maxRows)
  const request = { call: 'visitors', endpoint: 'visitors', period, parse: parsePage } as const
  const read = (offset: number) => client.page({ ...request, query: () => ({ limit, offset }) })
  let end: Pick<Batch, 'totals' | 'complete'> = { totals: { human: 0, ai: 0, total: 0 }, complete: false }
  for await (const batch of listing(read, { pageSize: limit, maxRows })) {
    await take(batch)
    end = batch
  }
  return end
}
