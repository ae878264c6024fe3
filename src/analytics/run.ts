import type { Core, Deps } from '../deps.ts'
import { ActionError, Cancelled, unexpectedError } from '../errors.ts'
import { VERSION } from '../http/fetch.ts'
import { type GetInput, maskSecrets, requireKey } from '../input-readers.ts'
import type { RunContext } from '../run-context.ts'
import { plainText } from '../text.ts'
import { readTrigger } from '../trigger/event.ts'
import { secretsAreWithheld } from '../trigger/gate.ts'
import { type AnalyticsClient, analyticsClient } from './client.ts'
import type { AnalyticsInputs } from './inputs.ts'

/** What a run found, ready for every place that people and later steps read. */
export interface AnalyticsReport {
  /** All outputs but `requests` and `result`. */
  readonly outputs: Readonly<Record<string, string>>
  /** The last line of the log. */
  readonly logLine: string
  /** '' for none. */
  readonly warning: string
  /** Markdown for the step summary. */
  readonly summary: string
}

/** What `work` gets to do its part of a run. */
export interface AnalyticsRun<Inputs> {
  readonly deps: Deps
  readonly inputs: Inputs
  readonly client: AnalyticsClient
  readonly workspace: string
  /** On the monotonic clock, in ms. */
  readonly startedAt: number
}

/** An action that reads analytics into a file. */
export interface AnalyticsAction<Inputs extends AnalyticsInputs> {
  /** In the order of action.yml, without `result`. */
  readonly outputs: readonly string[]
  /** The heading of the summary where nothing was written. */
  readonly nothing: string
  /** What shortens the run: "set `max-rows`". */
  readonly remedy: string
  readInputs(input: GetInput, now: number): Inputs
  /** Behind the version in the log's first line. */
  title(inputs: Inputs): string
  work(run: AnalyticsRun<Inputs>): Promise<AnalyticsReport>
}

/** How a run ended without a file; the sentence is inline Markdown. */
interface Stop {
  readonly kind: 'skipped' | 'cancelled' | 'failed'
  readonly sentence: string
}

const STOPS = {
  skipped: { level: 'warning', sign: 'ℹ️' },
  cancelled: { level: 'setFailed', sign: '⏹️' },
  failed: { level: 'setFailed', sign: '❌' },
} as const

/** One run of `visitors` or `insights`, from its inputs to its summary (contract 7, 9). */
export async function runAnalytics<Inputs extends AnalyticsInputs>(
  deps: Deps,
  readContext: () => Promise<RunContext>,
  action: AnalyticsAction<Inputs>,
): Promise<void> {
  const { core } = deps
  let client: AnalyticsClient | undefined
  const end = await run().catch((error: unknown) => stopOf(core, error))
  writeOutputs(core, action.outputs, {
    ...('kind' in end ? { complete: 'false' } : end.outputs),
    requests: String(client?.requests() ?? 0),
  })
  if ('kind' in end) {
    const { level, sign } = STOPS[end.kind]
    core[level](plainText(end.sentence))
    await core.addSummary(`## ${sign} ${action.nothing}\n\n${end.sentence}\n`)
    return
  }
  core.info(end.logLine)
  if (end.warning !== '') core.warning(end.warning)
  await core.addSummary(end.summary)

  async function run(): Promise<AnalyticsReport | Stop> {
    const startedAt = deps.monotonic()
    maskSecrets(core)
    const context = await readContext()
    if (core.getInput('api-key') === '' && secretsAreWithheld(readTrigger(context), context.actor)) {
      return { kind: 'skipped', sentence: WITHHELD }
    }
    const inputs = action.readInputs(core.getInput, deps.now())
    requireKey(inputs.access)
    core.info(`Docs agent ${VERSION} · ${action.title(inputs)}`)
    const limit = { startedAt, timeoutMs: inputs.timeoutMs, remedy: action.remedy }
    client = analyticsClient(deps, inputs.access, limit)
    return await action.work({ deps, inputs, client, workspace: context.workspace, startedAt })
  }
}

const WITHHELD =
  'Nothing was sent: GitHub gives no secrets to pull requests from forks or to Dependabot, so `api-key` is empty. Run the workflow on `schedule` or `workflow_dispatch` instead.'

function stopOf(core: Core, error: unknown): Stop {
  if (error instanceof Cancelled) {
    return { kind: 'cancelled', sentence: 'The run was cancelled, so nothing was written.' }
  }
  if (error instanceof ActionError) return { kind: 'failed', sentence: error.message }
  return { kind: 'failed', sentence: `${unexpectedError(core, error)} Nothing was written.` }
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
