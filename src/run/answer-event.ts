import { sayClosed } from '../docs-with-code/closed.ts'
import { aboutHead, type Code, readCode } from '../docs-with-code/code.ts'
import { answerOfThread, answerToClosed } from '../docs-with-code/same-changes.ts'
import { setStatus, verdictOfChanges } from '../docs-with-code/status.ts'
import { GitHubError } from '../errors.ts'
import { unlistedBot } from '../event/gate.ts'
import { nothingToDocument } from '../features/pull-request/nothing-to-document.ts'
import { botVerdict } from '../messages/commit-verdict.ts'
import { notListed, UNREAD_THREAD } from '../messages/notes.ts'
import type { Task } from '../prompt/task.ts'
import { ending } from '../request/outcome.ts'
import type { RunEnd } from '../request/report.ts'
import { changesKey } from '../request/request-key.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { readThread } from '../thread/thread.ts'
import { skipAgentPullRequest } from './agent-pull-requests.ts'

/** What a `pull_request` event brings that the thread has an answer for; else the request is about the changes from now on. */
export async function answerEvent(
  session: Session,
  request: Request,
  task: Task,
  code: Code,
): Promise<RunEnd | undefined> {
  const { inputs, trigger } = task
  const job = request.records()?.memory.latest.job
  const isClosed = trigger.action === 'closed'
  const closed = isClosed ? await sayClosed(session, request, task) : undefined
  if (closed !== undefined) return closed
  const agents = trigger.subject && (await skipAgentPullRequest(session, trigger.subject, task, job))
  if (agents !== undefined) return agents
  const idle = await nothingToDocument(session, code, job, inputs.command)
  // What the end of a pull request asks is compared with no push.
  if (isClosed) {
    request.updateIdentity({ head: { sha: '', digest: '', step: '' } })
    return answerToClosed(request.records(), trigger.subject, idle)
  }
  await keyByChanges(session, request, task, code)
  const records = request.records()
  // Another run may have asked about the same changes.
  if (records === undefined) return ending('error', 'github-unavailable', UNREAD_THREAD['github-unavailable'])
  const wanted = {
    now: session.github.clock(),
    isReRun: session.context.runAttempt > 1,
    labeledAt: trigger.action === 'labeled' ? (trigger.subject?.updatedAt ?? 0) : 0,
  }
  const answer = answerOfThread(records, request.identity, wanted, idle)
  // It was closed while the run waited for its turn.
  if (answer === undefined && records.own === undefined && code.pull?.state === 'closed')
    return ending('skipped', 'pull-request-closed')
  if (answer === undefined) return undefined
  request.becomeLatest()
  if (answer.verdict !== undefined && !inputs.dryRun) await setStatus(session, request, answer.verdict)
  return answer.ending
}

/** From now on the request is about these changes, whichever event and run bring them. */
async function keyByChanges(session: Session, request: Request, task: Task, code: Code): Promise<void> {
  const { inputs, origin, distinct } = task
  const { thread, identity } = request
  const job = request.records()?.memory.latest.job
  request.updateIdentity(await aboutHead(session, identity, inputs.commitStatus, code, job))
  if (code.digest !== '' && thread !== undefined)
    request.updateIdentity({ key: changesKey(origin, distinct, thread.number, code.digest), origin: '' })
}

/** A `pull_request` event of a bot asks nothing: known changes keep their verdict, and others wait for a person. */
export async function followBot(session: Session, request: Request, task: Task): Promise<RunEnd> {
  const { inputs, trigger } = task
  try {
    if ((await readThread(session, request.thread)) !== undefined) request.answerIn(undefined)
    if (trigger.action === 'closed') await sayClosed(session, request, task)
    else if (!inputs.dryRun) await keepStatus(session, request, task)
  } catch (error) {
    // What GitHub does not answer changes nothing of how the run ends.
    if (!(error instanceof GitHubError)) throw error
    session.warnings.add('head', error)
  }
  const { login } = unlistedBot(inputs, [trigger.sender, ...trigger.authors]) ?? {}
  return ending('skipped', 'bot', login && notListed(login))
}

async function keepStatus(session: Session, request: Request, task: Task): Promise<void> {
  const { inputs, trigger } = task
  const { thread } = request
  const records = request.records()
  if (records === undefined || thread === undefined) return
  const { code: known, skip } = records.memory.latest
  const isKept = known.some(({ step }) => step === request.identity.head.step)
  if (!isKept && skip === undefined) return
  const code = await readCode(session, thread.number, task)
  if (code === undefined) return
  await keyByChanges(session, request, task, code)
  request.becomeLatest()
  const isPush = trigger.action === 'synchronize'
  const idle = await nothingToDocument(session, code, records.memory.latest.job, inputs.command)
  const ofPush = idle?.verdict ?? botVerdict(trigger.sender?.login ?? '', inputs.command)
  const undecided = isPush ? ofPush : undefined
  const verdict = verdictOfChanges(request.records() ?? records, request.identity) ?? undecided
  if (verdict !== undefined) await setStatus(session, request, verdict)
}
