import { type Cancellation, sleepUnlessCancelled } from '../cancellation.ts'
import { Cancelled } from '../errors.ts'
import { explainFailure } from '../http/explain.ts'
import { backoffMs, isUnreadable, UNREADABLE_TRIES, verdictOf } from '../http/retry.ts'
import type { ServiceDeps } from '../http/service.ts'
import { type Failure, ServiceError } from '../http/service-error.ts'
import { duration } from '../text.ts'
import type { AgentClient } from './client.ts'
import type { Job } from './job.ts'

export interface ReadDeps extends ServiceDeps {
  random(): number
  log(line: string): void
  readonly cancellation: Cancellation
}

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
  const { jobId, deadline, pollMs } = request
  const pause = request.pause ?? ((until) => sleepUnlessCancelled(deps, Math.max(0, until - deps.now())))
  for (let attempt = 1, unreadable = 0; ; attempt++) {
    const left = deadline - deps.now()
    if (left <= 0) return { timedOut: '' }
    const answer = await client.read(jobId, left, deps.cancellation.requested)
    if (deps.cancellation.requested.aborted) throw new Cancelled()
    if ('job' in answer) return answer
    const { failure } = answer
    const error = new ServiceError(failure, explainFailure('read', failure, client.access, jobId))
    unreadable = isUnreadable(failure) ? unreadable + 1 : 0
    if (verdictOf('read', failure) === 'end' || unreadable >= UNREADABLE_TRIES) throw error
    const asked = retryAfter(failure)
    if (asked !== undefined && deps.now() + asked > deadline) {
      return { timedOut: `The service asks to come back in ${duration(asked)}.` }
    }
    deps.log(error.message)
    await pause(Math.min(deadline, deps.now() + (asked ?? Math.min(pollMs, backoffMs(attempt, deps.random)))))
  }
}

const retryAfter = (failure: Failure): number | undefined =>
  failure.kind === 'status' ? failure.retryAfterMs : undefined
