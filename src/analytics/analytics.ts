import type { Core, Deps } from '../base/deps.ts'
import { ActionError, Cancelled } from '../base/errors.ts'
import { maskSecrets } from '../base/redact.ts'
import { clock, codeSpan, count, duration, grouped, joined, oneLine, plainText } from '../base/text.ts'
import { secretsAreWithheld } from '../event/gate.ts'
import { type Runner, readTrigger } from '../event/trigger.ts'
import { isTooLarge } from '../http/failure.ts'
import { VERSION } from '../http/fetch.ts'
import { isReadTimeout, type RetryDeps, retryRead } from '../http/retry.ts'
import { callService, type Parsed, type ServiceAccess, ServiceError } from '../http/service.ts'
import { isoDate, type Period } from '../inputs/period.ts'
import { type GetInput, requireKey } from '../inputs/readers.ts'
import { outputFile, writeOutputFile } from '../inputs/workspace-file.ts'
import { explainError } from '../words/explain.ts'
import { CAUSES } from '../words/notes.ts'
import { type AnalyticsCall, explainFailure } from '../words/service-causes.ts'

/** What both actions take. */
interface AnalyticsInputs {
  /** The key may be '': see `requireKey`. */
  readonly access: ServiceAccess
  readonly period: Period
  readonly file: string
  readonly timeoutMs: number
}

export interface FileReport {
  readonly period: Period
  /** The file's path from the workspace. */
  readonly file: string
  readonly requests: number
  readonly durationMs: number
}

/** In the order of its action.yml; `result` holds all of them as JSON. */
export type Outputs<Found> = Readonly<Record<string, (report: Found & FileReport) => string>>

interface FurtherFile<Found> {
  readonly input: string
  readonly file: string
  text(report: Found & FileReport): string
}

export interface AnalyticsStep<Inputs extends AnalyticsInputs, Found> {
  readonly outputs: Outputs<Found>
  /** The heading of the summary where nothing was written. */
  readonly nothing: string
  readonly remedy: string
  readInputs(input: GetInput, now: number): Inputs
  title(inputs: Inputs): string
  read(inputs: Inputs, client: AnalyticsClient, runner: Runner, core: Core): Promise<Found>
  /** Of the file. */
  text(inputs: Inputs, found: Found): string
  /** Files beside it, each with the input that names it. */
  moreFiles(inputs: Inputs): readonly FurtherFile<Found>[]
  /** What is in the file, for the log. */
  written(report: Found & FileReport): string
  /** Sentences of inline Markdown, for log and summary. */
  notes(report: Found & FileReport): readonly string[]
  warning(report: Found & FileReport): string
  summary(report: Found & FileReport): string
}

export async function runAnalytics<Inputs extends AnalyticsInputs, Found>(
  given: Deps,
  readRunner: () => Promise<Runner>,
  step: AnalyticsStep<Inputs, Found>,
): Promise<void> {
  const deps = maskSecrets(given)
  const { core } = deps
  const startedAt = deps.monotonic()
  let client: AnalyticsClient | undefined

  /** All that are not given are ''. */
  function setOutputs(values: Readonly<Record<string, string>>): void {
    const outputs = Object.keys(step.outputs).map((name) => [name, values[name] ?? ''] as const)
    for (const [name, value] of outputs) core.setOutput(name, value)
    core.setOutput('result', JSON.stringify(Object.fromEntries(outputs)))
  }

  /** Where no file was written. @param sentence inline Markdown */
  async function stop(sign: string, sentence: string): Promise<void> {
    setOutputs({ complete: 'false', requests: String(client?.requests() ?? 0) })
    await core.setSummary(`## ${sign} ${step.nothing}\n\n${sentence}\n`)
  }

  try {
    const runner = await readRunner()
    const trigger = readTrigger(runner)
    if (core.getInput('api-key') === '' && secretsAreWithheld(trigger, runner.actor)) {
      const why = trigger.inFork ? `Nothing was sent: ${CAUSES.fork}` : WITHHELD
      core.warning(plainText(why))
      return await stop('ℹ️', why)
    }
    const inputs = step.readInputs(core.getInput, deps.now())
    const { access, period, timeoutMs } = inputs
    requireKey(access)
    core.info(`Docs agent ${VERSION} · ${step.title(inputs)}`)
    const limit = { deadline: startedAt + timeoutMs, timeoutMs, remedy: step.remedy }
    const reading = analyticsClient(deps, access, limit)
    client = reading
    const file = outputFile(runner.workspace, inputs.file)
    const more = step.moreFiles(inputs).map((one) => ({
      ...one,
      file: outputFile(runner.workspace, one.file, one.input),
    }))
    const found = await step.read(inputs, reading, runner, core)
    await writeOutputFile(file, step.text(inputs, found))
    const durationMs = deps.monotonic() - startedAt
    const report = { ...found, period, file: file.name, requests: reading.requests(), durationMs }
    for (const one of more) await writeOutputFile(one.file, one.text(report))
    const outputs = Object.entries(step.outputs).map(([name, of]) => [name, of(report)] as const)
    setOutputs(Object.fromEntries(outputs))
    core.info(`${step.written(report)}: ${count(report.requests, 'request')}, ${duration(report.durationMs)}`)
    for (const note of step.notes(report)) core.info(`  ${plainText(note)}`)
    const warning = step.warning(report)
    if (warning !== '') core.warning(warning)
    await core.setSummary(step.summary(report))
  } catch (error) {
    const isCancelled = error instanceof Cancelled
    const isLimit = error instanceof ServiceError && error.reason === 'rate-limited'
    let sentence = 'The run was cancelled, so nothing was written.'
    if (!isCancelled) {
      const isTold = error instanceof ActionError && !isLimit
      sentence = joined(' ', explainError(core, error), isTold ? '' : 'Nothing was written.')
    }
    core.setFailed(plainText(sentence))
    await stop(isCancelled ? '⏹️' : '❌', sentence)
  }
}

const WITHHELD =
  'Nothing was sent: GitHub gives no secrets to pull requests from forks or to Dependabot, so `api-key` is empty. Run the workflow on `schedule` or `workflow_dispatch` instead.'

/** Longer paths are cut before anything is measured. */
const MAX_LENGTH = 4000

/** A path on one line of at most `width` columns, without invisible characters; '' if none is visible. */
export function pageLabel(path: string, width: number): string {
  const line = oneLine(path, MAX_LENGTH)
    .replace(/\p{Cf}/gu, '')
    .trim()
  const characters = Array.from(line)
  if (widthOf(characters) <= width) return line
  // The end of a path says more than its middle.
  let [start, end] = [characters.slice(0, width), characters.slice(-width)]
  while (widthOf(start) > Math.ceil(width / 2) - 1) start = start.slice(0, -1)
  while (widthOf(end) > Math.floor(width / 2)) end = end.slice(1)
  return [...start, '…', ...end].join('')
}

/** Most scripts have characters that are twice as wide as Latin ones. */
const WIDE = /[^\x20-\x7e\u00c0-\u017f]|[@%MWmw]/u

const widthOf = (characters: readonly string[]): number =>
  characters.reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0)

const CODE_WIDTH = 60
/** Of what a phone cannot break into lines. */
const UNBROKEN_WIDTH = 30
const UNBROKEN = new RegExp(`[^\\s/-]{${UNBROKEN_WIDTH}}`)

/** A path as a code span, in which nothing has a meaning in Markdown. */
export const pageCode = (path: string): string =>
  codeSpan(pageLabel(path, UNBROKEN.test(path) ? UNBROKEN_WIDTH : CODE_WIDTH)) || '(blank)'

export type AnalyticsClient = ReturnType<typeof analyticsClient>

interface PageRequest<P> {
  readonly call: AnalyticsCall
  /** Behind `/v1/analytics/{projectId}/`. */
  readonly endpoint: string
  readonly period: Period
  /** Beside the dates; read again before each try. */
  query(): Readonly<Record<string, string | number>>
  parse(text: string): Parsed<P>
  /** The answer had more than the 5 MiB that the action reads. */
  onTooLarge?(): void
}

/** At most one line of progress in this time: a short run logs none. */
const PROGRESS_MS = 1000

interface Limit {
  /** On the monotonic clock, in ms. */
  readonly deadline: number
  readonly timeoutMs: number
  /** What shortens the run: "set `max-rows`". */
  readonly remedy: string
}

function analyticsClient(deps: RetryDeps, access: ServiceAccess, limit: Limit) {
  const begin = deps.monotonic()
  let loggedAt = begin
  let [requests, pages, rows] = [0, 0, 0]

  return {
    requests: () => requests,
    /**
     * @throws {ActionError} when there is no usable answer until the deadline
     * @throws {Cancelled} as soon as the runner asks the step to stop
     */
    async page<P extends { readonly rows: readonly unknown[] }>(request: PageRequest<P>): Promise<P> {
      const { call, endpoint, period, parse } = request
      const result = await retryRead(deps, { deadline: limit.deadline }, async (leftMs, signal) => {
        requests++
        const dates = { dateFrom: isoDate(period.from), dateTo: isoDate(period.to) }
        const parameters = new URLSearchParams(dates)
        for (const [name, value] of Object.entries(request.query())) parameters.set(name, String(value))
        const reading = callService(deps, access, {
          path: `/v1/analytics/${encodeURIComponent(access.projectId)}/${endpoint}?${parameters}`,
          leftMs,
          signal,
          parse,
          judge: (failure) => explainFailure(call, failure, access),
        })
        return await reading.catch((error: unknown) => {
          if (error instanceof ServiceError && isTooLarge(error.failure)) request.onTooLarge?.()
          throw error
        })
      })
      if (isReadTimeout(result)) {
        if (result.failed !== undefined) throw result.failed
        // No request failed: there was only too much to read.
        const sentence = `Only ${count(rows, 'row')} could be read within ${duration(limit.timeoutMs)}, so nothing was written. Raise \`timeout-minutes\`, or ${limit.remedy}.`
        throw new ActionError('network', sentence)
      }
      pages++
      rows += result.rows.length
      const now = deps.monotonic()
      if (now - loggedAt >= PROGRESS_MS) {
        loggedAt = now
        deps.core.info(`  ${clock(now - begin).padStart(5)}  ${count(pages, 'page')}, ${count(rows, 'row')}`)
      }
      return result
    },
  }
}

/** @param fault why no further page is read, although the service says that there are more */
export const endlessPages = (rows: string, pages: number, fault: string, remedy = 'run again later') =>
  new ActionError(
    'bad-response',
    `The service says that more ${rows} follow after page ${grouped(pages)} of its results, but ${fault}. Nothing was written: ${remedy}.`,
  )
