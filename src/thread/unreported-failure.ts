import { ifKnown } from '../agent/agent-client.ts'
import { isReadTimeout } from '../http/retry.ts'
import type { Task } from '../prompt/task.ts'
import type { RequestRecord } from '../record/record.ts'
import type { Session } from './session.ts'

/**
 * Whether the job of a request has failed, or is gone, and no run has reported it: the agent does not have its changes then.
 * @throws {ServiceError} where the service does not say until the deadline
 */
export async function hasUnreportedFailure(
  { client }: Pick<Session, 'client'>,
  { deadline, inputs }: Pick<Task, 'deadline' | 'inputs'>,
  record: RequestRecord,
): Promise<boolean> {
  if (record.state !== 'running') return false
  const options = { deadline, pollMs: inputs.pollMs, isKnown: true }
  const job = await ifKnown(client.read(record.job.id, options))
  if (job === undefined) return true
  if (!isReadTimeout(job)) return job.status === 'failed'
  if (job.failed !== undefined) throw job.failed
  return false
}
