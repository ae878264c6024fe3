import { ifKnown } from '../agent/agent-client.ts'
import { orCancelled, throwIfCancelled } from '../deps.ts'
import { sayClosed } from '../docs-with-code/closed.ts'
import { aboutHead, type Code, readCode } from '../docs-with-code/code.ts'
import { answerOfThread, describeNew, NOTHING_IN_PATHS } from '../docs-with-code/same-changes.ts'
import { skipDocs } from '../docs-with-code/skip.ts'
import { setStatus } from '../docs-with-code/status.ts'
import { type Command, isWordAlone } from '../event/command.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { Trigger } from '../event/trigger.ts'
import { checkAccess } from '../github/permissions.ts'
import { fullName } from '../link.ts'
import { logHeader } from '../messages/comments.ts'
import {
  CAUSES,
  endingAfter,
  threadGone,
  UNREAD_THREAD,
  uncertainEnd,
  unreadPermission,
  WARNINGS,
} from '../messages/notes.ts'
import type { RunEnd } from '../messages/phrases.ts'
import type { PushedChanges } from '../prompt/merges.ts'
import { type EventTexts, readEventTexts } from '../prompt/prompt.ts'
import type { Task } from '../prompt/task.ts'
import { reread } from '../request/job.ts'
import { ending } from '../request/outcome.ts'
import type { Send } from '../request/plan.ts'
import { MOST_MERGED, type RequestRecord } from '../request/record.ts'
import { changesKey } from '../request/request-key.ts'
import { withAuthors } from '../request/reviewers.ts'
import { acknowledge } from '../thread/reactions.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import type { Thread } from '../thread/thread.ts'
import { readThread } from '../thread/thread.ts'
import { skipAgentPullRequest } from './agent-pull-requests.ts'
import { listChanges, readChanges } from './changes.ts'
import { checkSetup } from './check-setup.ts'
import { findThread } from './find-thread.ts'
import { planRequest } from './plan-request.ts'
import { send } from './send.ts'

/** Whether the command may send something to the agent: the line comments of a review are not read yet. */
export function mayAskAgent(command: Command, { comment }: Pick<Trigger, 'comment'>): boolean {
  if (command.kind === 'input' || command.kind === 'prompt') return true
  return isWordAlone(command) && comment?.kind === 'submitted-review'
}

/**
 * Brings a request to the agent, once: the permission; the thread, and what an earlier attempt did; the texts; the plan; the
 * record, written ahead; the job.
 * @returns how the request ends without one; undefined where the agent has it
 * @throws what `endingAfter` knows, and nothing was sent then
 */
export async function ask(session: Session, request: Request, task: Task): Promise<RunEnd | undefined> {
  const { deps } = session
  const { inputs, trigger, command } = task
  const denied = await checkPermission(session, request.thread, task)
  if (denied !== undefined) return denied
  // From here on a kill is the post step's to report.
  request.mayWrite = true
  request.keepForPostStep(session)
  const isForAgent = mayAskAgent(command, trigger)
  // What a comment asks does not depend on the thread. With a commit status, both need the pull request.
  const texts =
    isForAgent && trigger.comment !== undefined && inputs.commitStatus === ''
      ? readEventTexts(session, task, task.text, undefined)
      : undefined
  texts?.catch(() => undefined)
  const [entered, code, refused] = await orCancelled(
    deps.cancellation,
    Promise.all([
      enterThread(session, request, task),
      isForAgent ? readCode(session, request.thread?.number, task) : undefined,
      isForAgent && inputs.dryRun ? checkSetup(session, request, task) : undefined,
    ]),
  )
  logStart(session, request, task)
  request.keepForPostStep(session)
  if (refused !== undefined) {
    request.becomeLatest()
    return { ending: refused }
  }
  if ('ending' in entered) return entered
  if (isPullRequestEvent(trigger) && code !== undefined) {
    const answered = await answerEvent(session, request, task, code)
    if (answered !== undefined) return answered
  }
  if (inputs.dryRun) request.becomeLatest()
  const own = inputs.dryRun ? undefined : request.continueFromThread()
  if (own !== undefined) return await resume(session, request, task, own, code)
  if (!isForAgent) return (await answerCommand(session, request, task, command)) ?? HELP
  return await askAnew(session, request, task, entered.pushed, code, texts)
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

/** Finds the thread of the event, and reads it. @returns what a push brought, or how the run ends */
async function enterThread(
  session: Session,
  request: Request,
  task: Task,
): Promise<{ readonly pushed?: PushedChanges | undefined } | RunEnd> {
  const { deps } = session
  const { inputs, trigger, command } = task
  const { thread } = request
  const isNamed = (trigger.subject ?? inputs.issueNumber) !== undefined && trigger.push === undefined
  if (isNamed || !mayAskAgent(command, trigger)) {
    const gone = await readThread(session, thread)
    // By then, a cancelled run has said where it answers.
    throwIfCancelled(deps.cancellation)
    if (gone === undefined || thread === undefined) return {}
    request.thread = undefined
    if (trigger.comment !== undefined)
      return { ending: ending('error', 'bad-input', threadGone(thread.number, gone.detail)) }
    session.warnings.add(['thread', thread.number], gone)
    return {}
  }
  const place = await findThread(session, request.identity, task, thread)
  throwIfCancelled(deps.cancellation)
  if ('outcome' in place) return { ending: place }
  const { pushed, tracking } = place
  request.thread = place.thread
  request.updateIdentity({ tracking })
  if (pushed === undefined) return {}
  const { merged } = pushed
  const authors = withAuthors(request.identity.settings, merged.toReversed())
  request.updateIdentity({ merged: merged.map(({ number }) => number).slice(-MOST_MERGED), ...authors })
  return { pushed }
}

function logStart(
  { deps, context }: Session,
  { thread, identity }: Request,
  { inputs, trigger }: Task,
): void {
  const { core } = deps
  const where = `${fullName(context.repository)}${thread === undefined ? '' : `#${thread.number}`}`
  core.info(logHeader(trigger, identity.requestedBy, where))
  if (thread !== undefined || inputs.issueTitle !== undefined) return
  if (inputs.conversation === 'skip') core.warning(WARNINGS.nothingToSkipBy)
  if (inputs.changesSince === 'last-run') core.warning(WARNINGS.noLastRun)
}

/** What a `pull_request` event brings that the thread has an answer for. */
async function answerEvent(
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
    return code.isInPaths ? undefined : { ending: NOTHING_IN_PATHS }
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

/** Goes on with what an earlier attempt, or the run of an earlier head, sent. */
async function resume(
  session: Session,
  request: Request,
  { trigger, inputs }: Task,
  own: RequestRecord,
  code: Code | undefined,
): Promise<RunEnd | undefined> {
  request.keepForPostStep(session)
  if (own.state === 'sending') return { ending: uncertainEnd(own.jobId) }
  session.deps.core.info(`Job ${request.job?.id} resumed: an earlier run started it`)
  if (own.state === 'reported') return { ending: own.ending }
  request.eyesReaction = acknowledge(session, request.identity.comment)
  if (isPullRequestEvent(trigger) && code?.digest === own.head.digest)
    request.updateIdentity(
      await aboutHead(session, request.identity, inputs.commitStatus, code, request.latest.job),
    )
  return undefined
}

/** @param pushed what a push brought @param code the pull request that a status is about */
async function askAnew(
  session: Session,
  request: Request,
  task: Task,
  pushed: PushedChanges | undefined,
  code: Code | undefined,
  textsOfComment: Promise<EventTexts> | undefined,
): Promise<RunEnd | undefined> {
  const { deps } = session
  const { inputs, trigger } = task
  request.eyesReaction ??= acknowledge(session, request.identity.comment)
  const { subject } = trigger
  const isAboutCode = isPullRequestEvent(trigger)
  // The event is about the pull request as it is now.
  const now =
    isAboutCode && subject !== undefined && code?.pull !== undefined
      ? { ...task, trigger: { ...trigger, subject: { ...subject, headSha: code.pull.headSha } } }
      : task
  const [texts, listing] = await orCancelled(
    deps.cancellation,
    Promise.all([
      textsOfComment ?? readEventTexts(session, now, task.text, pushed, code && Promise.resolve(code)),
      inputs.changesSince && listChanges(session, task, inputs.changesSince),
    ]),
  )
  const answered = await answerCommand(session, request, task, texts.command)
  if (answered !== undefined) return answered
  if (subject?.isPullRequest === true)
    request.updateIdentity({ ...withAuthors(request.identity.settings, [subject]) })
  throwIfCancelled(deps.cancellation)
  if (subject === undefined && pushed === undefined && lacksReferences(task))
    return { ending: ending('skipped', 'no-changes', CAUSES.emptyReferences) }
  if (code !== undefined && !inputs.dryRun)
    request.updateIdentity(
      await aboutHead(session, request.identity, inputs.commitStatus, code, request.latest.job),
    )
  const { step } = request.identity.head
  const before = request.latest.code.find((one) => one.step === step)
  const part = isAboutCode && step !== '' && code ? await describeNew(session, before, task, code) : undefined
  const found =
    listing && (await readChanges(session, request.reading, listing, task, request.identity.requestedAt))
  const isNothing = found !== undefined && 'outcome' in found
  // What readers miss is worth a request also where nothing was merged.
  if (isNothing && task.references === '') return { ending: found }
  const changes = isNothing ? undefined : found
  if (changes !== undefined) {
    const { coversUntil, pulls } = changes
    const merged = pulls && { merged: pulls.map(({ number }) => number).slice(-MOST_MERGED) }
    const authors = pulls && withAuthors(request.identity.settings, pulls.toReversed())
    request.updateIdentity({ coversUntil, ...merged, ...authors })
  }
  const isFresh = texts.command.kind === 'prompt' && texts.command.fresh
  const plan = await planRequest(session, request.reading, request.identity, task, isFresh)
  if ('ending' in plan) return plan
  if (plan.kind === 'skip') {
    const cause = plan.unreadable ? CAUSES.unreadablePullRequest : ''
    return { ending: ending('skipped', plan.reason, cause), job: plan.job }
  }
  const whole = isAboutCode ? texts.context : texts.followUpContext
  const partsFor = ({ job }: Send) => ({
    ...texts,
    // A job that failed may not have made anything of what it got.
    followUpContext: job?.status === 'failed' ? whole : (part ?? whole),
    changes: changes?.text ?? { text: '', leftOut: [] },
    references: task.references,
  })
  return await send(session, request, task, { plan, partsFor, isFresh })
}

/** What it is asked for by inputs is in files that hold nothing. */
const lacksReferences = ({ inputs, command, references }: Task): boolean =>
  command.kind === 'input' &&
  inputs.referenceFiles.length > 0 &&
  references === '' &&
  inputs.changesSince === undefined

const HELP: RunEnd = { ending: ending('skipped', 'help') }

/** @returns undefined for what goes to the agent */
async function answerCommand(
  session: Session,
  request: Request,
  task: Task,
  command: EventTexts['command'],
): Promise<RunEnd | undefined> {
  if (command.kind === 'status') return await answerStatus(session, request, task)
  if (command.kind === 'skip') return await skipDocs(session, request, task, command.why)
  return command.kind === 'help' ? HELP : undefined
}

/** `/docs status`: reads the thread's job once. */
async function answerStatus(session: Session, request: Request, { inputs, deadline }: Task): Promise<RunEnd> {
  const { deps, client } = session
  const status = (message = '') => ending('skipped', 'status', message)
  if (request.reading === undefined) return { ending: status(CAUSES.unreadStatus) }
  const { job: known } = request.latest
  if (known === undefined || inputs.dryRun) return { ending: status(), job: known }
  if (deps.monotonic() >= deadline) return { ending: ending('timed-out'), job: known }
  request.eyesReaction = acknowledge(session, request.identity.comment)
  try {
    const read = await ifKnown(client.readOnce(known, { deadline }))
    return { ending: status(read === undefined ? CAUSES.goneStatus : ''), job: read && reread(known, read) }
  } catch (error) {
    return { ending: endingAfter(deps, error), job: known }
  }
}
