import type { Core, Deps } from '../deps.ts'
import { ActionError, Cancelled, unexpectedError } from '../errors.ts'
import { VERSION } from '../http/fetch.ts'
import { type GetInput, maskSecrets, requireKey } from '../input-readers.ts'
import type { Period } from '../period.ts'
import type { RunContext } from '../run-context.ts'
import { count, duration, plainText } from '../text.ts'
import { readTrigger } from '../trigger/event.ts'
import { secretsAreWithheld } from '../trigger/gate.ts'
import { writeOutputFile } from '../workspace-file.ts'
import { type AnalyticsClient, analyticsClient } from './client.ts'
import type { AnalyticsInputs } from './inputs.ts'

/** What reads the analytics of one run, and writes them to the file. */
export interface AnalyticsRun<Inputs> {
  readonly core: Core
  readonly inputs: Inputs
  readonly client: AnalyticsClient
  write(text: string): Promise<void>
}

/** What every run knows of its file. */
export interface FileReport {
  readonly period: Period
  /** The file's path from the workspace. */
  readonly file: string
  readonly requests: number
  readonly durationMs: number
}

/** An action that reads analytics into a file. */
export interface AnalyticsAction<Inputs extends AnalyticsInputs, Found> {
  /** In the order of action.yml. `result` holds all of them as JSON. */
  readonly outputs: Readonly<Record<string, (report: Found & FileReport) => string>>
  /** The heading of the summary where nothing was written. */
  readonly nothing: string
  /** What shortens the run: "set `max-rows`". */
  readonly remedy: string
  readInputs(input: GetInput, now: number): Inputs
  /** Behind the version in the log's first line. */
  title(inputs: Inputs): string
  read(run: AnalyticsRun<Inputs>): Promise<Found>
  /** `written`: what is in the file, for the log; `summary`: Markdown */
  messages(report: Found & FileReport): {
    readonly written: string
    readonly warning?: string
    readonly summary: string
  }
}

/** How a run ended without a file; the sentence is inline Markdown. */
interface Stop {
  readonly level: 'warning' | 'setFailed'
  readonly sign: string
  readonly sentence: string
}

/** @returns one run of `visitors` or `insights`, from its inputs to its summary (contract 7, 9) */
export function analyticsStep<Inputs extends AnalyticsInputs, Found>(action: AnalyticsAction<Inputs, Found>) {
  return async (deps: Deps, readContext: () => Promise<RunContext>): Promise<void> => {
    const { core } = deps
    const startedAt = deps.monotonic()
    let client: AnalyticsClient | undefined
    const end = await run().catch((error: unknown) => stopOf(core, error))
    const requests = String(client?.requests() ?? 0)
    const values = new Map('sentence' in end ? Object.entries({ complete: 'false', requests }) : end.outputs)
    const all = Object.keys(action.outputs).map((name) => [name, values.get(name) ?? ''] as const)
    for (const [name, value] of all) core.setOutput(name, value)
    core.setOutput('result', JSON.stringify(Object.fromEntries(all)))
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
      const report = await writeOutputFile(context.workspace, inputs.file, async (write, file) => {
        const found = await action.read({ core, inputs, client: reader, write })
        const durationMs = deps.monotonic() - startedAt
        return { ...found, period, file, requests: reader.requests(), durationMs }
      })
      const outputs = Object.entries(action.outputs).map(([name, of]) => [name, of(report)] as const)
      const { written, warning, summary } = action.messages(report)
      const logLine = `${written}: ${count(report.requests, 'request')}, ${duration(report.durationMs)}`
      return { outputs, logLine, warning, summary }
    }
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
