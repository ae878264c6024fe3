import { CreationUncertain } from '../errors.ts'
import { retrySend } from '../http/retry-send.ts'
import type { Failure } from '../http/service-error.ts'
import { explainFailure } from '../messages/service-errors.ts'
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
 * Creates a job, or sends one a message, exactly once (contract 4.3).
 * @throws {CreationUncertain} when it may have been processed
 * @throws {ServiceError} when it surely was not
 * @throws {Cancelled} when the runner asks the step to stop before anything was processed
 */
export async function send(deps: ReadDeps, client: AgentClient, request: SendRequest): Promise<Job> {
  const { jobId, prompt, deadline } = request
  const call = jobId === undefined ? 'create' : 'message'
  const result = await retrySend(deps, {
    async send(signal) {
      const sent =
        jobId === undefined
          ? await client.create(prompt, signal)
          : await client.message(jobId, prompt, signal)
      return 'job' in sent ? { value: sent.job } : sent
    },
    explain: (failure) => explainFailure(call, failure, client.access, jobId),
    deadline,
  })
  if ('value' in result) return result.value
  throw new CreationUncertain(causeOf(result.unknown), { cause: result.unknown })
}

/** `the service did not answer the request (connection reset)` */
function causeOf(failure: Failure): string {
  if (failure.kind === 'status') return `the service answered with HTTP ${failure.status}`
  if (failure.kind === 'unreadable') return "the service's answer held no job"
  return `the service did not answer the request (${failure.error.message})`
}
