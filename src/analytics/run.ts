import type { Core, Deps } from '../deps.ts'
import { ActionError, Cancelled, unexpectedError } from '../errors.ts'
import { secretsAreWithheld } from '../event/gate.ts'
import type { RunContext } from '../event/run-context.ts'
import { readTrigger } from '../event/trigger.ts'
import { VERSION } from '../http/fetch.ts'
import { type GetInput, maskSecrets, requireKey } from '../input-readers.ts'
import type { Period } from '../period.ts'
import { count, duration, plainText } from '../text.ts'
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

/** How a run ends. */
interface End {
  /** By their names; the others are empty. */
  readonly outputs: Readonly<Record<string, string>>
  /** How the log shows `line`. */
  readonly level: 'info' | 'warning' | 'setFailed'
  readonly line: string
  readonly warning?: string
  /** Markdown. */
  readonly summary: string
}

/** @returns one run of `visitors` or `insights`, from its inputs to its summary (contract 7, 9) */
export function analyticsStep<Inputs extends AnalyticsInputs, Found>(action: AnalyticsAction<Inputs, Found>) {
  return async (deps: Deps, readContext: () => Promise<RunContext>): Promise<void> => {
    const { core } = deps
    const startedAt = deps.monotonic()
    let requests = () => 0
    const end = await run().catch((error: unknown) => stopped('setFailed', ...signAndSentence(core, error)))
    const outputs = Object.keys(action.outputs).map((name) => [name, end.outputs[name] ?? ''] as const)
    for (const [name, value] of outputs) core.setOutput(name, value)
    core.setOutput('result', JSON.stringify(Object.fromEntries(outputs)))
    core[end.level](end.line)
    if (end.warning) core.warning(end.warning)
    await core.addSummary(end.summary)

    /** @param sentence inline Markdown */
    function stopped(level: 'warning' | 'setFailed', sign: string, sentence: string): End {
      const outputs = { complete: 'false', requests: String(requests()) }
      const summary = `## ${sign} ${action.nothing}\n\n${sentence}\n`
      return { outputs, level, line: plainText(sentence), summary }
    }

    async function run(): Promise<End> {
      maskSecrets(core)
      const context = await readContext()
      if (core.getInput('api-key') === '' && secretsAreWithheld(readTrigger(context), context.actor)) {
        return stopped('warning', 'ℹ️', WITHHELD)
      }
      const inputs = action.readInputs(core.getInput, deps.now())
      const { access, period, timeoutMs } = inputs
      requireKey(access)
      core.info(`Docs agent ${VERSION} · ${action.title(inputs)}`)
      const client = analyticsClient(deps, access, { startedAt, timeoutMs, remedy: action.remedy })
      requests = client.requests
      const report = await writeOutputFile(context.workspace, inputs.file, async (write, file) => {
        const found = await action.read({ core, inputs, client, write })
        const durationMs = deps.monotonic() - startedAt
        return { ...found, period, file, requests: requests(), durationMs }
      })
      const outputs = Object.entries(action.outputs).map(([name, of]) => [name, of(report)] as const)
      const { written, ...shown } = action.messages(report)
      const line = `${written}: ${count(report.requests, 'request')}, ${duration(report.durationMs)}`
      return { outputs: Object.fromEntries(outputs), level: 'info', line, ...shown }
    }
  }
}

/** Where GitHub withholds secrets (contract 1.3). */
const WITHHELD =
  'Nothing was sent: GitHub gives no secrets to pull requests from forks or to Dependabot, so `api-key` is empty. Run the workflow on `schedule` or `workflow_dispatch` instead.'

function signAndSentence(core: Core, error: unknown): readonly [string, string] {
  if (error instanceof Cancelled) return ['⏹️', 'The run was cancelled, so nothing was written.']
  if (error instanceof ActionError) return ['❌', error.message]
  return ['❌', `${unexpectedError(core, error)} Nothing was written.`]
}
