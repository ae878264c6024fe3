import { send } from '../agent/agent-client.ts'
import { pollJob, type WaitOptions } from '../agent/poll.ts'
import { orCancelled, throwIfCancelled } from '../cancellation.ts'
import { CreationUncertain, explainError } from '../errors.ts'
import { retryRead } from '../http/retry.ts'
import type { PullRequestRef } from '../link.ts'
import { pullRequestLink } from '../messages/report.ts'
import type { Job, Preview } from '../request/job.ts'
import type { CheckState, Running } from '../request/states.ts'
import { count, plainText } from '../text.ts'
import type { Written } from '../thread/thread.ts'
import { type Failures, fixMessage } from './fix-message.ts'
import { monotonicMessagedAt } from './follow.ts'
import type { Reading } from './read-checks.ts'
import type { Request } from './request.ts'

/** While its checks are followed, a request is `running`. */
export function followed({ state }: Request): Running & { readonly checks: CheckState } {
  if (state.state !== 'running' || state.checks === undefined) {
    throw new Error(`the checks are not followed in the state ${state.state}`)
  }
  return { ...state, checks: state.checks }
}

/** Changes what the record says of the checks. */
export function noteChecks(request: Request, change: Partial<CheckState>): void {
  request.apply({ type: 'check', checks: { ...followed(request).checks, ...change } })
}

/** @returns undefined where nothing fails */
export function failuresOf(
  pull: PullRequestRef,
  { checks }: Reading,
  preview: Preview | undefined,
): Failures | undefined {
  const failed = checks.filter(({ result }) => result === 'failed')
  const previewLog = preview?.status === 'failure' ? preview.logTail : undefined
  if (failed.length === 0 && previewLog === undefined) return undefined
  return { pull, checks: failed, previewLog }
}

export interface SendBackOptions {
  readonly sha: string
  /** How often failures may go back in all, over all attempts. */
  readonly fixAttempts: number
  /** On the monotonic clock, in ms: nothing is sent later. */
  readonly deadline: number
  /** Writes the record, in which the SHA stands now. */
  record(): Promise<Written>
}

/**
 * Sends what fails of a commit to the job, once a thread: its SHA stands in the record before the message goes out.
 * @returns whether the job got it
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function sendBack(
  request: Request,
  failures: Failures,
  { sha, fixAttempts, deadline, record }: SendBackOptions,
): Promise<boolean> {
  const { session } = request
  const { deps, client } = session
  const { job, checks } = followed(request)
  const { sentFor } = checks
  if (sentFor.length >= fixAttempts || sentFor.includes(sha) || deps.monotonic() >= deadline) return false
  const isSent = () => orCancelled(deps.cancellation, isSentByOthers(request, sha))
  if (await isSent()) return false
  const prompt = await orCancelled(deps.cancellation, fixMessage(session, failures))
  noteChecks(request, { sentFor: [...sentFor, sha], messagedAt: deps.now() })
  const written = await record()
  const isRecorded = written.failure === undefined && written.existing === undefined
  try {
    // Two runs can see the failures at the same time. Then neither sends them, rather than both.
    if (!isRecorded || (await isSent())) {
      noteChecks(request, checks)
      return false
    }
    readJob(request, await send(deps, client, { prompt, jobId: job.id, deadline }))
  } catch (error) {
    const isUncertain = error instanceof CreationUncertain
    if (!isUncertain) noteChecks(request, checks)
    throwIfCancelled(deps.cancellation)
    const link = pullRequestLink(job.prLink)
    const warning = isUncertain
      ? `It is not known whether the agent got what fails of ${link}. ${error.fault}.`
      : `The agent did not get what fails of ${link}. ${explainError(deps.core, error)}`
    deps.core.warning(plainText(warning))
    return false
  }
  noteChecks(request, { messagedAt: deps.now() })
  const failing = failures.checks.length + (failures.previewLog === undefined ? 0 : 1)
  const what = `${count(failing, 'failure')} of ${sha.slice(0, 7)}`
  deps.core.info(`${what} sent back to job ${job.id} (attempt ${sentFor.length + 1} of ${fixAttempts})`)
  return true
}

async function isSentByOthers({ thread }: Request, sha: string): Promise<boolean> {
  if (!thread.remembers) return false
  const history = await thread.readOrWarn()
  // A thread that cannot be read may hold it.
  return history === undefined || history.sentByOthers.has(sha)
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
    const answer = await retryRead(deps, waiting, (left, signal) => client.read(id, left, signal))
    if ('timedOut' in answer) return 'late'
    readJob(request, answer.job)
  }
  const state = followed(request)
  const messagedAt = monotonicMessagedAt(deps, state)
  const onJob = (job: Job) => readJob(request, job)
  const { job, timedOut } = await pollJob(deps, client, { ...waiting, job: state.job, messagedAt, onJob })
  if (timedOut !== undefined) return 'late'
  return job.status === 'completed' ? 'completed' : 'failed'
}

/** The pull request stays the job's, even where its last turn names none. */
function readJob(request: Request, job: Job): void {
  const { prLink } = followed(request).job
  request.apply({ type: 'read', job: job.prLink === '' ? { ...job, prLink } : job })
}
