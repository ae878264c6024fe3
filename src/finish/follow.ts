import { isJobNotFound } from '../agent/agent-client.ts'
import { pollJob, SETTLED_MS, type WaitOptions } from '../agent/poll.ts'
import { throwIfCancelled } from '../cancellation.ts'
import { retryRead } from '../http/retry.ts'
import { whileReporting, whileWaiting } from '../http/retry-rules.ts'
import { CAUSES } from '../messages/notes.ts'
import type { Job } from '../request/job.ts'
import { type Ending, ending, isDone, isTerminal, outcomeOf } from '../request/outcome.ts'
import { type CheckState, lastMessagedAt, type Running } from '../request/states.ts'
import type { AgentRequest } from '../step/agent-request.ts'

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
  request: AgentRequest,
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

async function look(request: AgentRequest, state: Running, { read }: Look): Promise<Ending | undefined> {
  const job = await read(state.job.id)
  if (job === undefined) return ending('error', 'job-not-found', CAUSES.jobGone)
  const { deps } = request.session
  if (!hasEnded(job, state, deps.now())) return undefined
  request.apply({ type: 'read', job })
  return endingOf(job)
}

async function wait(request: AgentRequest, state: Running, options: WaitOptions): Promise<Ending> {
  // A new job that already ended gets its result, not a status. After a message that needs a second look (4.8).
  if (isTerminal(state.job.status) && lastMessagedAt(state) === 0) return endingOf(state.job)
  throwIfCancelled(request.session.deps.cancellation)
  request.claimUntil(options.deadline)
  await writeStatus(request, options)
  const { job, timedOut } = await poll(request, state, options, (read) =>
    request.apply({ type: 'read', job: read }),
  )
  return timedOut === undefined ? endingOf(job) : ending('timed-out', '', timedOut)
}

/** GitHub never decides how a run ends, not even by the time that a limit of its rate takes (contract 5.6). */
async function writeStatus(request: AgentRequest, { deadline }: WaitOptions): Promise<void> {
  const { session } = request
  session.enterPhase(whileWaiting(deadline - session.deps.monotonic()))
  await request.writeStatus()
  session.enterPhase(whileReporting())
}

async function poll(
  { session: { deps, client } }: AgentRequest,
  state: Running,
  waiting: WaitOptions,
  onJob: (job: Job) => void,
) {
  const messaged = lastMessagedAt(state)
  // As far as the clocks of two runners agree.
  const messagedAt = messaged === 0 ? undefined : deps.monotonic() - Math.max(0, deps.now() - messaged)
  return await pollJob(deps, client, { ...waiting, job: state.job, messagedAt, onJob })
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

/** While its checks are followed, a request is `running`. */
export function followed({ state }: AgentRequest): Running & { readonly checks: CheckState } {
  if (state.state !== 'running' || state.checks === undefined) {
    throw new Error(`the checks are not followed in the state ${state.state}`)
  }
  return { ...state, checks: state.checks }
}

export function noteChecks(request: AgentRequest, change: Partial<CheckState>): void {
  request.apply({ type: 'check', checks: { ...followed(request).checks, ...change } })
}

/** The pull request stays the job's, even where its last turn names none. */
export function noteJob(request: AgentRequest, job: Job): void {
  const { prLink } = followed(request).job
  request.apply({ type: 'read', job: job.prLink === '' ? { ...job, prLink } : job })
}

/**
 * Follows the job while it works on what went back.
 * @param isEarlier an earlier attempt sent it: what the record says of the job is from before it
 */
export async function followTurn(
  request: AgentRequest,
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
  const onJob = (read: Job) => noteJob(request, read)
  const { job, timedOut } = await poll(request, followed(request), waiting, onJob)
  if (timedOut !== undefined) return 'late'
  return isDone(job) ? 'completed' : 'failed'
}
