import { isJobNotFound, LAST_TURN_MS } from '../agent/agent-client.ts'
import { throwIfCancelled } from '../deps.ts'
import { whileWaiting } from '../http/failure.ts'
import type { WaitOptions } from '../http/retry.ts'
import { pullRequestOf } from '../link.ts'
import { CAUSES, previewProblem, settingsElsewhere } from '../messages/notes.ts'
import type { Job } from '../request/job.ts'
import { type Ending, ending, isActive, isJobOutcome, isTerminal, outcomeOf } from '../request/outcome.ts'
import type { Running } from '../request/record.ts'
import { jobOf, lastMessagedAt } from '../request/states.ts'
import { plainText } from '../text.ts'
import { during, type Session } from '../thread/session.ts'
import { isUnwritten } from '../thread/thread.ts'
import { doOpenParts, doPart, partsOf } from './after-result.ts'
import { PullRequestChecks, previewOf } from './checks.ts'
import { endingOfRecord, type Request } from './request.ts'
import { Result, type Show } from './result.ts'

/** One look at the job. @returns undefined where the service no longer knows it */
type Look = () => Promise<Job | undefined>

export interface FinishOptions {
  /** The caller follows the job until it ends or the deadline comes, or takes one look. */
  readonly job: { readonly follow: WaitOptions } | { readonly look: Look }
  /**
   * What to report of a job that still works, or that cannot be read; undefined reports nothing.
   * @param error why the job cannot be read, which the caller may throw on
   */
  ifNotEnded(error?: unknown): Ending | undefined
  /** For preview and checks of the pull request, from the moment of the call; undefined reads neither. */
  readonly pullRequestWait?: (() => WaitOptions) | undefined
  /** How often failures may go back to the agent in all; 0 reads no checks (contract 4.12). */
  readonly fixAttempts?: number
  /** Another sweep reports what the thread lacks: until it has the result, nothing that follows it is done. */
  readonly isRepeated?: boolean
  readonly show: Show
}

/**
 * Follows a request to its end and reports it, whatever earlier runs left undone. Main step, re-run, post step and sweep
 * differ in how long they stay alone.
 * @param session of the phase that reports
 * @returns undefined where there is nothing to report yet
 */
export async function finish(
  session: Session,
  request: Request,
  options: FinishOptions,
): Promise<Result | undefined> {
  const end = endingOfRecord(request) ?? (await endOfJob(session, request, options))
  return end && (await report(session, request, end, options))
}

async function endOfJob(
  session: Session,
  request: Request,
  { job, ifNotEnded }: FinishOptions,
): Promise<Ending | undefined> {
  const { state } = request
  if (state.state !== 'running') return ifNotEnded()
  try {
    const ended =
      'look' in job
        ? await lookAtJob(session, request, state, job.look)
        : await followJob(session, request, state, job.follow)
    return ended ?? ifNotEnded()
  } catch (error) {
    return isJobNotFound(error) ? ending('error', 'job-not-found', error.message) : ifNotEnded(error)
  }
}

const endingOf = (job: Job): Ending => ending(outcomeOf(job) ?? 'error')

/** @returns how the request ended, undefined where the job still works */
async function lookAtJob(
  { deps }: Session,
  request: Request,
  state: Running,
  look: Look,
): Promise<Ending | undefined> {
  const job = await look()
  if (job === undefined) return ending('error', 'job-not-found', CAUSES.jobGone)
  if (!hasEnded(job, state, deps.now() - lastMessagedAt(state))) return undefined
  request.apply({ type: 'read', job })
  return endingOf(job)
}

/**
 * @throws {ServiceError} where the job cannot be read
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
async function followJob(
  session: Session,
  request: Request,
  state: Running,
  waiting: WaitOptions,
): Promise<Ending | undefined> {
  const { deps, client } = session
  const messaged = lastMessagedAt(state)
  // A new job that already ended gets its result, not a status. After a message that needs a second look (4.8).
  if (isTerminal(state.job.status) && messaged === 0) return endingOf(state.job)
  throwIfCancelled(deps.cancellation)
  const { deadline } = waiting
  request.claimedUntil = deadline
  // GitHub never decides how a run ends, not even by the time that a limit of its rate takes (contract 5.6).
  const patient = during(session, whileWaiting(deadline - deps.monotonic()))
  if ((await request.writeStatus(patient)).existing !== undefined) return endingOfRecord(request)
  // As far as the clocks of two runners agree.
  const messagedAt = messaged === 0 ? undefined : deps.monotonic() - Math.max(0, deps.now() - messaged)
  const onJob = (job: Job) => request.apply({ type: 'read', job })
  const { job, timedOut } = await client.poll({ ...waiting, job: state.job, messagedAt, onJob })
  return timedOut === undefined ? endingOf(job) : ending('timed-out', '', timedOut)
}

/**
 * Whether the job ended this request, and not only the one before it (contract 4.8).
 * @param sinceMs since the job got its last message
 */
export function hasEnded(job: Job, state: Running, sinceMs: number): boolean {
  const turnBegan = state.messagedAt === 0 || isActive(state.job)
  return isTerminal(job.status) && (turnBegan || sinceMs >= LAST_TURN_MS)
}

/** Reports how a request ended: first the result, then all that is still open, at the same time. */
export async function report(
  session: Session,
  request: Request,
  end: Ending,
  { pullRequestWait, fixAttempts = 0, isRepeated = false, show }: Omit<FinishOptions, 'job' | 'ifNotEnded'>,
): Promise<Result> {
  const { deps, commentMode } = session
  const { claimedUntil } = request
  // Once its own deadline passed, a sweep may have reported the job.
  const isLate = claimedUntil > 0 && deps.monotonic() >= claimedUntil
  if (request.isGranted && commentMode !== 'off' && (isLate || request.history === undefined))
    await request.thread?.readOrWarn(session)
  const { state, history } = request
  const isResult = isJobOutcome(end.outcome) || end.reason === 'job-not-found'
  const isNewResult = isResult && state.state === 'running'
  const hasPullRequest = end.outcome === 'pull-request'
  const hasPendingChecks = state.state === 'reported' && state.checks?.status === 'pending'
  const followsChecks = fixAttempts > 0 && hasPullRequest && (isNewResult || hasPendingChecks)
  const checksWait = followsChecks ? pullRequestWait?.() : undefined
  // A run goes on with the checks of the pull request that the thread shows, or says that no run does.
  const isOurs = hasPendingChecks && (checksWait !== undefined || request.isOpen('checks'))
  const result = new Result(session, request, end, show, isOurs ? 'ours' : 'none')
  if (isNewResult) {
    const replacedId = (commentMode === 'recreate' && history?.own?.id) || 0
    const event = { type: 'report', replacedId, isLinked: request.isLinked(state.job.prLink) } as const
    request.apply({ ...event, openParts: partsOf(session, request, end) })
  } else request.apply({ type: 'stop' })
  let checks: PullRequestChecks | undefined
  if (checksWait === undefined) {
    request.claimedUntil = 0
    if (request.isOpen('checks')) request.apply({ type: 'close', part: 'checks' })
  } else checks = new PullRequestChecks(session, request, { waiting: checksWait, fixAttempts, result })

  await result.publish(checks?.begin())
  if (isRepeated && result.failure !== undefined) return result
  const wasUnwritten = isUnwritten(result)
  const previewWait = isNewResult && hasPullRequest ? pullRequestWait : undefined
  const [isDone, isDecided] = await Promise.all([
    doOpenParts(session, request, result),
    followPullRequest(session, request, result, checks, previewWait),
  ])
  // What follows the result waits for it.
  const areDone = wasUnwritten ? await doOpenParts(session, request, result) : isDone
  result.isFinished = areDone && isDecided && !isUnwritten(result)
  if (isNewResult) warnOfSettings(session, request)
  const problem = plainText(previewProblem(result.report))
  if (problem !== '') deps.core.warning(problem)
  return result
}

/** Follows checks and preview, or the preview alone. @returns whether the commit status says how they ended */
async function followPullRequest(
  session: Session,
  request: Request,
  result: Result,
  checks: PullRequestChecks | undefined,
  previewWait: FinishOptions['pullRequestWait'],
): Promise<boolean> {
  if (result.standing === 'theirs') return true
  if (checks !== undefined) {
    const late = await checks.follow()
    const isDecided = await doPart('status', session, request, { ...result.report, ...late })
    if (request.isOpen('status'))
      request.apply(isDecided ? { type: 'close', part: 'status' } : { type: 'forgetReplaced' })
    await result.publish(late)
    return isDecided
  }
  const preview = previewWait && (await previewOf(session, request, jobOf(request.state), previewWait))
  if (preview !== undefined) await result.publish({ preview })
  return true
}

/** A pull request on another server takes neither reviewers nor labels (contract 4.11). */
function warnOfSettings({ deps, context }: Session, { identity, state }: Request): void {
  const { reviewers, labels } = identity.settings
  const link = jobOf(state)?.prLink ?? ''
  if (link === '' || reviewers.length + labels.length === 0) return
  if (pullRequestOf(link, context.serverUrl) !== undefined) return
  deps.core.warning(plainText(settingsElsewhere(link, new URL(context.serverUrl).host)))
}
