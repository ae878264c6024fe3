import { ActionError, Cancelled, messageOf } from '../core/errors.ts'
import { oneLine } from '../core/text.ts'
import type { RawInputs } from '../inputs/read.ts'
import { maskSecrets, requireKey } from '../inputs/service.ts'
import type { Deps } from '../runner/deps.ts'
import type { Environment } from '../runner/environment.ts'
import { readTrigger } from '../trigger/event.ts'
import { secretsAreWithheld } from '../trigger/triage.ts'
import { visitorsClient } from './client.ts'
import type { Ending } from './ending.ts'
import { exportVisitors } from './export.ts'
import { finish, header } from './finish.ts'
import { readVisitorsInputs } from './inputs.ts'

/** One run of `visitors`, from its inputs to its summary. Never throws. */
export async function run(deps: Deps, raw: RawInputs, environment: Environment): Promise<Ending> {
  const ending = await story(deps, raw, environment).catch((error) => endingOf(deps, error, 0))
  finish(deps, ending)
  return ending
}

async function story(deps: Deps, raw: RawInputs, environment: Environment): Promise<Ending> {
  const startedAt = deps.now()
  maskSecrets(raw, deps.runner)
  if (raw('api-key') === undefined && secretsAreWithheld(readTrigger(environment), environment.actor)) {
    return { kind: 'skipped', sentence: WITHHELD, requests: 0 }
  }
  const inputs = readVisitorsInputs(raw, startedAt)
  requireKey(inputs.access)
  deps.log(header(inputs))
  const { timeoutMs } = inputs
  const client = visitorsClient(deps, inputs.access, { timeoutMs, deadline: startedAt + timeoutMs })
  try {
    return { kind: 'exported', report: await exportVisitors(deps, client, inputs, environment.workspace) }
  } catch (error) {
    return endingOf(deps, error, client.requests())
  }
}

const WITHHELD =
  'The visitors were not read: GitHub gives no secrets to pull requests from forks nor to Dependabot, so `api-key` is empty. Run the workflow on `schedule` or `workflow_dispatch` instead.'

/** What was thrown, as an ending. Only a bug of ours has no sentence of its own; its stack is for those who debug. */
function endingOf({ runner }: Deps, error: unknown, requests: number): Ending {
  if (error instanceof Cancelled) {
    return { kind: 'cancelled', sentence: 'The run was cancelled, so nothing was written.', requests }
  }
  if (error instanceof ActionError) return { kind: 'failed', sentence: error.message, requests }
  if (error instanceof Error && runner.debugging) runner.annotate('debug', error.stack ?? '')
  const what = oneLine(messageOf(error), 200)
  return {
    kind: 'failed',
    sentence: `Something happened that the action does not know how to handle (${what}). Nothing was written. Please report it, with the log of a run with debug logging.`,
    requests,
  }
}
