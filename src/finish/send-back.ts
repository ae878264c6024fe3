import { send } from '../agent/agent-client.ts'
import { orCancelled, throwIfCancelled } from '../cancellation.ts'
import { CreationUncertain } from '../errors.ts'
import { type ChecksTrouble, explainChecks } from '../messages/checks-words.ts'
import { explainError } from '../messages/explain.ts'
import type { AgentRequest } from '../step/agent-request.ts'
import { count } from '../text.ts'
import type { Written } from '../thread/thread.ts'
import { type Failures, fixMessage } from './fix-message.ts'
import { followed, noteChecks, noteJob } from './follow.ts'

interface SendingBack {
  /** How often failures may go back to the agent in all, over all attempts. */
  readonly fixAttempts: number
  /** On the monotonic clock, in ms: nothing is sent later. */
  readonly deadline: number
  /** Shows that the failures go back, and writes the record. */
  announce(): Promise<Written>
}

/**
 * Sends what fails of a commit to the job, once a thread: its SHA stands in the record before the message goes out.
 * @returns whether the job got it
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function sendBack(
  request: AgentRequest,
  failures: Failures,
  { fixAttempts, deadline, announce }: SendingBack,
): Promise<boolean> {
  const { session } = request
  const { deps, client } = session
  const { job, checks } = followed(request)
  const { sentFor } = checks
  const { sha } = failures
  const isLate = () => deps.monotonic() >= deadline
  if (sentFor.length >= fixAttempts || sentFor.includes(sha) || isLate()) return false
  if (await isSentByOthers(request, sha)) return false
  const prompt = await orCancelled(deps.cancellation, fixMessage(session, failures))
  noteChecks(request, { sentFor: [...sentFor, sha], messagedAt: deps.now() })
  const written = await announce()
  const isRecorded = written.failure === undefined && written.existing === undefined
  try {
    // Two runs can see the failures at the same time. Then neither sends them, rather than both.
    const isFree = isRecorded && !(await isSentByOthers(request, sha))
    // GitHub may have used up the time meanwhile, and no run would follow the message.
    if (!isFree || isLate()) {
      noteChecks(request, checks)
      if (written.failure !== undefined) warnOfChecks(request, 'unrecorded')
      return false
    }
    noteJob(request, await send(deps, client, { prompt, jobId: job.id, deadline }))
  } catch (error) {
    const isUncertain = error instanceof CreationUncertain
    if (!isUncertain) noteChecks(request, checks)
    throwIfCancelled(deps.cancellation)
    if (isUncertain) warnOfChecks(request, 'uncertain', error.message)
    else warnOfChecks(request, 'unsent', explainError(deps.core, error))
    return false
  }
  noteChecks(request, { messagedAt: deps.now() })
  const failing = failures.checks.length + (failures.previewLog === undefined ? 0 : 1)
  const what = `${count(failing, 'failure')} of ${sha.slice(0, 7)}`
  deps.core.info(`${what} sent back to job ${job.id} (attempt ${sentFor.length + 1} of ${fixAttempts})`)
  return true
}

async function isSentByOthers({ thread, session }: AgentRequest, sha: string): Promise<boolean> {
  if (!thread.canRemember) return false
  const history = await orCancelled(session.deps.cancellation, thread.readOrWarn())
  // A thread that cannot be read may hold it.
  return history === undefined || history.sentByOthers.has(sha)
}

export function warnOfChecks(request: AgentRequest, trouble: ChecksTrouble, why?: string): void {
  const { prLink } = followed(request).job
  request.session.deps.core.warning(explainChecks(trouble, prLink, why))
}
