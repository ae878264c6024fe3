import { orCancelled } from '../base/deps.ts'
import { fullName } from '../base/link.ts'
import { parseCommand } from '../event/command.ts'
import { checkAccess, isPullRequestEvent } from '../event/gate.ts'
import type { CommentChannel } from '../event/mail.ts'
import { beginConversation } from '../features/conversation/conversation.ts'
import { mergedHead } from '../features/merges/merges.ts'
import { answerEvent, isIgnoredComment } from '../features/pull-request/pull-request.ts'
import { noteLineCommands, readReviewOfLine } from '../prompt/review.ts'
import { asksNothing, type Task } from '../prompt/task.ts'
import { type Ending, ending } from '../record/outcome.ts'
import type { AskResult, RunEnding } from '../record/report.ts'
import { isCommentGone } from '../thread/asking-comment.ts'
import { readPullChanges } from '../thread/pull-changes.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { readThread, type Thread } from '../thread/thread.ts'
import { logHeader } from '../words/comments.ts'
import { CAUSES, notKnownIssue, threadGone, unreadPermission, WARNINGS } from '../words/notes.ts'
import { answerCommand } from './answer-command.ts'
import { askAgent, noteMerged } from './ask-agent.ts'
import { type FoundThread, findThread } from './locate.ts'
import { checkReRunner, repeatableInDoubtUntil, resume } from './re-run.ts'

/**
 * Brings a request to the agent, once.
 * @throws what `endingAfter` knows, and nothing was sent then
 */
export async function ask(session: Session, run: Run, given: Task): Promise<AskResult> {
  const { deps } = session
  // 1. The permission.
  const came = readChannel(session, given)
  const denied = await checkPermission(session, run.thread, given)
  if (denied !== undefined) return denied
  const ofReview = await orCancelled(deps.cancellation, attachReview(session, given))
  if (ofReview === undefined) return ending('skipped', 'not-a-command', CAUSES.partOfReview)
  const task = withCommandAsSent(session, ofReview, await orCancelled(deps.cancellation, came))
  const { inputs, trigger, command } = task
  run.markPermitted()
  // From here on, the post step reports a kill.
  run.keepForPostStep(session)
  // 2. The thread, with all that can be read at the same time.
  const isForAgent = !asksNothing(command, trigger)
  const discussion = isForAgent ? beginConversation(session, task) : undefined
  const reading = Promise.all([
    threadOf(session, run, task),
    isForAgent ? readPullChanges(session, run.thread?.number, task) : undefined,
    isForAgent ? undefined : noteLineCommands(session, task),
  ])
  const [found, changes] = await orCancelled(deps.cancellation, reading)
  run.setThread(found.thread)
  run.updateIdentity({ tracking: found.tracking })
  if (found.pushed !== undefined) {
    noteMerged(run, found.pushed.merged)
    run.updateIdentity(mergedHead(found.pushed.merged, found.thread?.number))
  }
  logStart(session, run, task)
  run.keepForPostStep(session)
  if (found.ending !== undefined) return found.ending
  // 3. What the thread says of the same changes.
  const answered = isPullRequestEvent(trigger) && changes && (await answerEvent(session, run, task, changes))
  if (answered) return answered
  // 4. What an earlier attempt did.
  const repeatsInDoubtUntil = repeatableInDoubtUntil(session, run)
  if (inputs.dryRun) run.makeLatest()
  const earlier = inputs.dryRun ? undefined : run.resumeOrStart()
  if (earlier !== undefined) return await resume(session, run, task, changes)
  const refused = repeatsInDoubtUntil > 0 && !inputs.dryRun ? await checkReRunner(session, task) : undefined
  if (refused !== undefined) return refused
  if (await isCommentGone(session, run.thread, task)) return endOfGone(run)
  // 5. The agent, unless the command asks it nothing.
  if (asksNothing(command, trigger)) return await answerCommand(session, run, task, command)
  if (!isPullRequestEvent(trigger) && isIgnoredComment(task))
    return ending('skipped', 'ignored', CAUSES.ignored)
  return (
    endIfUnverified(session, run, task) ??
    (await askAgent(session, run, task, { ...found, changes, discussion, repeatsInDoubtUntil }))
  )
}

/** Records of the thread do not verify: no event asks, and a person decides. @returns undefined where the run may ask */
function endIfUnverified({ runner }: Session, run: Run, { inputs, trigger }: Task): Ending | undefined {
  const { thread, identity } = run
  const isOfPerson = trigger.comment !== undefined || trigger.event === 'workflow_dispatch'
  if (thread?.hasUnverifiedRecords !== true || isOfPerson || inputs.dryRun) return undefined
  if (identity.tracking) return ending('error', 'bad-input', notKnownIssue(thread.number, inputs.command))
  // `planRequest` ends a re-run.
  return runner.runAttempt > 1 ? undefined : ending('skipped', 'no-changes', CAUSES.notKnown)
}

/** A comment that people deleted asks nothing, and takes no reaction. */
function endOfGone(run: Run): RunEnding {
  run.updateIdentity({ comment: '' })
  return ending('skipped', 'comment-gone')
}

/** @returns how the run ends where the permission is missing */
export async function checkPermission(
  session: Session,
  thread: Thread | undefined,
  { trigger, inputs, usedCommand }: Task,
): Promise<RunEnding | undefined> {
  const { deps, github, warnings } = session
  const access = await orCancelled(deps.cancellation, checkAccess(github, trigger, inputs.minPermission))
  if (access.granted) return undefined
  const { login, has, unreadable } = access
  if (usedCommand && thread !== undefined) {
    const reading = warnings.warnIfRefused(['thread', thread.number], () => thread.read(session))
    await orCancelled(deps.cancellation, reading)
  }
  const denied = { login, has, isSilent: !usedCommand, isReRun: session.runner.runAttempt > 1 }
  if (unreadable !== undefined) deps.core.warning(unreadPermission(login, unreadable))
  return { ...ending('skipped', 'permission-denied'), denied }
}

/** With the review that a line comment asks for; undefined where another event of the review asks. */
async function attachReview(session: Session, task: Task): Promise<Task | undefined> {
  const { comment, subject } = task.trigger
  if (task.command.kind === 'input' || !comment?.reviewId || subject === undefined) return task
  const review = await readReviewOfLine(session, comment, subject.number, task.inputs.command)
  return review && { ...task, review }
}

/** What the command says, which depends on whether it came by mail. */
const readAs = ({ trigger, inputs }: Task, via: CommentChannel) =>
  parseCommand(trigger.comment?.body ?? '', inputs.command, {
    isBot: trigger.comment?.author?.bot === true,
    via,
  })

/** Asks GitHub whether the command came by mail, where that makes a difference. A review cannot come by mail. */
async function readChannel({ github }: Session, task: Task): Promise<CommentChannel> {
  const { comment } = task.trigger
  if (task.command.kind === 'input' || comment === undefined || comment.kind === 'submitted-review')
    return 'page'
  return readAs(task, 'email')?.below === undefined
    ? 'page'
    : ((await github.channelsOf([comment.nodeId])).get(comment.nodeId) ?? 'unknown')
}

/** The task with the command as it came. The digest of the request stays that of the whole comment. */
function withCommandAsSent({ warnings }: Session, task: Task, via: CommentChannel): Task {
  if (task.command.kind === 'input') return task
  const command = readAs(task, via) ?? task.command
  warnings.omit(...command.omissions)
  return { ...task, command, text: command.kind === 'prompt' ? command.prompt : '' }
}

/** Reads the thread of the event, or finds one. @throws {GitHubError} where GitHub does not answer */
async function threadOf(
  session: Session,
  { identity, thread: named }: Run,
  task: Task,
): Promise<FoundThread> {
  const { inputs, trigger, command } = task
  const found = { thread: named, tracking: false, pushed: undefined }
  const isNamed = (trigger.subject ?? inputs.issueNumber) !== undefined && trigger.push === undefined
  if (!isNamed && !asksNothing(command, trigger)) return await findThread(session, identity, task, named)
  const gone = await readThread(session, named)
  if (gone === undefined || named === undefined) return found
  if (trigger.comment !== undefined) {
    const message = threadGone(named.number, gone.detail)
    return { ...found, thread: undefined, ending: ending('error', 'bad-input', message) }
  }
  session.warnings.add(['thread', named.number], gone)
  return { ...found, thread: undefined }
}

function logStart({ deps, runner, commentMode }: Session, run: Run, { inputs, trigger }: Task): void {
  const { core } = deps
  const { thread, identity } = run
  const where = `${fullName(runner.repository)}${thread === undefined ? '' : `#${thread.number}`}`
  core.info(logHeader(trigger, identity.requestedBy, where))
  // Without comments of its own, a run remembers only what comments of other workflows say.
  const hasMemory =
    commentMode === 'off'
      ? run.facts.job !== undefined
      : thread !== undefined || inputs.issueTitle !== undefined
  if (hasMemory) return
  if (inputs.conversation === 'skip') core.warning(WARNINGS.nothingToSkipBy)
  if (inputs.changesSince === 'last-run') core.warning(WARNINGS.noLastRun)
}
