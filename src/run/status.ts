import { throwIfCancelled } from '../core/cancellation.ts'
import { knownJob } from '../core/job.ts'
import { explainFailure } from '../http/explain.ts'
import { reasonOf, ServiceError } from '../http/service-error.ts'
import type { Deps } from '../runner/deps.ts'
import type { Memory } from '../thread/memory.ts'
import { ended, type Progress, type Result } from './progress.ts'
import type { Session } from './session.ts'

/** `/docs status`: reads the thread's job once (contract 3.2). */
export async function answerStatus(
  deps: Deps,
  { client, inputs, deadline }: Session,
  memory: Memory | undefined,
  progress: Progress,
): Promise<Result> {
  const marker = memory?.job?.marker
  const jobId = marker?.job
  if (jobId === undefined) return ended('skipped', 'status')
  if (inputs.dryRun && marker !== undefined) {
    progress.job = knownJob(marker)
    return ended('skipped', 'status')
  }
  const left = deadline - deps.now()
  if (left <= 0) return ended('timed-out')
  const answer = await client.read(jobId, left, deps.cancellation.requested)
  throwIfCancelled(deps.cancellation)
  if ('failure' in answer) {
    // A job that is gone is an answer, too.
    if (reasonOf(answer.failure) === 'job-not-found') return ended('skipped', 'status', GONE)
    throw new ServiceError(answer.failure, explainFailure('read', answer.failure, client.access, jobId))
  }
  progress.job = answer.job
  return ended('skipped', 'status')
}

const GONE = 'The job of this thread no longer exists.'
