import type { Deps } from './deps.ts'
import { explainFailure } from './http/explain.ts'
import { ServiceError } from './http/service-error.ts'
import { ended, type Progress, type Result } from './progress.ts'
import type { Session } from './session.ts'
import type { Memory } from './thread/memory.ts'

/** `/docs status`: reads the thread's job once (contract 3.2). */
export async function answerStatus(
  deps: Deps,
  { client }: Session,
  memory: Memory | undefined,
  progress: Progress,
): Promise<Result> {
  const jobId = memory?.job?.marker.job
  if (jobId === undefined) return ended('skipped', 'status')
  const answer = await client.read(jobId, undefined, deps.cancellation.requested)
  if ('failure' in answer) {
    throw new ServiceError(answer.failure, explainFailure('read', answer.failure, client.access, jobId))
  }
  progress.job = answer.job
  return ended('skipped', 'status')
}
