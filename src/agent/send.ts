import { sleepUnlessCancelled } from '../cancellation.ts'
import { Cancelled, CreationUncertain } from '../errors.ts'
import { backoffMs, SEND_TRIES, verdictOf } from '../http/retry-rules.ts'
import { type Failure, ServiceError } from '../http/service-error.ts'
import { explainFailure } from '../messages/service-errors.ts'
import { duration, plainText } from '../text.ts'
import type { AgentClient } from './client.ts'
import type { Job } from './job.ts'
import type { ReadDeps } from './read.ts'

export interface SendRequest {
  readonly prompt: string
  /** The job to continue; undefined for a new one. */
  readonly jobId?: string | undefined
  /** On the monotonic clock, in ms; nothing is sent later. */
  readonly deadline: number
}

/**
 * Creates a job, or sends one a message, exactly once: tries again only after what surely was not processed, five
 * times in all, and obeys `Retry-After` (contract 4.3, 4.5).
 * @throws {CreationUncertain} when it may have been processed
 * @throws {ServiceError} when it surely was not
 * @throws {Cancelled} when the runner asks the step to stop before anything was processed
 */
export async function send(deps: ReadDeps, client: AgentClient, request: SendRequest): Promise<Job> {
  const { jobId, prompt, deadline } = request
  const { requested, sendingEnds } = deps.cancellation
  const call = jobId === undefined ? 'create' : 'message'
  for (let attempt = 1; ; attempt++) {
    if (requested.aborted) throw new Cancelled()
    const result =
      jobId === undefined
        ? await client.create(prompt, sendingEnds)
        : await client.message(jobId, prompt, sendingEnds)
    if ('job' in result) return result.job
    const { failure } = result
    const verdict = verdictOf('send', failure)
    if (verdict === 'unknown') throw new CreationUncertain(causeOf(failure), { cause: failure })
    const askedMs = failure.kind === 'status' ? failure.retryAfterMs : undefined
    const pause = Math.max(askedMs ?? 0, backoffMs(attempt, deps.random))
    const late = deps.monotonic() + pause > deadline
    // A service that says when to come back limits the rate, whatever the status (contract 4.5).
    const limited = verdict === 'retry' && late && askedMs !== undefined
    const sentence = explainFailure(call, failure, client.access, jobId)
    const error = new ServiceError(failure, sentence, limited ? 'rate-limited' : undefined)
    if (verdict === 'end' || attempt >= SEND_TRIES || late) throw error
    deps.core.info(`${plainText(error.message)} Trying again in ${duration(pause)}.`)
    await sleepUnlessCancelled(deps, pause)
  }
}

/** `the service did not answer the request (connection reset)` */
function causeOf(failure: Failure): string {
  if (failure.kind === 'status') return `the service answered with HTTP ${failure.status}`
  if (failure.kind === 'unreadable') return "the service's answer held no job"
  return `the service did not answer the request (${failure.error.message})`
}
