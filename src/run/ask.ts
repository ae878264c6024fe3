import { orCancelled } from '../deps.ts'
import { aboutHead, type Code, readCode } from '../docs-with-code/code.ts'
import { checkAccess, isPullRequestEvent } from '../event/gate.ts'
import { fullName } from '../link.ts'
import { logHeader } from '../messages/comments.ts'
import { uncertainEnd, unreadPermission, WARNINGS } from '../messages/notes.ts'
import type { AskResult, RunEnd } from '../messages/phrases.ts'
import { readEventTexts } from '../prompt/prompt.ts'
import { mayAskAgent, type Task } from '../prompt/task.ts'
import { ending } from '../request/outcome.ts'
import { MOST_MERGED, type RequestRecord } from '../request/record.ts'
import { withAuthors } from '../request/reviewers.ts'
import { acknowledge } from '../thread/reactions.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import type { Thread } from '../thread/thread.ts'
import { answerCommand } from './answer-command.ts'
import { answerEvent } from './answer-event.ts'
import { askAgent } from './ask-agent.ts'
import { checkSetup } from './check-setup.ts'
import { findPlace, type Place } from './find-thread.ts'

/**
 * Brings a request to the agent, once.
 * @throws what `endingAfter` knows, and nothing was sent then
 */
export async function ask(session: Session, request: Request, task: Task): Promise<AskResult> {
  const { deps } = session
  const { inputs, trigger, command } = task
  // 1. The permission.
  const denied = await checkPermission(session, request.thread, task)
  if (denied !== undefined) return denied
  request.mayWrite = true
  // From here on a kill is the post step's to report.
  request.keepForPostStep(session)
  // 2. The thread, with all that can be read at the same time.
  const isForAgent = mayAskAgent(command, trigger)
  // The text of a comment can be read beside the thread. For a commit status, the pull request is read first, once for both.
  const isKnownByNow = isForAgent && trigger.comment !== undefined && inputs.commitStatus === ''
  const texts = isKnownByNow ? readEventTexts(session, task, task.text, undefined) : undefined
  texts?.catch(() => undefined)
  const reading = Promise.all([
    findPlace(session, request.identity, task, request.thread),
    isForAgent ? readCode(session, request.thread?.number, task) : undefined,
    isForAgent && inputs.dryRun ? checkSetup(session, request, task) : undefined,
  ])
  const [place, code, refused] = await orCancelled(deps.cancellation, reading)
  enter(request, place)
  logStart(session, request, task)
  request.keepForPostStep(session)
  if (refused !== undefined) {
    request.becomeLatest()
    return { ending: refused }
  }
  if (place.ending !== undefined) return { ending: place.ending }
  // 3. What the thread says of the same changes.
  const answered = isPullRequestEvent(trigger) && code && (await answerEvent(session, request, task, code))
  if (answered) return answered
  // 4. What an earlier attempt did.
  if (inputs.dryRun) request.becomeLatest()
  const earlier = inputs.dryRun ? undefined : request.continueFromThread()
  if (earlier !== undefined) return await resume(session, request, task, earlier, code)
  // 5. The agent, unless the command asks it nothing.
  if (isForAgent) return await askAgent(session, request, task, { pushed: place.pushed, code, texts })
  return (await answerCommand(session, request, task, command)) ?? { ending: ending('skipped', 'help') }
}

async function checkPermission(
  session: Session,
  thread: Thread | undefined,
  { trigger, inputs, answersDenial }: Task,
): Promise<RunEnd | undefined> {
  const { deps, github, warnings } = session
  const access = await orCancelled(deps.cancellation, checkAccess(github, trigger, inputs.minPermission))
  if (access.granted) return undefined
  const { login, has, unreadable } = access
  if (answersDenial && thread !== undefined) {
    const reading = warnings.warnIfRefused(['thread', thread.number], () => thread.read(session))
    await orCancelled(deps.cancellation, reading)
  }
  if (unreadable !== undefined) deps.core.warning(unreadPermission(login, unreadable))
  return {
    ending: ending('skipped', 'permission-denied'),
    denied: { login, has, isSilent: !answersDenial },
  }
}

function enter(request: Request, { thread, tracking, pushed }: Place): void {
  request.thread = thread
  request.updateIdentity({ tracking })
  if (pushed === undefined) return
  const { merged } = pushed
  request.updateIdentity({
    merged: merged.map(({ number }) => number).slice(-MOST_MERGED),
    ...withAuthors(request.identity.settings, merged.toReversed()),
  })
}

function logStart(
  { deps, context, commentMode }: Session,
  { thread, identity, reading }: Request,
  { inputs, trigger }: Task,
): void {
  const { core } = deps
  const where = `${fullName(context.repository)}${thread === undefined ? '' : `#${thread.number}`}`
  core.info(logHeader(trigger, identity.requestedBy, where))
  // Without comments of its own, a run knows what those of other workflows say.
  const hasMemory =
    commentMode === 'off'
      ? reading?.memory.latest.job !== undefined
      : thread !== undefined || inputs.issueTitle !== undefined
  if (hasMemory) return
  if (inputs.conversation === 'skip') core.warning(WARNINGS.nothingToSkipBy)
  if (inputs.changesSince === 'last-run') core.warning(WARNINGS.noLastRun)
}

/** Goes on with what an earlier attempt, or the run of an earlier head, sent. */
async function resume(
  session: Session,
  request: Request,
  { trigger, inputs }: Task,
  record: RequestRecord,
  code: Code | undefined,
): Promise<AskResult> {
  request.keepForPostStep(session)
  if (record.state === 'sending') return { ending: uncertainEnd(record.jobId) }
  session.deps.core.info(`Job ${request.job?.id} resumed: an earlier run started it`)
  if (record.state === 'reported') return { ending: record.ending }
  const { identity, latest } = request
  request.eyesReaction = acknowledge(session, identity.comment)
  if (isPullRequestEvent(trigger) && code?.digest === record.head.digest)
    request.updateIdentity(await aboutHead(session, identity, inputs.commitStatus, code, latest.job))
  return 'with-agent'
}
