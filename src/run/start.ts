import { ifKnown, isJobNotFound, readJob, readOnce, send } from '../agent/agent-client.ts'
import { orCancelled, throwIfCancelled } from '../deps.ts'
import { Cancelled, CreationUncertain } from '../errors.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { Trigger } from '../event/trigger.ts'
import { checkAccess } from '../github/permissions.ts'
import { ServiceError } from '../http/service.ts'
import { fullName } from '../link.ts'
import { WORKING } from '../messages/commit-verdict.ts'
import { explainError } from '../messages/explain.ts'
import { CAUSES, lostMemory, UNREAD_THREAD, unreadPermission, WARNINGS } from '../messages/notes.ts'
import { readTask } from '../messages/side-tasks.ts'
import { logHeader, logPrompt } from '../messages/summary.ts'
import { type Command, isWordAlone } from '../prompt/command.ts'
import { type PromptParts, promptOf, readEventTexts } from '../prompt/prompt.ts'
import type { Job } from '../request/job.ts'
import { type Ending, ending } from '../request/outcome.ts'
import { type Plan, planForJob, planFromHistory, threadJob } from '../request/plan.ts'
import { mayBeWithAgent } from '../request/states.ts'
import { acknowledge } from '../thread/reactions.ts'
import type { Session } from '../thread/session.ts'
import { isUnwritten } from '../thread/thread.ts'
import { rememberAuthors } from './after-result.ts'
import { pullRequestState, skipAgentPullRequest } from './agent-pull-requests.ts'
import { listChanges, readChanges } from './changes.ts'
import { digestChanges, keptInStep, planIncrement, tellOfEnd } from './code-pull-request.ts'
import { carryVerdict, claimHead, pullRequestOfThread, showVerdict } from './commit-status.ts'
import { findThread, readThread } from './find-thread.ts'
import type { Asked, Request } from './request.ts'
import { endingOfRecord, writeStatus } from './result.ts'

/** The line comments of a review are not read yet. */
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
  const { deps, context, forge } = session
  const { inputs, trigger, command } = asked
  const { cancellation } = deps

  const access = await orCancelled(cancellation, checkAccess(forge, trigger, inputs.minPermission))
  if (!access.granted) {
    const { login, has, unreadable } = access
    logStart(session, request, asked)
    const { thread } = request
    if (asked.tellsOfDenial && thread !== undefined) {
      const reading = session.warnings.warnIfRefused(readTask(thread.number), () => thread.read(session))
      await orCancelled(cancellation, reading)
    }
    const isFirst = context.runAttempt === 1
    request.know({ isFirst, denied: { login, has, isSilent: !asked.tellsOfDenial } })
    if (unreadable !== undefined) deps.core.warning(unreadPermission(login, unreadable))
    return ending('skipped', 'permission-denied')
  }
  const asksAgent = mayAskAgent(command, trigger)
  const isNamed = request.thread !== undefined && trigger.push === undefined
  const isOfPullRequest = asksAgent && isPullRequestEvent(trigger) && isNamed
  // The end of a pull request may ask nothing, and then a run that is cut off has nothing to say.
  const isEnd = isOfPullRequest && trigger.action === 'closed'
  const grant = () => {
    request.know({ isGranted: true })
    // From here on a kill is the post step's to report.
    request.save(session)
  }
  if (!isEnd) grant()
  const pushed =
    asksAgent && !isNamed ? await orCancelled(cancellation, findThread(session, request, asked)) : undefined
  logStart(session, request, asked)
  if (pushed !== undefined && 'outcome' in pushed) return pushed
  const { changesSince } = inputs
  if (isEnd) {
    await orCancelled(cancellation, readThread(session, request, asked))
    if (keptInStep(request)) return await tellOfEnd(session, request, asked)
    grant()
  }
  const isRead = request.history !== undefined
  const reading = isOfPullRequest && trigger.subject ? digestChanges(session, trigger.subject) : undefined
  const [texts, listing, pull, changed] = await orCancelled(
    cancellation,
    Promise.all([
      asksAgent ? readEventTexts(session, asked, request.facts.text, pushed, reading) : undefined,
      asksAgent && changesSince !== undefined ? listChanges(session, asked, changesSince) : undefined,
      asksAgent ? pullRequestOfThread(session, request, asked) : undefined,
      reading,
      isNamed && !isRead && readThread(session, request, asked),
    ]),
  )

  const { history } = request
  const own = history?.own
  if (own !== undefined && !inputs.dryRun) request.goOnFrom(own.record, own.body)
  // A request that is under way keeps the head that it began with.
  if (!mayBeWithAgent(request.state)) {
    if (trigger.subject?.isPullRequest === true) rememberAuthors(request, [trigger.subject])
    if (pull !== undefined) claimHead(session, request, inputs.commitStatus, pull)
    const { headSha: sha = '' } = trigger.subject ?? {}
    if (changed !== undefined)
      request.amend({ head: { ...request.identity.head, sha, digest: changed.digest } })
  }
  request.save(session)
  request.know({ isFirst: context.runAttempt === 1 && own === undefined })
  // What is reported stays so, and a kill would leave the eyes.
  if (asksAgent && own?.record.state !== 'reported')
    request.know({ eyes: acknowledge(session, request.identity.comment) })
  const skipped = await skipAgentPullRequest(session, request, asked)
  if (skipped !== undefined) return skipped
  // The line comments of a review may be all that it asks for.
  const { kind } = texts?.command ?? command
  if (kind === 'status') return await answerStatus(session, request, asked)
  if (kind === 'help' || texts === undefined) return ending('skipped', 'help')

  throwIfCancelled(cancellation)
  const fresh = texts.command.kind === 'prompt' && texts.command.fresh
  const known = planFromHistory(history, inputs, { fresh, runAttempt: context.runAttempt })
  if (known.kind === 'stop') return ending('error', known.reason, UNREAD_THREAD[known.reason])
  if (known.kind === 'resume') {
    const { state } = request
    if ('job' in state) deps.core.info(`Job ${state.job.id} resumed: an earlier attempt started it`)
    return undefined
  }
  const increment =
    changed && (await orCancelled(cancellation, planIncrement(session, request, asked, changed)))
  if (typeof increment === 'object') {
    if (!inputs.dryRun) await carryVerdict(session, request)
    return increment
  }
  const changes = listing === undefined ? '' : await readChanges(session, request, listing, asked)
  throwIfCancelled(cancellation)
  if (typeof changes !== 'string') return changes
  const plan = known.kind === 'inspect' ? await inspect(session, asked, known.job) : known
  if ('outcome' in plan) return plan
  if (plan.kind === 'skip') {
    request.know({ shownJob: plan.job })
    return ending('skipped', plan.reason, plan.unreadable ? CAUSES.unreadablePullRequest : '')
  }
  const followUpContext = changed === undefined ? texts.followUpContext : (increment ?? texts.context)
  const parts = { ...texts, followUpContext, changes, references: asked.references }
  return await sendTo(session, request, asked, plan, parts)
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
  request.know({ shownJob: known })
  if (known === undefined || inputs.dryRun) return ending('skipped', 'status')
  if (deps.monotonic() >= deadline) return ending('timed-out')
  request.know({ eyes: acknowledge(session, request.identity.comment) })
  const job = await ifKnown(readOnce(deps, client, known, { deadline }))
  request.know({ shownJob: job })
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
      : ifKnown(readJob(deps, client, remembered.id, { deadline, pollMs: inputs.pollMs, isKnown: true })),
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
  plan: Extract<Plan, { kind: 'create' | 'continue' }>,
  parts: PromptParts,
): Promise<Ending | undefined> {
  const { deps, client, context } = session
  const { inputs, deadline } = asked
  const jobId = plan.kind === 'continue' ? plan.jobId : undefined
  const prompt = promptOf(parts, plan.kind, inputs.guidelines, deps.random)
  request.know({ note: plan.note, prompt })
  deps.core.info(logPrompt(parts.request, prompt))
  if (inputs.dryRun) return ending('skipped', 'dry-run')
  if (deps.monotonic() >= deadline) return ending('timed-out')
  if (context.runAttempt > 1 && (request.thread === undefined || inputs.comment === 'off')) {
    deps.core.warning(lostMemory(request.thread !== undefined))
  }

  const { own, job: latest } = request.history ?? {}
  if (own === undefined && latest !== undefined) {
    // Later than all that the thread holds, as its record is, whatever the clock of another runner said.
    const requestedAt = Math.max(request.identity.requestedAt, latest.record.requestedAt + 1)
    request.amend({ requestedAt })
  }
  request.apply({ type: 'send', jobId: jobId ?? '' })
  const isFirstTry = !request.facts.hasSent
  request.know({ hasSent: true, claimedUntil: deadline })
  const [written] = await Promise.all([
    writeStatus(session, request),
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
    const job = await send(deps, client, { prompt, jobId, deadline })
    const jobAction = jobId === undefined ? 'created' : 'continued'
    request.know({ jobAction })
    request.apply({ type: 'accepted', job, messagedAt: jobId === undefined ? 0 : deps.now() })
    deps.core.info(`Job ${job.id} ${jobAction}${job.model === '' ? '' : ` (${job.model})`}`)
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
