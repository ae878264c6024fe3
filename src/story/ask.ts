import { orCancelled, throwIfCancelled } from '../base/deps.ts'
import { fullName } from '../base/link.ts'
import { isAnswered, parseCommand } from '../event/command.ts'
import { checkAccess, isPullRequestEvent } from '../event/gate.ts'
import type { Via } from '../event/mail.ts'
import type { PullRequest } from '../event/objects.ts'
import { beginConversation, readConversation, sentTo } from '../features/conversation/conversation.ts'
import { listChanges, mergedHead, mergedIn, readMerged } from '../features/merges/merges.ts'
import {
  answerEvent,
  isIgnoredComment,
  noteChanges,
  readReferredDocs,
} from '../features/pull-request/pull-request.ts'
import { withAuthors } from '../features/reviewers-and-labels/reviewers-and-labels.ts'
import type { PushedChanges } from '../prompt/merged.ts'
import { readEventTexts } from '../prompt/prompt.ts'
import { noteLineCommands, readReviewOfLine } from '../prompt/review.ts'
import { asksNothing, type Task } from '../prompt/task.ts'
import { type Ending, ending } from '../record/outcome.ts'
import type { AskResult, RunEnding } from '../record/report.ts'
import { isOfRun } from '../record/request-identity.ts'
import { waitAgain } from '../record/states.ts'
import { acknowledge, isCommentGone } from '../thread/asking-comment.ts'
import { uncertainAtReRun } from '../thread/ending-after.ts'
import { noteHead, type PullChanges, readPullChanges } from '../thread/pull-changes.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { readThread, type Thread } from '../thread/thread.ts'
import { logHeader } from '../words/comments.ts'
import { CAUSES, notKnownIssue, threadGone, unreadPermission, WARNINGS } from '../words/notes.ts'
import { aboutFor } from './about.ts'
import { answerCommand } from './answer-command.ts'
import { type FoundThread, findThread } from './locate.ts'
import { planRequest, type Send } from './plan.ts'
import { checkReRunner, inDoubtToRepeat } from './re-run.ts'
import { sendRequest } from './send.ts'

/**
 * Brings a request to the agent, once.
 * @throws what `endingAfter` knows, and nothing was sent then
 */
export async function ask(session: Session, run: Run, given: Task): Promise<AskResult> {
  const { deps } = session
  // 1. The permission.
  const came = howItCame(session, given)
  const denied = await checkPermission(session, run.thread, given)
  if (denied !== undefined) return denied
  const ofReview = await orCancelled(deps.cancellation, withReview(session, given))
  if (ofReview === undefined) return ending('skipped', 'not-a-command', CAUSES.partOfReview)
  const task = withMail(session, ofReview, await orCancelled(deps.cancellation, came))
  const { inputs, trigger, command } = task
  run.permit()
  // From here on a kill is the post step's to report.
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
  run.answerIn(found.thread)
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
  const repeatsInDoubtUntil = inDoubtToRepeat(session, run)
  const earlier = inputs.dryRun ? run.moveToEnd() : run.resumeFromThread()
  if (earlier !== undefined) return await resume(session, run, task, changes)
  const refused = repeatsInDoubtUntil > 0 && !inputs.dryRun ? await checkReRunner(session, task) : undefined
  if (refused !== undefined) return refused
  if (await isCommentGone(session, run.thread, task)) return endOfGone(run)
  // 5. The agent, unless the command asks it nothing.
  if (asksNothing(command, trigger)) return await answerCommand(session, run, task, command)
  if (!isPullRequestEvent(trigger) && isIgnoredComment(task))
    return ending('skipped', 'ignored', CAUSES.ignored)
  return (
    notKnown(session, run, task) ??
    (await askAgent(session, run, task, { ...found, changes, discussion, repeatsInDoubtUntil }))
  )
}

/** Records of the thread do not verify: no event asks, and a person decides. @returns undefined where the run may ask */
function notKnown({ runner }: Session, run: Run, { inputs, trigger }: Task): Ending | undefined {
  const { thread, identity } = run
  const isOfPerson = trigger.comment !== undefined || trigger.event === 'workflow_dispatch'
  if (thread?.hasUnverifiedRecords !== true || isOfPerson || inputs.dryRun) return undefined
  if (identity.tracking) return ending('error', 'bad-input', notKnownIssue(thread.number, inputs.command))
  // Of a re-run, the plan says so.
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
async function withReview(session: Session, task: Task): Promise<Task | undefined> {
  const { comment, subject } = task.trigger
  if (task.command.kind === 'input' || !comment?.reviewId || subject === undefined) return task
  const review = await readReviewOfLine(session, comment, subject.number, task.inputs.command)
  return review && { ...task, review }
}

/** The command by how it came. */
const readAs = ({ trigger, inputs }: Task, via: Via) =>
  parseCommand(trigger.comment?.body ?? '', inputs.command, {
    isBot: trigger.comment?.author?.bot === true,
    via,
  })

/** Asks GitHub whether the command came by mail, where that makes a difference. No review comes so. */
async function howItCame({ github }: Session, task: Task): Promise<Via> {
  const { comment } = task.trigger
  if (task.command.kind === 'input' || comment === undefined || comment.kind === 'submitted-review')
    return 'page'
  return readAs(task, 'email')?.below === undefined
    ? 'page'
    : ((await github.cameVia([comment.nodeId])).get(comment.nodeId) ?? 'unknown')
}

/** The key of the request stays that of the whole comment. */
function withMail({ warnings }: Session, task: Task, via: Via): Task {
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

/** What the request is for. @param pulls in the order of their merges */
function noteMerged(run: Run, pulls: readonly PullRequest[]): void {
  const { settings } = run.identity
  run.updateIdentity({ ...mergedIn(pulls), ...withAuthors(settings, pulls.toReversed()) })
}

function logStart({ deps, runner, commentMode }: Session, run: Run, { inputs, trigger }: Task): void {
  const { core } = deps
  const { thread, identity } = run
  const where = `${fullName(runner.repository)}${thread === undefined ? '' : `#${thread.number}`}`
  core.info(logHeader(trigger, identity.requestedBy, where))
  // Without comments of its own, a run knows what those of other workflows say.
  const hasMemory =
    commentMode === 'off'
      ? run.facts.job !== undefined
      : thread !== undefined || inputs.issueTitle !== undefined
  if (hasMemory) return
  if (inputs.conversation === 'skip') core.warning(WARNINGS.nothingToSkipBy)
  if (inputs.changesSince === 'last-run') core.warning(WARNINGS.noLastRun)
}

/** Goes on with what an earlier attempt, or the run of an earlier head, sent. */
async function resume(
  session: Session,
  run: Run,
  { trigger, inputs }: Task,
  changes: PullChanges | undefined,
): Promise<AskResult> {
  // What the earlier run said of its own end holds no longer.
  const { state } = run
  if (state.state === 'running') run.setState(waitAgain(state))
  run.keepForPostStep(session)
  if (state.state === 'sending') return uncertainAtReRun(state.to?.id ?? '')
  session.deps.core.info(`Job ${run.job?.id} resumed: an earlier run started it`)
  if (state.state === 'ended') return state.ending
  acknowledge(session, run)
  if (isPullRequestEvent(trigger) && changes?.digest === run.identity.head.digest)
    await noteHead(session, run, inputs.commitStatus, changes)
  return {}
}

/** What was read together with the thread. */
interface Read {
  /** What a push brought. */
  readonly pushed: PushedChanges | undefined
  /** The pull request that a status is about. */
  readonly changes: PullChanges | undefined
  /** Of `AskOptions`. */
  readonly repeatsInDoubtUntil: number
  /** Of the tracking issue that stood before this one. */
  readonly coveredByClosed?: FoundThread['coveredByClosed']
  /** Of a run of a pull request. */
  readonly discussion: ReturnType<typeof beginConversation> | undefined
}

/** Reads what the agent is to get, plans to which job it goes, and sends it. */
async function askAgent(session: Session, run: Run, task: Task, read: Read): Promise<AskResult> {
  const { deps } = session
  const { inputs, trigger, references } = task
  const { pushed, changes, coveredByClosed } = read
  acknowledge(session, run)
  const reading = Promise.all([
    readEventTexts(session, asOfNow(task, changes), task.text, pushed, changes && Promise.resolve(changes)),
    inputs.changesSince && listChanges(session, task, inputs.changesSince),
    readConversation(session, run.thread, task, read.discussion),
  ])
  const [texts, listing, conversation] = await orCancelled(deps.cancellation, reading)
  // The line comments of a review can turn out to be a command.
  if (isAnswered(texts.command)) return await answerCommand(session, run, task, texts.command)
  throwIfCancelled(deps.cancellation)
  if (trigger.subject === undefined && pushed === undefined && lacksReferences(task))
    return ending('skipped', 'no-changes', CAUSES.emptyReferences)
  const { subject } = trigger
  if (subject?.isPullRequest) run.updateIdentity(withAuthors(run.identity.settings, [subject]) ?? {})
  const ofPullRequest = changes && (await noteChanges(session, run, task, changes))
  const merges = listing && (await readMerged(session, run, task, { ...listing, coveredByClosed }))
  if (merges && 'outcome' in merges) return merges
  if (merges?.pulls) noteMerged(run, merges.pulls)
  const own = run.records()?.current?.record
  const options = {
    isFresh: texts.command.kind === 'prompt' && texts.command.fresh,
    isReRun: own !== undefined && isOfRun(own, run.identity),
    repeatsInDoubtUntil: read.repeatsInDoubtUntil,
  }
  const plan = await planRequest(session, run, task, options)
  if ('outcome' in plan) return plan
  // A job that goes on has heard of them.
  const referredDocs =
    plan.job === undefined ? await readReferredDocs(session, task, pushed?.merged) : undefined
  run.updateIdentity({ referredDocs })
  const partsFor = ({ job, note }: Send) => ({
    ...texts,
    conversation: conversation(job === undefined ? [] : sentTo(run.records(), job.id)),
    ...aboutFor(session, run, task, { texts, ofPullRequest, job }),
    changes: merges?.about ?? [],
    references,
    referredDocs: job === undefined ? referredDocs : undefined,
    mayHaveSome: job !== undefined && note.isEarlierUnanswered === true,
  })
  return await sendRequest(session, run, task, { plan, partsFor, ...options })
}

/** The event is about the pull request as it is now. */
function asOfNow(task: Task, changes: PullChanges | undefined): Task {
  const { trigger } = task
  const { subject } = trigger
  if (!isPullRequestEvent(trigger) || subject === undefined || changes?.pull === undefined) return task
  return { ...task, trigger: { ...trigger, subject: { ...subject, headSha: changes.pull.headSha } } }
}

/** What it is asked for by inputs is in files that hold nothing. */
const lacksReferences = ({ inputs, command, references }: Task): boolean =>
  command.kind === 'input' &&
  inputs.referenceFiles.length > 0 &&
  references.length === 0 &&
  inputs.changesSince === undefined
