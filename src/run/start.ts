import { ifKnown, isJobNotFound } from '../agent/agent-client.ts'
import { orCancelled, throwIfCancelled } from '../deps.ts'
import { Cancelled, CreationUncertain } from '../errors.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import type { Trigger } from '../event/trigger.ts'
import { checkAccess } from '../github/permissions.ts'
import { ServiceError } from '../http/service.ts'
import { fullName } from '../link.ts'
import { logHeader, logPrompt } from '../messages/comments.ts'
import { WORKING } from '../messages/commit-verdict.ts'
import { explainError } from '../messages/explain.ts'
import { CAUSES, lostMemory, UNREAD_THREAD, unreadPermission, WARNINGS } from '../messages/notes.ts'
import { type Command, isWordAlone } from '../prompt/command.ts'
import type { PushedChanges } from '../prompt/merges.ts'
import { type EventTexts, type PromptParts, promptOf, readEventTexts } from '../prompt/prompt.ts'
import type { Job } from '../request/job.ts'
import { type Ending, ending } from '../request/outcome.ts'
import { type Plan, planForJob, planFromHistory, threadJob } from '../request/plan.ts'
import { mayBeWithAgent } from '../request/states.ts'
import { acknowledge } from '../thread/reactions.ts'
import type { Session } from '../thread/session.ts'
import { isUnwritten } from '../thread/thread.ts'
import { pullRequestState, skipAgentPullRequest } from './agent-pull-requests.ts'
import { type Listing, listChanges, readChanges } from './changes.ts'
import { type DigestedChanges, digestChanges, planIncrement, tellOfEnd } from './code-pull-request.ts'
import { carryVerdict, claimHead, pullRequestOfThread, showVerdict } from './commit-status.ts'
import { findThread, readThread } from './find-thread.ts'
import { type Asked, endingOfRecord, type Request } from './request.ts'

/** Whether the command may send something to the agent: the line comments of a review are not read yet. */
export function mayAskAgent(command: Command, { comment }: Trigger): boolean {
  if (command.kind === 'input' || command.kind === 'prompt') return true
  return isWordAlone(command) && comment?.kind === 'submitted-review'
}

/**
 * Brings a request to the agent, once: the permission; the thread and the texts; the plan; the status comment; the job.
 * @returns how the request ended without the agent; undefined once it is with the agent
 * @throws {ForgeError} where GitHub stays away before the agent is asked: nothing was sent
 */
export async function start(session: Session, request: Request, asked: Asked): Promise<Ending | undefined> {
  const denied = await checkPermission(session, request, asked)
  if (denied !== undefined) return denied
  // The end of a pull request may ask nothing, and then a run that is cut off has nothing to say.
  const ended = await tellOfEnd(session, request, asked)
  if (ended !== undefined) return ended
  request.isGranted = true
  // From here on a kill is the post step's to report.
  request.save(session)
  const read = await readAll(session, request, asked)
  if ('outcome' in read) return read
  takeOver(session, request, asked, read)
  const plan = await planRequest(session, request, asked, read)
  if ('outcome' in plan) return plan
  return plan.kind === 'resume' ? undefined : await sendTo(session, request, asked, plan, plan.parts)
}

async function checkPermission(
  session: Session,
  request: Request,
  asked: Asked,
): Promise<Ending | undefined> {
  const { deps, forge } = session
  const { thread } = request
  if (!mustFindThread(asked)) logStart(session, request, asked)
  const checking = checkAccess(forge, asked.trigger, asked.inputs.minPermission)
  const access = await orCancelled(deps.cancellation, checking)
  if (access.granted) return undefined
  const { login, has, unreadable } = access
  if (asked.tellsOfDenial && thread !== undefined) {
    const reading = session.warnings.warnIfRefused(['thread', thread.number], () => thread.read(session))
    await orCancelled(deps.cancellation, reading)
  }
  request.denied = { login, has, isSilent: !asked.tellsOfDenial }
  if (unreadable !== undefined) deps.core.warning(unreadPermission(login, unreadable))
  return ending('skipped', 'permission-denied')
}

/** For an event that names no thread, and for a push, whose merges count as well. */
const mustFindThread = ({ command, trigger, inputs }: Asked): boolean =>
  mayAskAgent(command, trigger) &&
  (trigger.push !== undefined || (trigger.subject ?? inputs.issueNumber) === undefined)

/** What a run that may ask the agent reads, and at the same time its thread (contract 5.8). */
interface Read {
  /** Undefined where the agent is not asked. */
  readonly texts: EventTexts | undefined
  /** Of `changes-since`, as far as they can be read before the thread is known. */
  readonly merges: Listing | undefined
  /** Whose head gets the commit status. */
  readonly pull: PullRequest | undefined
  /** Of a `pull_request` event. */
  readonly changes: DigestedChanges | undefined
}

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
  // That of the end of a pull request is read already, and a run without one has none to read.
  const isRead = request.history !== undefined
  const thread = isRead ? undefined : readThread(session, request, asked)
  if (!mayAskAgent(command, trigger)) {
    await orCancelled(cancellation, Promise.all([thread]))
    return { texts: undefined, merges: undefined, pull: undefined, changes: undefined }
  }
  const isOfPullRequest = isPullRequestEvent(trigger) && trigger.subject !== undefined
  const changes = isOfPullRequest ? digestChanges(session, trigger.subject) : undefined
  const texts = readEventTexts(session, asked, request.text, pushed, changes)
  const merges = changesSince === undefined ? undefined : listChanges(session, asked, changesSince)
  const pull = pullRequestOfThread(session, request, asked)
  await orCancelled(cancellation, Promise.all([thread, texts, merges, pull, changes]))
  return { texts: await texts, merges: await merges, pull: await pull, changes: await changes }
}

/** Goes on from the record of an earlier attempt, notes what a new request is about, and shows the eyes. */
function takeOver(session: Session, request: Request, asked: Asked, { pull, changes }: Read): void {
  const { inputs, trigger, command } = asked
  const { subject } = trigger
  const own = request.history?.own
  if (own !== undefined && !inputs.dryRun) request.goOnFrom(own.record, own.body)
  // A request that is under way keeps the head that it began with.
  if (!mayBeWithAgent(request.state)) {
    if (subject?.isPullRequest === true) request.rememberAuthors([subject])
    if (pull !== undefined && !inputs.dryRun) claimHead(session, request, inputs.commitStatus, pull)
    if (changes !== undefined) {
      const { headSha: sha = '' } = subject ?? {}
      request.amend({ head: { ...request.identity.head, sha, digest: changes.digest } })
    }
  }
  request.save(session)
  request.isFirstRun = session.context.runAttempt === 1 && own === undefined
  // What is reported stays so, and a kill would leave the eyes.
  if (mayAskAgent(command, trigger) && own?.record.state !== 'reported')
    request.eyes = acknowledge(session, request.identity.comment)
}

type Send = Extract<Plan, { kind: 'create' | 'continue' }>

/** @returns what goes to the agent, or how the run ends without it; `resume` where an earlier attempt sent it */
async function planRequest(
  session: Session,
  request: Request,
  asked: Asked,
  { texts, merges, changes }: Read,
): Promise<Ending | { readonly kind: 'resume' } | (Send & { readonly parts: PromptParts })> {
  const { deps, context } = session
  const { inputs, command } = asked
  const skipped = await skipAgentPullRequest(session, request, asked)
  if (skipped !== undefined) return skipped
  // The line comments of a review may be all that it asks for.
  const { kind } = texts?.command ?? command
  if (kind === 'status') return await answerStatus(session, request, asked)
  if (kind === 'help' || texts === undefined) return ending('skipped', 'help')

  throwIfCancelled(deps.cancellation)
  const fresh = texts.command.kind === 'prompt' && texts.command.fresh
  const known = planFromHistory(request.history, inputs, { fresh, runAttempt: context.runAttempt })
  if (known.kind === 'stop') return ending('error', known.reason, UNREAD_THREAD[known.reason])
  if (known.kind === 'resume') {
    const { state } = request
    if ('job' in state) deps.core.info(`Job ${state.job.id} resumed: an earlier attempt started it`)
    return known
  }
  let { followUpContext } = texts
  if (changes !== undefined) {
    const planning = planIncrement(session, request, asked, changes)
    const increment = await orCancelled(deps.cancellation, planning)
    if (increment.kind === 'nothing') {
      if (!inputs.dryRun) await carryVerdict(session, request)
      return ending('skipped', 'no-changes', CAUSES.sameChanges)
    }
    followUpContext = increment.kind === 'whole' ? texts.context : increment.text
  }
  const merged = merges === undefined ? '' : await readChanges(session, request, merges, asked)
  throwIfCancelled(deps.cancellation)
  if (typeof merged !== 'string') return merged
  const plan = known.kind === 'inspect' ? await inspect(session, asked, known.job) : known
  if ('outcome' in plan) return plan
  if (plan.kind === 'skip') {
    request.shownJob = plan.job
    return ending('skipped', plan.reason, plan.unreadable ? CAUSES.unreadablePullRequest : '')
  }
  return { ...plan, parts: { ...texts, followUpContext, changes: merged, references: asked.references } }
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

/** `/docs status`: reads the thread's job once (contract 3.2). */
async function answerStatus(
  session: Session,
  request: Request,
  { inputs, deadline }: Asked,
): Promise<Ending> {
  const { deps, client } = session
  const { history } = request
  if (history === undefined) return ending('skipped', 'status', CAUSES.unreadStatus)
  const known = threadJob(history)
  request.shownJob = known
  if (known === undefined || inputs.dryRun) return ending('skipped', 'status')
  if (deps.monotonic() >= deadline) return ending('timed-out')
  request.eyes = acknowledge(session, request.identity.comment)
  const job = await ifKnown(client.readOnce(known, { deadline }))
  request.shownJob = job
  return ending('skipped', 'status', job === undefined ? CAUSES.goneStatus : '')
}

/** Reads what the plan depends on beyond the thread: its job, and the pull request of the job (contract 4.9). */
async function inspect(
  session: Session,
  { inputs, deadline }: Asked,
  remembered: Job,
): Promise<Plan | Ending> {
  const { deps, client } = session
  // The thread usually knows the pull request already, so both are read at the same time.
  const [job, knownState] = await Promise.all([
    inputs.dryRun
      ? remembered
      : ifKnown(client.read(remembered.id, { deadline, pollMs: inputs.pollMs, isKnown: true })),
    pullRequestState(session, remembered.prLink),
  ])
  if (job !== undefined && 'timedOut' in job) return ending('timed-out', '', job.timedOut)
  const link = job?.prLink ?? ''
  const state = link === '' || link === remembered.prLink ? knownState : await pullRequestState(session, link)
  throwIfCancelled(deps.cancellation)
  return planForJob(inputs, remembered, job, state)
}

/** Sends the request to the agent. The thread and the post step know of it before the service does (contract 5.2). */
async function sendTo(
  session: Session,
  request: Request,
  asked: Asked,
  plan: Send,
  parts: PromptParts,
): Promise<Ending | undefined> {
  const { deps, client, context } = session
  const { inputs, deadline } = asked
  const jobId = plan.kind === 'continue' ? plan.jobId : undefined
  const prompt = promptOf(parts, plan.kind, inputs.guidelines, deps.random)
  request.note = plan.note
  request.prompt = prompt
  deps.core.info(logPrompt(parts.request, prompt))
  if (inputs.dryRun) return ending('skipped', 'dry-run')
  if (deps.monotonic() >= deadline) return ending('timed-out')
  if (context.runAttempt > 1 && (request.thread === undefined || inputs.comment === 'off')) {
    deps.core.warning(lostMemory(request.thread !== undefined))
  }

  const isFirstTry = !request.hasSent
  request.apply({ type: 'send', jobId: jobId ?? '' })
  request.claimedUntil = deadline
  const [written] = await Promise.all([
    request.writeStatus(session),
    isFirstTry && showVerdict(session, request, WORKING),
  ])
  if (written.existing !== undefined) return endingOfRecord(request)
  const isLate = deps.monotonic() >= deadline
  if (isUnwritten(written) || isLate) {
    // Without its record in the thread, a re-run could not tell that the request went out.
    request.apply({ type: 'notSent' })
    if (isLate) return ending('timed-out')
    throw written.failure
  }
  try {
    const job = await client.send({ prompt, jobId, deadline })
    request.apply({ type: 'accepted', job, messagedAt: jobId === undefined ? 0 : deps.now() })
    deps.core.info(`Job ${job.id} ${request.jobAction}${job.model === '' ? '' : ` (${job.model})`}`)
    return undefined
  } catch (error) {
    const isRejected = error instanceof ServiceError || error instanceof Cancelled
    request.apply({ type: isRejected ? 'notSent' : 'noAnswer' })
    if (isJobNotFound(error) && jobId !== undefined && inputs.jobId === undefined) {
      return await sendTo(session, request, asked, { kind: 'create', note: { job: 'gone' } }, parts)
    }
    if (isRejected || error instanceof CreationUncertain) throw error
    // Whatever went wrong went wrong while the request may have been under way.
    throw new CreationUncertain(explainError(deps.core, error), jobId ?? '', { cause: error })
  }
}
