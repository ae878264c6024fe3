import type { AnalyticsRun } from '../analytics/run.ts'
import { type Period, periodBefore } from '../period.ts'
import { type OutputFile, writeOutputFile } from '../workspace-file.ts'
import { addTotals, type Change, largestChanges, type PathTotals, ranking } from './comparison.ts'
import { FORMATS } from './format.ts'
import type { VisitorsInputs } from './inputs.ts'
import { type Batch, type Figures, listing, type Row, readPage } from './rows.ts'

/** What an export found: everything that outputs, log and summary show. */
export interface Report {
  readonly period: Period
  /** The file's path from the workspace. */
  readonly file: string
  /** In the file. */
  readonly rows: number
  /** Of the whole site, as the service counts them: pages do not add up to them. */
  readonly totals: Figures
  /** Most visited first. */
  readonly top: readonly Row[]
  /** Whether the file holds all rows: `max-rows` can cut it. */
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
  readonly changes: readonly Change[]
  /** Whether all pages of the earlier period were read. */
  readonly complete: boolean
}

type VisitorsRun = AnalyticsRun<VisitorsInputs>

/**
 * Exports the visitors of a period to a file in the workspace: whole, or not at all.
 * @throws {ActionError} when that fails; an earlier file is unchanged
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export function exportVisitors(run: VisitorsRun): Promise<Report> {
  const { deps, client, inputs, workspace, startedAt } = run
  return writeOutputFile(workspace, inputs.file, async (output) => {
    const { pathTotals, ...exported } = await exportRows(run, output)
    const comparison = inputs.compare ? await compare(run, pathTotals, exported.complete) : undefined
    return {
      ...exported,
      period: inputs.period,
      file: output.name,
      requests: client.requests(),
      durationMs: deps.monotonic() - startedAt,
      comparison,
    }
  })
}

type Exported = Pick<Report, 'rows' | 'totals' | 'top' | 'complete' | 'repeated'> & {
  /** Filled only for a comparison. */
  readonly pathTotals: PathTotals
}

/** Writes each batch before it requests the next one, so that memory holds one. */
async function exportRows(run: VisitorsRun, output: OutputFile): Promise<Exported> {
  const { inputs } = run
  const format = FORMATS[inputs.format]
  const top = ranking<Row>(inputs.top, ({ total }) => total)
  const pathTotals = new Map<string, number>()
  let [rows, repeated] = [0, 0]
  let last: Batch | undefined
  await output.write(format.begin)
  for await (const batch of batches(run, inputs.period)) {
    if (batch.rows.length > 0) await output.write(format.rows(batch.rows, rows === 0))
    for (const row of batch.rows) top.add(row)
    if (inputs.compare) addTotals(pathTotals, batch.rows)
    rows += batch.rows.length
    repeated += batch.repeated
    last = batch
  }
  await output.write(format.end(rows === 0))
  return { rows, repeated, top: top.list(), pathTotals, ...endOf(last) }
}

/** Reads the period before, and keeps what the comparison needs. */
async function compare(run: VisitorsRun, now: PathTotals, nowComplete: boolean): Promise<Comparison> {
  const period = periodBefore(run.inputs.period)
  const pathTotals = new Map<string, number>()
  let last: Batch | undefined
  for await (const batch of batches(run, period)) {
    addTotals(pathTotals, batch.rows)
    last = batch
  }
  const { totals, complete } = endOf(last)
  const changes = largestChanges(now, pathTotals, run.inputs.top, nowComplete && complete)
  return { period, totals, complete, pathTotals, changes }
}

function batches({ client, inputs }: VisitorsRun, period: Period): AsyncGenerator<Batch, void> {
  const { maxRows } = inputs
  const pageSize = Math.min(inputs.pageSize, maxRows)
  return listing((offset) => readPage(client, { period, limit: pageSize, offset }), { pageSize, maxRows })
}

/** A listing has one batch at least. */
function endOf(last: Batch | undefined): Pick<Batch, 'totals' | 'complete'> {
  const { totals = { human: 0, ai: 0, total: 0 }, complete = false } = last ?? {}
  return { totals, complete }
}
