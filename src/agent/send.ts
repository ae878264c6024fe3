import { sleepUnlessCancelled } from '../core/cancellation.ts'
import { ActionError, Cancelled, leftOpen } from '../core/errors.ts'
import type { Job } from '../core/job.ts'
import { duration, plainText } from '../core/text.ts'
import { explainFailure } from '../http/explain.ts'
import { backoffMs, SEND_TRIES, verdictOf } from '../http/retry.ts'
import { type Failure, ServiceError } from '../http/service-error.ts'
import type { AgentClient, JobResult } from './client.ts'
import type { ReadDeps } from './read.ts'

/** The service may or may not have acted on a create or a message; nobody can tell from here (contract 4.3). */
export class CreationUncertain extends ActionError {
  constructor(cause: string, options?: ErrorOptions) {
    super('creation-uncertain', leftOpen(cause), options)
  }
}

export interface SendRequest {
  readonly prompt: string
  /** The job to continue; undefined for a new one. */
  readonly jobId?: string
  /** In ms since the epoch; nothing is sent later. */
  readonly deadline: number
}

/**
 * Creates a job, or sends one a message, exactly once: tries again only after what surely was not processed, five
 * times in all, and obeys `Retry-After`.
 * @throws {CreationUncertain} when it may have been processed
 * @throws {ServiceError} when it surely was not
 * @throws {Cancelled} when the run is told to stop before it was
 */
export async function send(deps: ReadDeps, client: AgentClient, request: SendRequest): Promise<Job> {
  const { jobId, prompt, deadline } = request
  const { requested, sendingEnds } = deps.cancellation
  const call = jobId === undefined ? 'create' : 'message'
  for (let attempt = 1; ; attempt++) {
    if (requested.aborted) throw new Cancelled()
    const result: JobResult =
      jobId === undefined
        ? await client.create(prompt, sendingEnds)
        : await client.message(jobId, prompt, sendingEnds)
    if ('job' in result) return result.job
    const { failure } = result
    const sentence = explainFailure(call, failure, client.access, jobId)
    const verdict = verdictOf('send', failure)
    if (verdict === 'uncertain') throw new CreationUncertain(openCause(failure), { cause: failure })
    const askedMs = failure.kind === 'status' ? failure.retryAfterMs : undefined
    const pause = Math.max(askedMs ?? 0, backoffMs(attempt, deps.random))
    const late = deps.now() + pause > deadline
    // Whoever says when to come back limits us, whatever the status (contract 4.5).
    const limited = verdict === 'retry' && late && askedMs !== undefined
    const error = new ServiceError(failure, sentence, limited ? 'rate-limited' : undefined)
    if (verdict === 'end' || attempt >= SEND_TRIES || late) throw error
    deps.log(`${plainText(error.message)} Trying again in ${duration(pause)}.`)
    await sleepUnlessCancelled(deps, pause)
    // The clock may have been set while it slept.
    if (deps.now() > deadline) throw error
  }
}

/** `the service did not answer the request (connection reset)` */
function openCause(failure: Failure): string {
  if (failure.kind === 'status') return `the service answered with HTTP ${failure.status}`
  if (failure.kind === 'unreadable') return `the service's answer held no job`
  return `the service did not answer the request (${failure.error.message})`
}
