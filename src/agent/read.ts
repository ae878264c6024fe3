import type { Job } from '../core/job.ts'
import { duration } from '../core/text.ts'
import { explainFailure } from '../http/explain.ts'
import { type InsistDeps, insist } from '../http/insist.ts'
import type { ServiceDeps } from '../http/service.ts'
import type { AgentClient } from './client.ts'

export type ReadDeps = ServiceDeps & InsistDeps

export interface ReadRequest {
  readonly jobId: string
  /** In ms since the epoch; nothing is asked later. */
  readonly deadline: number
  /** The longest pause between two reads, unless the service asks for a longer one. */
  readonly pollMs: number
  /** Waits until the given time (ms since the epoch). */
  readonly pause?: (until: number) => Promise<void>
}

/** `timedOut` says why the time was up before the deadline, or ''. */
export type ReadResult = { readonly job: Job } | { readonly timedOut: string }

/**
 * Reads a job, and asks again after faults that pass, with growing pauses, until the deadline (contract 4.4, 4.5).
 * @throws {ServiceError} when asking again is of no use
 * @throws {Cancelled} as soon as the run is told to stop
 */
export async function read(deps: ReadDeps, client: AgentClient, request: ReadRequest): Promise<ReadResult> {
  const { jobId, deadline, pollMs, pause } = request
  const answer = await insist(deps, {
    async ask(leftMs, signal) {
      const result = await client.read(jobId, leftMs, signal)
      return 'job' in result ? { value: result.job } : result
    },
    explain: (failure) => explainFailure('read', failure, client.access, jobId),
    deadline,
    longestPauseMs: pollMs,
    ...(pause === undefined ? {} : { pause }),
  })
  if ('value' in answer) return { job: answer.value }
  const { askedMs } = answer
  return { timedOut: askedMs === undefined ? '' : `The service asks to come back in ${duration(askedMs)}.` }
}
