import { sayClosed } from '../docs-with-code/closed.ts'
import { aboutHead, type Code } from '../docs-with-code/code.ts'
import { answerOfThread, answerToClosed } from '../docs-with-code/same-changes.ts'
import { setStatus } from '../docs-with-code/status.ts'
import { UNREAD_THREAD } from '../messages/notes.ts'
import type { RunEnd } from '../messages/phrases.ts'
import type { Task } from '../prompt/task.ts'
import { ending } from '../request/outcome.ts'
import { changesKey } from '../request/request-key.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { skipAgentPullRequest } from './agent-pull-requests.ts'

/** What a `pull_request` event brings that the thread has an answer for; else the request is about the changes from now on. */
export async function answerEvent(
  session: Session,
  request: Request,
  task: Task,
  code: Code,
): Promise<RunEnd | undefined> {
  const { inputs, trigger, origin, distinct } = task
  const { thread } = request
  const job = request.reading?.memory.latest.job
  const isClosed = trigger.action === 'closed'
  const closed = isClosed ? await sayClosed(session, request, task) : undefined
  if (closed !== undefined) return closed
  const agents = trigger.subject && (await skipAgentPullRequest(session, trigger.subject, task, job))
  if (agents !== undefined) return agents
  // What the end of a pull request asks is compared with no push.
  if (isClosed) {
    request.updateIdentity({ head: { sha: '', digest: '', step: '' } })
    return answerToClosed(request.reading, trigger.subject, code.isInPaths)
  }
  request.updateIdentity(await aboutHead(session, request.identity, inputs.commitStatus, code, job))
  if (code.digest !== '' && thread !== undefined)
    request.updateIdentity({ key: changesKey(origin, distinct, thread.number, code.digest), origin: '' })
  const { reading } = request
  // Another run may have asked about the same changes.
  if (reading === undefined)
    return { ending: ending('error', 'github-unavailable', UNREAD_THREAD['github-unavailable']) }
  const isReRun = session.context.runAttempt > 1
  const now = session.github.clock()
  const answer = answerOfThread(reading, request.identity, now, isReRun, code.isInPaths)
  if (answer === undefined) return undefined
  request.becomeLatest()
  if (answer.verdict !== undefined && !inputs.dryRun) await setStatus(session, request, answer.verdict)
  return { ending: answer.ending }
}
