import { isDeepStrictEqual } from 'node:util'
import { orCancelled, throwIfCancelled } from '../deps.ts'
import { isAnswered, parseCommand } from '../event/command.ts'
import type { Via } from '../event/email-reply.ts'
import { checkAccess, isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import { beginConversation, readConversation, sentUntil } from '../features/conversation/conversation.ts'
import { checkSetup } from '../features/dry-run/dry-run.ts'
import { listChanges, mergedIn, readMerged } from '../features/merges/merges.ts'
import { answerEvent, noteChanges } from '../features/pull-request/pull-request.ts'
import { withAuthors } from '../features/reviewers-and-labels/reviewers-and-labels.ts'
import { fullName } from '../link.ts'
import type { PushedChanges } from '../prompt/merged.ts'
import { type EventTexts, readEventTexts } from '../prompt/prompt.ts'
import { noteLineCommands, readReviewOfLine } from '../prompt/review.ts'
import { asksNothing, type Task } from '../prompt/task.ts'
import { logHeader } from '../words/comments.ts'
import { CAUSES, uncertainEnd, unreadPermission, WARNINGS } from '../words/notes.ts'
import { answerCommand } from './answer-command.ts'
import { aboutHead, type Code, readCode } from './code.ts'
import { isCommentGone } from './comment-gone.ts'
import { type FoundThread, findThread } from './locate.ts'
import { ending } from './outcome.ts'
import type { Send } from './plan.ts'
import { planRequest } from './plan-request.ts'
import { acknowledge } from './reactions.ts'
import { isOfRun, type RequestRecord } from './record.ts'
import type { AskResult, RunEnd } from './report.ts'
import type { Request } from './request.ts'
import { send } from './send.ts'
import type { Session } from './session.ts'
import { waitAgain } from './states.ts'
import type { Thread } from './thread.ts'

/**
 * Brings a request to the agent, once.
 * @throws what `endingAfter` knows, and nothing was sent then
 */
export async function ask(session: Session, request: Request, given: Task): Promise<AskResult> {
  const { deps } = session
  // 1. The permission.
  const denied = await checkPermission(session, request.thread, given)
  if (denied !== undefined) return denied
  const ofReview = await orCancelled(deps.cancellation, withReview(session, given))
  if (ofReview === undefined) return ending('skipped', 'not-a-command', CAUSES.partOfReview)
  const task = await orCancelled(deps.cancellation, readMail(session, ofReview))
  const { inputs, trigger, command } = task
  request.mayWrite = true
  // From here on a kill is the post step's to report.
  request.keepForPostStep(session)
  // 2. The thread, with all that can be read at the same time.
  const isForAgent = !asksNothing(command, trigger)
  const texts = isForAgent ? textsBesideThread(session, task) : undefined
  const discussion = isForAgent ? beginConversation(session, task) : undefined
  const reading = Promise.all([
    findThread(session, request.identity, task, request.thread),
    isForAgent ? readCode(session, request.thread?.number, task) : undefined,
    isForAgent && inputs.dryRun ? checkSetup(session, request, task) : undefined,
    isForAgent ? undefined : noteLineCommands(session, task),
  ])
  const [found, code, refused] = await orCancelled(deps.cancellation, reading)
  enter(request, found)
  logStart(session, request, task)
  request.keepForPostStep(session)
  if (refused !== undefined) {
    request.becomeLatest()
    return refused
  }
  if (found.ending !== undefined) return found.ending
  // 3. What the thread says of the same changes.
  const answered = isPullRequestEvent(trigger) && code && (await answerEvent(session, request, task, code))
  if (answered) return answered
  // 4. What an earlier attempt did.
  if (inputs.dryRun) request.becomeLatest()
  const earlier = inputs.dryRun ? undefined : request.continueFromThread()
  if (earlier !== undefined) return await resume(session, request, task, earlier, code)
  if (await isCommentGone(session, request.thread, task)) return endOfGone(request)
  // 5. The agent, unless the command asks it nothing.
  if (asksNothing(command, trigger)) return await answerCommand(session, request, task, command)
  return await askAgent(session, request, task, { pushed: found.pushed, code, texts, discussion })
}

/** A comment that people deleted asks nothing, and takes no reaction. */
function endOfGone(request: Request): RunEnd {
  request.updateIdentity({ comment: '' })
  return ending('skipped', 'comment-gone')
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
  const denied = { login, has, isSilent: !answersDenial, isReRun: session.context.runAttempt > 1 }
  if (unreadable !== undefined) deps.core.warning(unreadPermission(login, unreadable))
  return { ...ending('skipped', 'permission-denied'), denied }
}

/** With the review that a line comment asks for; undefined where another event of the review asks. */
async function withReview(session: Session, task: Task): Promise<Task | undefined> {
  const { comment, subject } = task.trigger
  if (task.command.kind === 'input' || !comment?.reviewId || subject === undefined) return task
  const review = await readReviewOfLine(session, comment, subject.number, task.inputs.command)
  return review && { ...task, review }
}

/** The command as it was typed, or mailed: GitHub is asked only where that makes a difference. The key of the request stays that of the whole. */
async function readMail({ github, warnings }: Session, task: Task): Promise<Task> {
  const { trigger, inputs } = task
  const { body = '', nodeId = '', author, kind } = trigger.comment ?? {}
  if (task.command.kind === 'input') return task
  const readAs = (via: Via) => parseCommand(body, inputs.command, { isBot: author?.bot === true, via })
  // No review comes by mail.
  const isTyped = kind === 'submitted-review' || isDeepStrictEqual(readAs('email'), readAs('page'))
  const command = (!isTyped && readAs(await github.cameVia(nodeId))) || task.command
  warnings.leaveOut(...command.leftOut)
  return { ...task, command, text: command.kind === 'prompt' ? command.prompt : '' }
}

/** Begins to read what the event is about, beside the thread. For a push or a commit status, the texts depend on what is read first. */
function textsBesideThread(session: Session, task: Task): Promise<EventTexts> | undefined {
  const { trigger, inputs } = task
  if (trigger.push !== undefined || isPullRequestEvent(trigger) || inputs.commitStatus !== '')
    return undefined
  const texts = readEventTexts(session, task, task.text, undefined)
  // It may not be needed. Where it is, `askAgent` waits for it.
  texts.catch(() => undefined)
  return texts
}

function enter(request: Request, { thread, tracking, pushed }: FoundThread): void {
  request.answerIn(thread)
  request.updateIdentity({ tracking })
  if (pushed !== undefined) noteMerged(request, pushed.merged)
}

/** What the request is for. @param pulls in the order of their merges */
function noteMerged(request: Request, pulls: readonly PullRequest[]): void {
  const { settings } = request.identity
  request.updateIdentity({ ...mergedIn(pulls), ...withAuthors(settings, pulls.toReversed()) })
}

function logStart(
  { deps, context, commentMode }: Session,
  request: Request,
  { inputs, trigger }: Task,
): void {
  const { core } = deps
  const { thread, identity } = request
  const where = `${fullName(context.repository)}${thread === undefined ? '' : `#${thread.number}`}`
  core.info(logHeader(trigger, identity.requestedBy, where))
  // Without comments of its own, a run knows what those of other workflows say.
  const hasMemory =
    commentMode === 'off'
      ? request.known.job !== undefined
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
  // What the earlier run said of its own end holds no longer.
  const { state } = request
  if (state.state === 'running') request.become(waitAgain(state))
  request.keepForPostStep(session)
  if (record.state === 'sending') return uncertainEnd(record.to?.id ?? '')
  session.deps.core.info(`Job ${request.job?.id} resumed: an earlier run started it`)
  if (record.state === 'ended') return record.ending
  const { identity, known } = request
  request.eyesReaction = acknowledge(session, identity.comment)
  if (isPullRequestEvent(trigger) && code?.digest === record.head.digest)
    request.updateIdentity(await aboutHead(session, identity, inputs.commitStatus, code, known.job))
  return 'with-agent'
}

/** What was read together with the thread. */
interface Read {
  /** What a push brought. */
  readonly pushed: PushedChanges | undefined
  /** The pull request that a status is about. */
  readonly code: Code | undefined
  /** Undefined where they depend on the thread. */
  readonly texts: Promise<EventTexts> | undefined
  /** Of a pull request. */
  readonly discussion: ReturnType<typeof beginConversation> | undefined
}

/** Reads what the agent is to get, plans to which job it goes, and sends it. */
async function askAgent(session: Session, request: Request, task: Task, read: Read): Promise<AskResult> {
  const { deps } = session
  const { inputs, trigger, references } = task
  const { pushed, code } = read
  request.eyesReaction ??= acknowledge(session, request.identity.comment)
  const reading = Promise.all([
    read.texts ??
      readEventTexts(session, asOfNow(task, code), task.text, pushed, code && Promise.resolve(code)),
    inputs.changesSince && listChanges(session, task, inputs.changesSince),
    readConversation(session, request.thread, task, read.discussion),
  ])
  const [texts, listing, conversation] = await orCancelled(deps.cancellation, reading)
  // The line comments of a review can turn out to be a command.
  if (isAnswered(texts.command)) return await answerCommand(session, request, task, texts.command)
  throwIfCancelled(deps.cancellation)
  if (trigger.subject === undefined && pushed === undefined && lacksReferences(task))
    return ending('skipped', 'no-changes', CAUSES.emptyReferences)
  const { subject } = trigger
  if (subject?.isPullRequest) request.updateIdentity(withAuthors(request.identity.settings, [subject]) ?? {})
  const ofPullRequest = code && (await noteChanges(session, request, task, code))
  const changes = listing && (await readMerged(session, request, task, listing))
  if (changes && 'outcome' in changes) return changes
  if (changes?.pulls) noteMerged(request, changes.pulls)
  const own = request.records()?.own?.record
  const wish = {
    isFresh: texts.command.kind === 'prompt' && texts.command.fresh,
    isReRun: own !== undefined && isOfRun(own, request.identity),
  }
  const plan = await planRequest(session, request, task, wish)
  if ('outcome' in plan) return plan
  request.updateIdentity({ conversation: conversation.until })
  const { job: known } = request.known
  const whole = isPullRequestEvent(trigger) ? texts.context : texts.followUpContext
  const partsFor = ({ job, note }: Send) => ({
    ...texts,
    // A job that failed may have made nothing of the changes that it got, and another one has none of them.
    followUpContext: job?.status === 'failed' || job?.id !== known?.id ? whole : (ofPullRequest ?? whole),
    conversation: conversation.after(job === undefined ? 0 : sentUntil(request.records(), job.id)),
    changes: changes?.text ?? { text: '', leftOut: [] },
    references,
    mayHaveSome: job !== undefined && note.isEarlierUnanswered === true,
  })
  return await send(session, request, task, { plan, partsFor, ...wish })
}

/** The event is about the pull request as it is now. */
function asOfNow(task: Task, code: Code | undefined): Task {
  const { trigger } = task
  const { subject } = trigger
  if (!isPullRequestEvent(trigger) || subject === undefined || code?.pull === undefined) return task
  return { ...task, trigger: { ...trigger, subject: { ...subject, headSha: code.pull.headSha } } }
}

/** What it is asked for by inputs is in files that hold nothing. */
const lacksReferences = ({ inputs, command, references }: Task): boolean =>
  command.kind === 'input' &&
  inputs.referenceFiles.length > 0 &&
  references === '' &&
  inputs.changesSince === undefined
