import { send } from '../agent/agent-client.ts'
import { orCancelled, throwIfCancelled } from '../cancellation.ts'
import { CreationUncertain } from '../errors.ts'
import { type ChecksTrouble, explainChecks } from '../messages/checks-words.ts'
import { explainError } from '../messages/explain.ts'
import type { Job } from '../request/job.ts'
import type { CheckState, Reported } from '../request/record.ts'
import { count } from '../text.ts'
import type { Session } from '../thread/session.ts'
import { type Failures, fixMessage } from './fix-message.ts'
import type { Request } from './request.ts'
import type { Result } from './result.ts'

/** The checks of a reported request. */
export function checksOf({ state }: Request): Reported & { readonly checks: CheckState } {
  if (state.state !== 'reported') throw new Error(`the checks are not followed in the state ${state.state}`)
  return { ...state, checks: state.checks ?? { status: 'pending', sentFor: [], messagedAt: 0 } }
}

export function noteChecks(request: Request, change: Partial<CheckState>, follows = true): void {
  request.apply({ type: 'check', checks: { ...checksOf(request).checks, ...change }, follows })
}

/** The pull request stays the job's, even where its last turn names none. */
export function noteJob(request: Request, job: Job): void {
  const { prLink } = checksOf(request).job
  request.apply({ type: 'read', job: job.prLink === '' ? { ...job, prLink } : job })
}

async function isSentByOthers(session: Session, request: Request, sha: string): Promise<boolean> {
  const { thread } = request
  if (thread === undefined || session.commentMode === 'off') return false
  await orCancelled(session.deps.cancellation, thread.readOrWarn(session))
  // A thread that cannot be read may hold it.
  return request.history === undefined || request.history.sentByOthers.has(sha)
}

interface SendingBack {
  /** How often failures may go back to the agent in all, over all attempts. */
  readonly fixAttempts: number
  /** On the monotonic clock, in ms: nothing is sent later. */
  readonly deadline: number
  /** Shows that the failures go back, and writes the record. */
  announce(): Promise<Pick<Result, 'isRecorded' | 'failure'>>
}

/**
 * Sends what fails of a commit to the job, once a thread: its SHA stands in the record before the message goes out.
 * @returns whether the job got it
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function sendBack(
  session: Session,
  request: Request,
  failures: Failures,
  { fixAttempts, deadline, announce }: SendingBack,
): Promise<boolean> {
  const { deps, client } = session
  const { job, checks } = checksOf(request)
  const { sentFor } = checks
  const { sha } = failures
  const isLate = () => deps.monotonic() >= deadline
  if (sentFor.length >= fixAttempts || sentFor.includes(sha) || isLate()) return false
  if (await isSentByOthers(session, request, sha)) return false
  const prompt = await orCancelled(deps.cancellation, fixMessage(session, failures))
  noteChecks(request, { sentFor: [...sentFor, sha], messagedAt: deps.now() })
  const { isRecorded, failure } = await announce()
  try {
    // Two runs can see the failures at the same time. Then neither sends them, rather than both.
    const isFree = isRecorded && !(await isSentByOthers(session, request, sha))
    // GitHub may have used up the time meanwhile, and no run would follow the message.
    if (!isFree || isLate()) {
      noteChecks(request, checks)
      if (failure !== undefined) warnOfChecks(session, request, 'unrecorded')
      return false
    }
    noteJob(request, await send(deps, client, { prompt, jobId: job.id, deadline }))
  } catch (error) {
    const isUncertain = error instanceof CreationUncertain
    if (!isUncertain) noteChecks(request, checks)
    throwIfCancelled(deps.cancellation)
    if (isUncertain) warnOfChecks(session, request, 'uncertain', error.message)
    else warnOfChecks(session, request, 'unsent', explainError(deps.core, error))
    return false
  }
  noteChecks(request, { messagedAt: deps.now() })
  const failing = failures.checks.length + (failures.previewLog === undefined ? 0 : 1)
  const what = `${count(failing, 'failure')} of ${sha.slice(0, 7)}`
  deps.core.info(`${what} sent back to job ${job.id} (attempt ${sentFor.length + 1} of ${fixAttempts})`)
  return true
}

export function warnOfChecks(session: Session, request: Request, trouble: ChecksTrouble, why?: string): void {
  session.deps.core.warning(explainChecks(trouble, checksOf(request).job.prLink, why))
}
