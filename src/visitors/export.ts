import { ActionError, BadInput, messageOf } from '../core/errors.ts'
import type { Deps } from '../runner/deps.ts'
import { type AsideFile, openAside } from './aside.ts'
import type { VisitorsClient } from './client.ts'
import { addTotals, movers } from './comparison.ts'
import { FORMATS } from './format.ts'
import type { VisitorsInputs } from './inputs.ts'
import { type Batch, listing } from './listing.ts'
import type { Figures, Row } from './page.ts'
import { type Period, periodBefore } from './period.ts'
import { type Place, placeOf } from './place.ts'
import { type Progress, progress } from './progress.ts'
import { ranking } from './ranking.ts'
import type { Comparison, Report } from './report.ts'

export type ExportDeps = Pick<Deps, 'now' | 'log'>

/**
 * Exports the visitors of a period to a file in the workspace: whole, or not at all.
 * @throws {ActionError} when that cannot be done; an earlier file is then as it was
 * @throws {Cancelled} as soon as the run is told to stop
 */
export async function exportVisitors(
  deps: ExportDeps,
  client: VisitorsClient,
  inputs: VisitorsInputs,
  workspace: string,
): Promise<Report> {
  const startedAt = deps.now()
  const place = await placeOf(workspace, inputs.file)
  const file = await openAside(place.path).catch((cause: unknown) => {
    throw new BadInput('file', `cannot be written (${messageOf(cause)})`, 'Write another path.', { cause })
  })
  try {
    const log = progress(deps)
    const now = await exportRows(client, inputs, writerOf(file, place), log)
    const comparison = inputs.compare ? await compareWith(now, client, inputs, log) : undefined
    await onDisk(place, file.keep())
    return {
      project: inputs.access.projectId,
      period: inputs.period,
      file: place.name,
      rows: now.rows,
      totals: now.totals,
      top: now.top,
      complete: now.complete,
      repeated: now.repeated,
      requests: client.requests(),
      durationMs: deps.now() - startedAt,
      comparison,
    }
  } catch (error) {
    await file.discard()
    throw error
  }
}

type Write = (text: string) => Promise<void>

const writerOf =
  (file: AsideFile, place: Place): Write =>
  (text) =>
    onDisk(place, file.write(text))

interface Exported {
  readonly rows: number
  readonly totals: Figures
  readonly top: readonly Row[]
  /** Filled only for a comparison. */
  readonly pathTotals: Map<string, number>
  readonly complete: boolean
  readonly repeated: number
}

/** Writes each batch before it asks for the next one, so that memory holds one. */
async function exportRows(
  client: VisitorsClient,
  inputs: VisitorsInputs,
  write: Write,
  log: Progress,
): Promise<Exported> {
  const format = FORMATS[inputs.format]
  const top = ranking<Row>(inputs.top, ({ total }) => total)
  const pathTotals = new Map<string, number>()
  let [rows, repeated] = [0, 0]
  let last: Batch | undefined
  await write(format.begin)
  for await (const batch of batches(client, inputs, inputs.period)) {
    if (batch.rows.length > 0) await write(format.rows(batch.rows, rows === 0))
    for (const row of batch.rows) top.add(row)
    if (inputs.compare) addTotals(pathTotals, batch.rows)
    rows += batch.rows.length
    repeated += batch.repeated
    last = batch
    log(client.requests(), batch.rows.length)
  }
  await write(format.end(rows === 0))
  return { rows, repeated, top: top.list(), pathTotals, ...endOf(last) }
}

/** Reads the period before, and keeps of it what the comparison needs. */
async function compareWith(
  now: Exported,
  client: VisitorsClient,
  inputs: VisitorsInputs,
  log: Progress,
): Promise<Comparison> {
  const period = periodBefore(inputs.period)
  const pathTotals = new Map<string, number>()
  let last: Batch | undefined
  for await (const batch of batches(client, inputs, period)) {
    addTotals(pathTotals, batch.rows)
    last = batch
    log(client.requests(), batch.rows.length)
  }
  const { totals, complete } = endOf(last)
  const moved = movers(now.pathTotals, pathTotals, inputs.top, now.complete && complete)
  return { period, totals, complete, pathTotals, movers: moved }
}

function batches(
  client: VisitorsClient,
  inputs: VisitorsInputs,
  period: Period,
): AsyncGenerator<Batch, void> {
  const { maxRows } = inputs
  const pageSize = Math.min(inputs.pageSize, maxRows)
  return listing((offset) => client.page({ period, limit: pageSize, offset }), { pageSize, maxRows })
}

/** A listing has one batch at least. */
function endOf(last: Batch | undefined): Pick<Batch, 'totals' | 'complete'> {
  const { totals = { human: 0, ai: 0, total: 0 }, complete = false } = last ?? {}
  return { totals, complete }
}

/** What goes wrong with the file, in words for people. */
async function onDisk<T>(place: Place, step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (cause) {
    throw new ActionError(
      'internal',
      `The file \`${place.name}\` could not be written (${messageOf(cause)}). An earlier one is as it was; look at the disk of the runner.`,
      { cause },
    )
  }
}
