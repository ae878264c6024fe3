import type { Deps } from '../deps.ts'
import type { Environment } from '../environment.ts'
import { ActionError, messageOf } from '../errors.ts'
import { explainGitHub } from '../github/explain.ts'
import { ServiceError } from '../http/service-error.ts'
import { maskSecrets } from '../inputs/access.ts'
import type { RawInputs } from '../inputs/read.ts'
import { oneLine, plainText } from '../text.ts'
import { type CollectInputs, readCollectInputs } from './inputs.ts'
import { collectSentence, collectSummary } from './summary.ts'
import { type Collected, sweep } from './sweep.ts'

/** One sweep over the repository's threads. Never throws. @returns whether the step ends red */
export async function collect(deps: Deps, raw: RawInputs, environment: Environment): Promise<boolean> {
  try {
    maskSecrets(raw, deps.runner)
    const inputs = readCollectInputs(raw)
    const collected = await swept(deps, inputs, environment)
    report(deps, collected)
    const unusable = unusableService(collected)
    if (unusable !== undefined) throw unusable
    return false
  } catch (error) {
    deps.runner.annotate('error', plainText(sentenceOf(error)))
    return true
  }
}

async function swept(
  deps: Deps,
  inputs: CollectInputs,
  environment: Environment,
): Promise<readonly Collected[]> {
  try {
    return await sweep(deps, inputs, environment)
  } catch (cause) {
    const sentence = explainGitHub(cause, 'read the comments of the repository', 'issues: write')
    throw new ActionError('internal', sentence.replace(' The run goes on.', ''), { cause })
  }
}

function report({ runner, log, now }: Deps, collected: readonly Collected[]): void {
  const finished = collected.filter((one) => one.kind === 'finished')
  const [active, failed] = (['active', 'failed'] as const).map(
    (kind) => collected.filter((one) => one.kind === kind).length,
  )
  log(collectSentence(finished.length, active ?? 0, failed ?? 0))
  runner.output('finished', String(finished.length))
  runner.output('active', String(active))
  runner.output('failed', String(failed))
  const result = finished.map(({ request, ending }) => ({
    'job-id': request.marker.job,
    thread: request.thread,
    outcome: ending.outcome,
    'pr-link': ending.job?.prLink ?? '',
  }))
  runner.output('result', JSON.stringify(result))
  runner.summary(collectSummary(collected, now()))
}

/** One job's trouble is its own; when every read failed, the service cannot be used, and the first failure tells why. */
function unusableService(collected: readonly Collected[]): ServiceError | undefined {
  const errors = collected.map((one) => (one.kind === 'failed' ? one.error : undefined))
  const [first] = errors
  return errors.every((error) => error instanceof ServiceError) && first instanceof ServiceError
    ? first
    : undefined
}

function sentenceOf(error: unknown): string {
  if (error instanceof ActionError) return error.message
  return `Something happened that the action does not know how to handle (${oneLine(messageOf(error), 200)}). Please report it.`
}
