import { isJobNotFound } from '../agent/agent-client.ts'
import { orCancelled } from '../deps.ts'
import { claimHead, pullRequestOfThread, setStatusUnlessDecided } from '../docs-with-code/commit-status.ts'
import { digestChanges, rememberChanges } from '../docs-with-code/digest.ts'
import { rememberCode, tellOfEnd } from '../docs-with-code/end.ts'
import { Cancelled, CreationUncertain } from '../errors.ts'
import { type Command, isWordAlone } from '../event/command.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { Trigger } from '../event/trigger.ts'
import { checkAccess } from '../github/permissions.ts'
import { ServiceError } from '../http/service.ts'
import { fullName } from '../link.ts'
import { logHeader, logPrompt } from '../messages/comments.ts'
import { WORKING } from '../messages/commit-verdict.ts'
import { explainError } from '../messages/explain.ts'
import { lostMemory, unreadPermission, WARNINGS } from '../messages/notes.ts'
import type { PushedChanges } from '../prompt/merges.ts'
import { type PromptParts, promptOf, readEventTexts } from '../prompt/prompt.ts'
import { type Job, reread } from '../request/job.ts'
import { type Ending, ending, isTerminal } from '../request/outcome.ts'
import { withAuthors } from '../request/reviewers.ts'
import { mayBeWithAgent } from '../request/states.ts'
import { type Answer, answer } from '../thread/answer.ts'
import { acknowledge } from '../thread/reactions.ts'
import { readThread } from '../thread/read-thread.ts'
import type { Request } from '../thread/request.ts'
import { sayWorking } from '../thread/say.ts'
import type { Session } from '../thread/session.ts'
import { isUnwritten } from '../thread/thread.ts'
import { adoptEarlier, adoptExisting, adoptOfPush } from './adopt.ts'
import type { Asked } from './asked.ts'
import { listChanges } from './changes.ts'
import { endingAfter, endingOfRecord } from './endings.ts'
import { findThread } from './find-thread.ts'
import { planRequest, type Read, type Send } from './plan-request.ts'
import { leaveOutWhatIsSet } from './request-reviews.ts'
import type { Prompted, Recorded, Started } from './started.ts'

/** Whether the command may send something to the agent: the line comments of a review are not read yet. */
export function mayAskAgent(command: Command, { comment }: Trigger): boolean {
  if (command.kind === 'input' || command.kind === 'prompt') return true
  return isWordAlone(command) && comment?.kind === 'submitted-review'
}

/**
 * Brings a request to the agent, once: the permission; the thread and the texts; the plan; the status comment; the job. It
 * never throws: an error becomes the end, and before `announce` nothing was sent.
 */
export async function start(session: Session, request: Request, asked: Asked): Promise<Started> {
  try {
    if (!mustFindThread(asked)) logStart(session, request, asked)
    const denied = await checkPermission(session, request, asked)
    if (denied !== undefined) return denied
    // The end of a pull request may ask nothing, and then a run that is cut off has nothing to say.
    const ended = await tellOfEnd(session, request, asked)
    if (ended !== undefined) return ended
    request.allowWrites()
    // From here on a kill is the post step's to report.
    request.save(session)
    const read = await readAll(session, request, asked)
    if ('outcome' in read) return answer(read)
    const isReported = adoptEarlier(session, request, asked.inputs.dryRun)
    rememberWhatFor(session, request, asked, read)
    // A request that is reported already gets no eyes: after a kill, no process takes them away.
    if (!isReported && mayAskAgent(asked.command, asked.trigger))
      request.noteEyes(acknowledge(session, request.identity.comment))
    const plan = await planRequest(session, request, asked, read)
    if (plan.kind === 'answer') return plan
    if (plan.kind !== 'resume') return await sendTo(session, request, asked, plan, plan.parts)
    if (plan.from !== undefined) adoptOfPush(session, request, plan.from)
    return { kind: 'recorded' }
  } catch (error) {
    const end = endingAfter(session.deps, error)
    if (end.reason === 'github-unavailable') claimHeadOfEvent(session, request, asked)
    return { kind: 'recorded', end }
  }
}

async function checkPermission(
  session: Session,
  request: Request,
  asked: Asked,
): Promise<Answer | undefined> {
  const { deps, forge } = session
  const { thread } = request
  const checking = checkAccess(forge, asked.trigger, asked.inputs.minPermission)
  const access = await orCancelled(deps.cancellation, checking)
  if (access.granted) return undefined
  const { login, has, unreadable } = access
  if (asked.tellsOfDenial && thread !== undefined) {
    const reading = session.warnings.warnIfRefused(['thread', thread.number], () => thread.read(session))
    await orCancelled(deps.cancellation, reading)
  }
  if (unreadable !== undefined) deps.core.warning(unreadPermission(login, unreadable))
  const denied = { login, has, isSilent: !asked.tellsOfDenial }
  return answer(ending('skipped', 'permission-denied'), { denied })
}

/** For an event that names no thread, and for a push, whose merges count as well. */
const mustFindThread = ({ command, trigger, inputs }: Asked): boolean =>
  mayAskAgent(command, trigger) &&
  (trigger.push !== undefined || (trigger.subject ?? inputs.issueNumber) === undefined)

/** @returns how the run ends where a push asks for nothing */
async function readAll(session: Session, request: Request, asked: Asked): Promise<Read | Ending> {
  const { cancellation } = session.deps
  const { inputs, trigger, command } = asked
  const { changesSince } = inputs
  let pushed: PushedChanges | undefined
  if (mustFindThread(asked)) {
    const found = await orCancelled(cancellation, findThread(session, request, asked))
    logStart(session, request, asked)
    if (found !== undefined && 'outcome' in found) return found
    pushed = found
  }
  // At the end of a pull request, its thread is read already. A run without a thread has none to read.
  const isRead = request.history !== undefined
  const thread = isRead ? undefined : readThread(session, request, asked)
  if (!mayAskAgent(command, trigger)) {
    await orCancelled(cancellation, Promise.all([thread]))
    return { texts: undefined, merges: undefined, pull: undefined, changes: undefined }
  }
  const { subject } = trigger
  const needsDigest = isPullRequestEvent(trigger) || inputs.commitStatus !== ''
  const changes = needsDigest && subject?.isPullRequest === true ? digestChanges(session, subject) : undefined
  const texts = readEventTexts(session, asked, request.text, pushed, changes)
  const merges = changesSince === undefined ? undefined : listChanges(session, asked, changesSince)
  const pull = pullRequestOfThread(session, request, asked)
  const reading = Promise.all([texts, merges, pull, changes, thread])
  const [read, listed, ofThread, digested] = await orCancelled(cancellation, reading)
  return { texts: read, merges: listed, pull: ofThread, changes: digested }
}

/** Where GitHub stays away before more is known, a head that the event brings gets the end (contract 5.7). */
function claimHeadOfEvent(session: Session, request: Request, { trigger, inputs }: Asked): void {
  const { subject, action } = trigger
  const isNew = ['opened', 'synchronize'].includes(action) && session.context.runAttempt === 1
  if (!request.mayWrite || inputs.dryRun || inputs.commitStatus === '') return
  if (subject === undefined || !isPullRequestEvent(trigger) || !isNew) return
  claimHead(session, request, inputs.commitStatus, subject)
}

/** Notes what a new request is for; one that is under way keeps the head that it began with. */
function rememberWhatFor(session: Session, request: Request, asked: Asked, { pull, changes }: Read): void {
  const { inputs, trigger } = asked
  const { subject } = trigger
  if (!mayBeWithAgent(request.state)) {
    if (subject?.isPullRequest === true)
      request.amend({ ...withAuthors(request.identity.settings, [subject]) })
    if (pull !== undefined && !inputs.dryRun) claimHead(session, request, inputs.commitStatus, pull)
    if (changes !== undefined) rememberChanges(request, trigger, changes, pull)
    rememberCode(session, request, trigger)
  }
  request.save(session)
}

function logStart(
  { deps, context }: Session,
  { thread, identity }: Request,
  { inputs, trigger }: Asked,
): void {
  const { core } = deps
  const where = `${fullName(context.repository)}${thread === undefined ? '' : `#${thread.number}`}`
  core.info(logHeader(trigger, identity.requestedBy, where))
  // Where the title finds no issue, a warning says why, or a dry run has none to create.
  if (thread !== undefined || inputs.issueTitle !== undefined) return
  if (inputs.conversation === 'skip') core.warning(WARNINGS.nothingToSkipBy)
  if (inputs.changesSince === 'last-run') core.warning(WARNINGS.noLastRun)
}

/** A job right before its message: one that comes by its id alone is read, as far as that can be. */
async function readBefore({ client }: Session, job: Job): Promise<Job> {
  if (job.status !== '') return job
  return await client.read(job.id).then(
    (read) => reread(job, read),
    () => job,
  )
}

/** Sends the request to the agent. The thread and the post step know of it before the service does (contract 5.2). */
async function sendTo(
  session: Session,
  request: Request,
  asked: Asked,
  plan: Send,
  parts: PromptParts,
): Promise<Prompted | Recorded> {
  const { deps, context } = session
  const { inputs, deadline } = asked
  const prompt = promptOf(parts, plan.kind, inputs.guidelines, deps.random)
  const prompted: Prompted = { kind: 'prompted', prompt, note: plan.note }
  deps.core.info(logPrompt(parts.request, prompt))
  if (inputs.dryRun) return { ...prompted, end: ending('skipped', 'dry-run') }
  if (deps.monotonic() >= deadline) return { ...prompted, end: ending('timed-out') }
  if (context.runAttempt > 1 && (request.thread === undefined || inputs.comment === 'off')) {
    deps.core.warning(lostMemory(request.thread !== undefined))
  }
  const announced = await announce(session, request, plan, deadline)
  if (announced.kind === 'recorded') return announced
  if (announced.kind === 'unsent') return { ...prompted, end: announced.end }
  try {
    await deliver(session, request, plan, { prompt, deadline, before: announced.before })
    return prompted
  } catch (error) {
    if (request.state.state !== 'sending') throw error
    const isSure = error instanceof ServiceError || error instanceof Cancelled
    request.apply({ type: isSure ? 'notSent' : 'noAnswer' })
    if (isJobNotFound(error) && plan.kind === 'continue' && inputs.jobId === undefined)
      return await sendTo(session, request, asked, { kind: 'create', note: { job: 'gone' } }, parts)
    if (isSure || error instanceof CreationUncertain) return { ...prompted, end: endingAfter(deps, error) }
    // Whatever went wrong went wrong while the request may have been under way.
    const uncertain = new CreationUncertain(explainError(deps.core, error), jobIdOf(plan), { cause: error })
    return { ...prompted, end: endingAfter(deps, uncertain) }
  }
}

const jobIdOf = (plan: Send): string => (plan.kind === 'continue' ? plan.job.id : '')

type Announced =
  | { readonly kind: 'announced'; readonly before: Job | undefined }
  /** Nothing is to be sent. */
  | { readonly kind: 'unsent'; readonly end: Ending }
  /** Another run goes on with it, whose record `settle` follows. */
  | Recorded

/** Says in the thread, and by the commit status, that the request is about to go out. */
async function announce(
  session: Session,
  request: Request,
  plan: Send,
  deadline: number,
): Promise<Announced> {
  const { deps } = session
  const known = plan.kind === 'continue' ? plan.job : undefined
  const isFirstTry = !request.hasAnnounced
  const { own } = request.history ?? {}
  // From now on, the result of the job that failed counts no more.
  if (isFirstTry && own?.record.state === 'reported') request.amend({ round: own.record.round + 1 })
  request.apply({ type: 'send', jobId: jobIdOf(plan) })
  const saying = sayWorking(session, request)
  const reading = known && readBefore(session, known)
  const settingStatus = isFirstTry && setStatusUnlessDecided(session, request, WORKING)
  const [written, before] = await Promise.all([saying, reading, settingStatus])
  if (written.existing !== undefined) {
    adoptExisting(request, written.existing)
    return { kind: 'recorded', end: endingOfRecord(request) }
  }
  const isLate = deps.monotonic() >= deadline
  if (!isUnwritten(written) && !isLate) return { kind: 'announced', before }
  // Without its record in the thread, a re-run could not tell that the request went out.
  request.apply({ type: 'notSent' })
  return { kind: 'unsent', end: isLate ? ending('timed-out') : endingAfter(deps, written.failure) }
}

interface Delivery {
  readonly prompt: string
  readonly deadline: number
  /** The job right before its message; undefined for a new job. */
  readonly before: Job | undefined
}

/** @throws {CreationUncertain} where the service may have processed it, {ServiceError} and {Cancelled} where it surely did not */
async function deliver(
  session: Session,
  request: Request,
  plan: Send,
  { prompt, before, deadline }: Delivery,
): Promise<void> {
  const { deps, client } = session
  const jobId = plan.kind === 'continue' ? plan.job.id : undefined
  const sent = await client.send({ prompt, jobId, deadline })
  const job = before === undefined ? sent : reread(before, sent)
  const messagedAt = jobId === undefined ? 0 : deps.now()
  const headBefore = plan.kind === 'continue' ? plan.headSha : undefined
  const wasBusy = before !== undefined && !isTerminal(before)
  request.apply({ type: 'accepted', job, note: plan.note, messagedAt, headBefore, wasBusy })
  if (before !== undefined) leaveOutWhatIsSet(request, before, ({ state }) => state !== 'running')
  // From here on a kill leaves the job to the post step.
  request.save(session)
  deps.core.info(`Job ${job.id} ${request.jobAction}${job.model === '' ? '' : ` (${job.model})`}`)
}
