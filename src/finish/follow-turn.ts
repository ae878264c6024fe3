import { pollJob, type WaitOptions } from '../agent/poll.ts'
import { retryRead } from '../http/retry.ts'
import type { Job } from '../request/job.ts'
import type { CheckState, Running } from '../request/states.ts'
import { monotonicMessagedAt } from './follow.ts'
import type { Request } from './request.ts'

/** While its checks are followed, a request is `running`. */
export function followed({ state }: Request): Running & { readonly checks: CheckState } {
  if (state.state !== 'running' || state.checks === undefined) {
    throw new Error(`the checks are not followed in the state ${state.state}`)
  }
  return { ...state, checks: state.checks }
}

export function noteChecks(request: Request, change: Partial<CheckState>): void {
  request.apply({ type: 'check', checks: { ...followed(request).checks, ...change } })
}

/** The pull request stays the job's, even where its last turn names none. */
export function noteJob(request: Request, job: Job): void {
  const { prLink } = followed(request).job
  request.apply({ type: 'read', job: job.prLink === '' ? { ...job, prLink } : job })
}

/**
 * Follows the job while it works on what went back.
 * @param isEarlier an earlier attempt sent it: what the record says of the job is from before it
 */
export async function followTurn(
  request: Request,
  waiting: WaitOptions,
  isEarlier = false,
): Promise<'completed' | 'failed' | 'late'> {
  const { deps, client } = request.session
  if (isEarlier) {
    const { id } = followed(request).job
    const job = await retryRead(deps, waiting, (left, signal) => client.read(id, left, signal))
    if ('timedOut' in job) return 'late'
    noteJob(request, job)
  }
  const state = followed(request)
  const messagedAt = monotonicMessagedAt(deps, state)
  const onJob = (job: Job) => noteJob(request, job)
  const { job, timedOut } = await pollJob(deps, client, { ...waiting, job: state.job, messagedAt, onJob })
  if (timedOut !== undefined) return 'late'
  return job.status === 'completed' ? 'completed' : 'failed'
}
