import { type RetryDeps, retryRead } from '../http/retry-read.ts'
import type { ServiceDeps } from '../http/service.ts'
import { explainFailure } from '../messages/service-errors.ts'
import { duration } from '../text.ts'
import type { AgentClient } from './client.ts'
import type { Job } from './job.ts'

export type ReadDeps = ServiceDeps & RetryDeps

export interface ReadRequest {
  readonly jobId: string
  /** On the monotonic clock, in ms; no read starts later. */
  readonly deadline: number
  /** The longest pause between two reads, in ms, unless the service asks for a longer one. */
  readonly pollMs: number
  /** Waits until the given monotonic time. */
  readonly pause?: (until: number) => Promise<void>
}

/** `timedOut` says why the read ended before the deadline, or ''. */
export type ReadResult = { readonly job: Job } | { readonly timedOut: string }

/**
 * Reads a job, and reads again after faults that pass, until the deadline (contract 4.4, 4.5).
 * @throws {ServiceError} when another try is of no use
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function readJob(
  deps: ReadDeps,
  client: AgentClient,
  request: ReadRequest,
): Promise<ReadResult> {
  const { jobId, deadline, pollMs, pause } = request
  const result = await retryRead(deps, {
    async read(leftMs, signal) {
      const read = await client.read(jobId, leftMs, signal)
      return 'job' in read ? { value: read.job } : read
    },
    explain: (failure) => explainFailure('read', failure, client.access, jobId),
    deadline,
    longestPauseMs: pollMs,
    ...(pause === undefined ? {} : { pause }),
  })
  if ('value' in result) return { job: result.value }
  const { askedMs } = result
  return { timedOut: askedMs === undefined ? '' : `The service asks to come back in ${duration(askedMs)}.` }
}
