import type { Core, Deps } from '../deps.ts'
import { ActionError, Cancelled } from '../errors.ts'
import { secretsAreWithheld } from '../event/gate.ts'
import type { RunContext } from '../event/run-context.ts'
import { readTrigger } from '../event/trigger.ts'
import { VERSION } from '../http/fetch.ts'
import { type ServiceAccess, ServiceError } from '../http/service.ts'
import { type GetInput, maskSecrets, requireKey } from '../input-readers.ts'
import { explainError } from '../messages/explain.ts'
import type { Period } from '../period.ts'
import { count, duration, plainText } from '../text.ts'
import { writeOutputFile } from '../workspace-file.ts'
import { type AnalyticsClient, analyticsClient } from './analytics-client.ts'

export interface AnalyticsInputs {
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

export interface AnalyticsStep<Inputs extends AnalyticsInputs, Found> {
  readonly outputs: Outputs<Found>
  /** The heading of the summary where nothing was written. */
  readonly nothing: string
  readonly remedy: string
  readInputs(input: GetInput, now: number): Inputs
  title(inputs: Inputs): string
  /** @param write appends to the file */
  read(
    inputs: Inputs,
    client: AnalyticsClient,
    write: (text: string) => Promise<void>,
    core: Core,
  ): Promise<Found>
  /** What is in the file, for the log. */
  written(report: Found & FileReport): string
  warning(report: Found & FileReport): string
  summary(report: Found & FileReport): string
}

export async function runAnalytics<Inputs extends AnalyticsInputs, Found>(
  deps: Deps,
  readContext: () => Promise<RunContext>,
  step: AnalyticsStep<Inputs, Found>,
): Promise<void> {
  const { core } = deps
  const startedAt = deps.monotonic()
  let requests = () => 0

  async function run(): Promise<void> {
    maskSecrets(core)
    const context = await readContext()
    if (core.getInput('api-key') === '' && secretsAreWithheld(readTrigger(context), context.actor)) {
      core.warning(plainText(WITHHELD))
      return await stop('ℹ️', WITHHELD)
    }
    const inputs = step.readInputs(core.getInput, deps.now())
    const { access, period, timeoutMs } = inputs
    requireKey(access)
    core.info(`Docs agent ${VERSION} · ${step.title(inputs)}`)
    const limit = { deadline: startedAt + timeoutMs, timeoutMs, remedy: step.remedy }
    const client = analyticsClient(deps, access, limit)
    requests = client.requests
    const report = await writeOutputFile(context.workspace, inputs.file, async (write, file) => {
      const found = await step.read(inputs, client, write, core)
      return { ...found, period, file, requests: requests(), durationMs: deps.monotonic() - startedAt }
    })
    setOutputs((name) => step.outputs[name]?.(report))
    core.info(`${step.written(report)}: ${count(report.requests, 'request')}, ${duration(report.durationMs)}`)
    const warning = step.warning(report)
    if (warning !== '') core.warning(warning)
    await core.setSummary(step.summary(report))
  }

  function setOutputs(outputOf: (name: string) => string | undefined): void {
    const outputs = Object.keys(step.outputs).map((name) => [name, outputOf(name) ?? ''] as const)
    for (const [name, value] of outputs) core.setOutput(name, value)
    core.setOutput('result', JSON.stringify(Object.fromEntries(outputs)))
  }

  /** Where no file was written. @param sentence inline Markdown */
  async function stop(sign: string, sentence: string): Promise<void> {
    const known: Readonly<Record<string, string>> = { complete: 'false', requests: String(requests()) }
    setOutputs((name) => known[name])
    await core.setSummary(`## ${sign} ${step.nothing}\n\n${sentence}\n`)
  }

  await run().catch(async (error: unknown) => {
    const sentence = sentenceOf(core, error)
    core.setFailed(plainText(sentence))
    await stop(error instanceof Cancelled ? '⏹️' : '❌', sentence)
  })
}

const WITHHELD =
  'Nothing was sent: GitHub gives no secrets to pull requests from forks or to Dependabot, so `api-key` is empty. Run the workflow on `schedule` or `workflow_dispatch` instead.'

function sentenceOf(core: Core, error: unknown): string {
  if (error instanceof Cancelled) return 'The run was cancelled, so nothing was written.'
  const isLimit = error instanceof ServiceError && error.reason === 'rate-limited'
  if (isLimit) return `${error.message} So nothing was written.`
  return error instanceof ActionError ? error.message : `${explainError(core, error)} Nothing was written.`
}
