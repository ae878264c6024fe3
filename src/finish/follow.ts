import { isJobNotFound } from '../agent/agent-client.ts'
import { pollJob, SETTLED_MS, type WaitOptions } from '../agent/poll.ts'
import { throwIfCancelled } from '../cancellation.ts'
import type { Deps } from '../deps.ts'
import type { Job } from '../request/job.ts'
import { type Ending, ending, isTerminal, outcomeOf } from '../request/outcome.ts'
import { lastMessagedAt, type Running } from '../request/states.ts'
import type { Request } from './request.ts'

/** How a request ends whose job was gone before its end was seen. */
export const NO_LONGER_KNOWN = ending(
  'error',
  'job-not-found',
  'The service no longer knows it. Look at the dashboard, or ask for a new job.',
)

interface Look {
  /** @returns undefined where the service no longer knows the job */
  read(jobId: string): Promise<Job | undefined>
}

/** How long a caller stays with a job: until it ends or the deadline comes, or for one look. */
export type Patience = WaitOptions | Look

/**
 * @returns how the request ended, undefined where the job still works after a look
 * @throws {ServiceError} where the job cannot be read
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function follow(
  request: Request,
  state: Running,
  patience: Patience,
): Promise<Ending | undefined> {
  try {
    return 'read' in patience ? await look(request, state, patience) : await wait(request, state, patience)
  } catch (error) {
    if (!isJobNotFound(error)) throw error
    return ending('error', 'job-not-found', error.message)
  }
}

async function look(request: Request, state: Running, { read }: Look): Promise<Ending | undefined> {
  const job = await read(state.job.id)
  if (job === undefined) return NO_LONGER_KNOWN
  const { deps } = request.session
  if (!hasEnded(job, state, deps.now())) return undefined
  request.apply({ type: 'read', job })
  return endingOf(job)
}

async function wait(request: Request, state: Running, options: WaitOptions): Promise<Ending> {
  const { deps, client } = request.session
  const { job } = state
  const messagedAt = monotonicMessagedAt(deps, state)
  // A new job that already ended gets its result, not a status. After a message that needs a second look (4.8).
  if (isTerminal(job.status) && messagedAt === undefined) return endingOf(job)
  throwIfCancelled(deps.cancellation)
  request.claimUntil(options.deadline)
  await request.writeStatus()
  const polled = await pollJob(deps, client, {
    ...options,
    job,
    messagedAt,
    onJob: (read) => request.apply({ type: 'read', job: read }),
  })
  if (polled.timedOut !== undefined) return ending('timed-out', '', polled.timedOut)
  return endingOf(polled.job)
}

/** On the monotonic clock, as far as the clocks of two runners agree; undefined where the job got no message. */
export function monotonicMessagedAt({ monotonic, now }: Deps, state: Running): number | undefined {
  const messaged = lastMessagedAt(state)
  return messaged === 0 ? undefined : monotonic() - Math.max(0, now() - messaged)
}

function endingOf(job: Job): Ending {
  const outcome = outcomeOf(job)
  if (outcome === undefined) throw new Error(`a job that is ${job.status} has not ended`)
  return ending(outcome)
}

/** Whether the job ended this request, and not only the one before it (contract 4.8). @param now in ms since the epoch */
export function hasEnded(job: Job, state: Running, now: number): boolean {
  const messagedAt = lastMessagedAt(state)
  const turnBegan = messagedAt === 0 || state.job.status === 'active'
  return isTerminal(job.status) && (turnBegan || now - messagedAt >= SETTLED_MS)
}
