import type { AgentClient } from '../agent/client.ts'
import { isTerminal, type Job, knownJob } from '../agent/job.ts'
import { type Ending, outcomeOf } from '../ending.ts'
import { explainFailure } from '../http/explain.ts'
import { ServiceError } from '../http/service-error.ts'
import type { OpenRequest } from './open-requests.ts'

/** After a message, a terminal status younger than this may be the last turn's (contract 4.8 at its default pause). */
const SETTLED_MS = 30_000

/**
 * Reads a job once.
 * @returns undefined when the service does not know it any more
 * @throws {ServiceError} on every other failure
 */
export async function readOnce(
  client: AgentClient,
  jobId: string,
  signal: AbortSignal,
): Promise<Job | undefined> {
  const answer = await client.read(jobId, undefined, signal)
  if ('job' in answer) return answer.job
  const error = new ServiceError(answer.failure, explainFailure('read', answer.failure, client.access, jobId))
  if (error.reason === 'job-not-found') return undefined
  throw error
}

/** How the request ended, or undefined while its job works. */
export function endingOfRequest(
  { marker }: OpenRequest,
  job: Job | undefined,
  now: number,
): Ending | undefined {
  const settled = marker.messaged === 0 || now - marker.messaged >= SETTLED_MS
  if (job !== undefined && !(isTerminal(job.status) && settled)) return undefined
  const common = {
    note: '',
    jobAction: marker.messaged === 0 ? 'created' : 'continued',
    asker: marker.asker,
    instruction: '',
    prompt: '',
    durationMs: now - (marker.from || now),
  } as const
  if (job !== undefined) return { ...common, outcome: outcomeOf(job), reason: '', message: '', job }
  const message =
    'The service no longer knows it. Look at the dashboard, or reply `/docs new …` to start again.'
  return { ...common, outcome: 'error', reason: 'job-not-found', message, job: knownJob(marker) }
}
