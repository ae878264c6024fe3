import type { Core, Deps } from '../deps.ts'
import { ActionError, Cancelled, unexpectedError } from '../errors.ts'
import { VERSION } from '../http/fetch.ts'
import { type GetInput, maskSecrets, requireKey } from '../input-readers.ts'
import type { Period } from '../period.ts'
import type { RunContext } from '../run-context.ts'
import { count, duration, plainText } from '../text.ts'
import { readTrigger } from '../trigger/event.ts'
import { secretsAreWithheld } from '../trigger/gate.ts'
import { type OutputFile, writeOutputFile } from '../workspace-file.ts'
import { type AnalyticsClient, analyticsClient } from './client.ts'
import type { AnalyticsInputs } from './inputs.ts'

/** What reads the analytics of one run, and writes them to the file. */
export interface AnalyticsRun<Inputs> {
  readonly core: Core
  readonly inputs: Inputs
  readonly client: AnalyticsClient
  readonly output: OutputFile
}

/** What every run knows of its file. */
export interface FileReport {
  readonly period: Period
  /** The file's path from the workspace. */
  readonly file: string
  readonly requests: number
  readonly durationMs: number
}

/** What a run found, ready for every place that people and later steps read. */
interface AnalyticsReport {
  /** All outputs but `requests` and `result`. */
  readonly outputs: Readonly<Record<string, string>>
  /** What is in the file, for the last line of the log. */
  readonly written: string
  readonly warning?: string
  /** Markdown for the step summary. */
  readonly summary: string
}

/** An action that reads analytics into a file. */
export interface AnalyticsAction<Inputs extends AnalyticsInputs, Found> {
  /** In the order of action.yml, without `result`. */
  readonly outputs: readonly string[]
  /** The heading of the summary where nothing was written. */
  readonly nothing: string
  /** What shortens the run: "set `max-rows`". */
  readonly remedy: string
  readInputs(input: GetInput, now: number): Inputs
  /** Behind the version in the log's first line. */
  title(inputs: Inputs): string
  read(run: AnalyticsRun<Inputs>): Promise<Found>
  report(report: Found & FileReport): AnalyticsReport
}

/** How a run ended without a file; the sentence is inline Markdown. */
interface Stop {
  readonly level: 'warning' | 'setFailed'
  readonly sign: string
  readonly sentence: string
}

/** One run of `visitors` or `insights`, from its inputs to its summary (contract 7, 9). */
export async function runAnalytics<Inputs extends AnalyticsInputs, Found>(
  deps: Deps,
  readContext: () => Promise<RunContext>,
  action: AnalyticsAction<Inputs, Found>,
): Promise<void> {
  const { core } = deps
  const startedAt = deps.monotonic()
  let client: AnalyticsClient | undefined
  const end = await run().catch((error: unknown) => stopOf(core, error))
  const requests = client?.requests() ?? 0
  const values: Readonly<Record<string, string>> = 'sentence' in end ? { complete: 'false' } : end.outputs
  writeOutputs(core, action.outputs, { ...values, requests: String(requests) })
  if ('sentence' in end) {
    core[end.level](plainText(end.sentence))
    return await core.addSummary(`## ${end.sign} ${action.nothing}\n\n${end.sentence}\n`)
  }
  core.info(end.logLine)
  if (end.warning) core.warning(end.warning)
  await core.addSummary(end.summary)

  async function run() {
    maskSecrets(core)
    const context = await readContext()
    if (core.getInput('api-key') === '' && secretsAreWithheld(readTrigger(context), context.actor)) {
      return WITHHELD
    }
    const inputs = action.readInputs(core.getInput, deps.now())
    const { access, period, timeoutMs } = inputs
    requireKey(access)
    core.info(`Docs agent ${VERSION} · ${action.title(inputs)}`)
    const reader = analyticsClient(deps, access, { startedAt, timeoutMs, remedy: action.remedy })
    client = reader
    const report = await writeOutputFile(context.workspace, inputs.file, async (output) => {
      const found = await action.read({ core, inputs, client: reader, output })
      const durationMs = deps.monotonic() - startedAt
      return { ...found, period, file: output.name, requests: reader.requests(), durationMs }
    })
    const { written, ...rest } = action.report(report)
    const logLine = `${written}: ${count(report.requests, 'request')}, ${duration(report.durationMs)}`
    return { ...rest, logLine }
  }
}

/** Where GitHub withholds secrets (contract 1.3). */
const WITHHELD: Stop = {
  level: 'warning',
  sign: 'ℹ️',
  sentence:
    'Nothing was sent: GitHub gives no secrets to pull requests from forks or to Dependabot, so `api-key` is empty. Run the workflow on `schedule` or `workflow_dispatch` instead.',
}

function stopOf(core: Core, error: unknown): Stop {
  const level = 'setFailed'
  if (error instanceof Cancelled) {
    return { level, sign: '⏹️', sentence: 'The run was cancelled, so nothing was written.' }
  }
  if (error instanceof ActionError) return { level, sign: '❌', sentence: error.message }
  return { level, sign: '❌', sentence: `${unexpectedError(core, error)} Nothing was written.` }
}

/** Outputs without a value are empty; `result` holds all others as JSON. */
function writeOutputs(
  core: Pick<Core, 'setOutput'>,
  names: readonly string[],
  values: Readonly<Record<string, string>>,
): void {
  const all = names.map((name) => [name, values[name] ?? ''] as const)
  for (const [name, value] of all) core.setOutput(name, value)
  core.setOutput('result', JSON.stringify(Object.fromEntries(all)))
}
