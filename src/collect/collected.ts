import type { AgentClient } from '../agent/client.ts'
import { type Ending, outcomeOf } from '../core/ending.ts'
import { isTerminal, type Job, knownJob } from '../core/job.ts'
import type { Marker } from '../core/marker.ts'
import { explainFailure } from '../http/explain.ts'
import { ServiceError } from '../http/service-error.ts'

/** After a message, a terminal status younger than this may be the last turn's (contract 4.8 at its default pause). */
const SETTLED_MS = 30_000

/** What a read tells: the job, or that the service does not know it any more. */
export type Reading = Job | 'gone'

/**
 * Reads a job once, without a second try: what fails is left to the next sweep.
 * @throws {ServiceError} unless the answer is a job or a 404
 */
export async function readOnce(client: AgentClient, jobId: string, signal: AbortSignal): Promise<Reading> {
  const answer = await client.read(jobId, undefined, signal)
  if ('job' in answer) return answer.job
  const error = new ServiceError(answer.failure, explainFailure('read', answer.failure, client.access, jobId))
  if (error.reason === 'job-not-found') return 'gone'
  throw error
}

/** Whether the job has ended this request, and not only the one before it (contract 4.8). */
export function hasEnded(job: Job, { messaged, status }: Marker, now: number): boolean {
  const turnBegan = messaged === 0 || status === 'active'
  return isTerminal(job.status) && (turnBegan || now - messaged >= SETTLED_MS)
}

/** The ending as the run would have told it that did not wait for it. */
export function endingOf(marker: Marker, reading: Reading, instruction: string, now: number): Ending {
  const common = {
    note: '',
    jobAction: marker.messaged === 0 ? 'created' : 'continued',
    followUp: marker.messaged > 0,
    asker: marker.asker,
    instruction,
    prompt: '',
    durationMs: now - (marker.from || now),
  } as const
  if (reading !== 'gone') {
    return { ...common, outcome: outcomeOf(reading), reason: '', message: '', job: reading }
  }
  const message =
    'The service no longer knows it. Look at the dashboard, or reply `/docs new …` to start again.'
  return { ...common, outcome: 'error', reason: 'job-not-found', message, job: knownJob(marker) }
}
