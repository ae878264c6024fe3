import { isJobNotFound } from '../agent/agent-client.ts'
import { throwIfCancelled } from '../deps.ts'
import { verdictOn } from '../docs-with-code/commit-status.ts'
import { hasHead } from '../docs-with-code/increment.ts'
import { inViewOfPushes } from '../docs-with-code/overtaken.ts'
import { whileWaiting } from '../http/failure.ts'
import type { WaitOptions } from '../http/retry.ts'
import { pullRequestOf } from '../link.ts'
import { previewProblem, settingsElsewhere } from '../messages/notes.ts'
import type { Report } from '../messages/phrases.ts'
import { type Job, namedLink } from '../request/job.ts'
import { type Ending, ending, endingOf, isTerminal } from '../request/outcome.ts'
import { isLeftOpen, type Surroundings } from '../request/parts.ts'
import type { Running } from '../request/record.ts'
import { planSettle, type SettlePlan } from '../request/settle-plan.ts'
import { withoutRecord } from '../request/signed-record.ts'
import { jobOf } from '../request/states.ts'
import { hasEnded, turnOf } from '../request/turn.ts'
import { plainText } from '../text.ts'
import { during, type Session } from '../thread/session.ts'
import { adoptLater } from './adopt.ts'
import type { Caller } from './callers.ts'
import { PullRequestChecks } from './checks.ts'
import { endingAfter, endingOfRecord, type StartResult } from './endings.ts'
import { doOpenParts } from './parts.ts'
import { previewOf } from './pull-request-preview.ts'
import { type PullRequestFacts, Reporter } from './reporter.ts'
import type { Request } from './request.ts'

/** How a request stands once this process can do no more for it. */
export interface Settled {
  readonly report: Report
  /** Nothing is left for the post step, a re-run or a sweep. */
  readonly isFinished: boolean
  /** Why GitHub did not take what the thread is to say. */
  readonly failure: unknown
  /** The thread keeps what another run or attempt said. */
  readonly isTheirs: boolean
  /** What is true of the thread, for the warning about what failed. */
  readonly threadNow: string
}

/**
 * Brings a request to its end, whatever earlier runs left undone: learns how it ended and what the thread knows by now,
 * notes in the record all that follows, says the result, does what follows at the same time, and says what that changed.
 * @param session of the phase that reports
 * @param started what the process has done for it so far
 * @returns undefined where there is nothing to say
 */
export async function settle(
  session: Session,
  request: Request,
  caller: Caller,
  started: StartResult = {},
): Promise<Settled | undefined> {
  const read = started.end ?? (await learnEnding(session, request, caller))
  if (read === undefined) {
    await leaveOpen(session, request, caller)
    return undefined
  }
  await readAgain(session, request)
  const isAdopted = adoptLater(request)
  const end = await inViewOfPushes(session, request, endInView(request, read, isAdopted))
  const { identity, state, hasServed, history } = request
  const plan = planSettle({
    role: caller,
    identity,
    state,
    hasServed,
    end,
    shown: history?.own?.record,
    around: surroundingsOf(session, request, end),
  })
  request.settleAs(plan.state)
  const reporter = new Reporter(session, request, { end, started, plan, show: caller.show })
  await reporter.say()
  // Another run may have reported the job until then, and waits for checks and preview.
  const follow = reporter.isTheirs ? undefined : followerOf(session, request, reporter, caller, plan)

  let isTidy = true
  const isLeftToNext = caller.needsThread && reporter.failure !== undefined
  if (request.mayWrite && end.reason !== 'permission-denied' && !isLeftToNext) {
    const mayHaveEyes = started.eyes !== undefined || caller.speaksFor === 'main step'
    const doOpen = () => doOpenParts(session, request, reporter, started.eyes, mayHaveEyes)
    const [isDone, hasLearned] = await Promise.all([doOpen(), follow?.()])
    isTidy = isDone
    if (hasLearned === true) {
      await reporter.say()
      // What waited for the checks, and what GitHub did not answer before them.
      isTidy = await doOpen()
    }
    if (!reporter.isAway) await reporter.say()
  }
  if (plan.isResult) warnOfSettings(session, request)
  const problem = plainText(previewProblem(reporter.report))
  if (problem !== '') session.deps.core.warning(problem)
  const isDone = isTidy && !reporter.isAway && !isLeftOpen(request.state)
  const { report, failure, isTheirs } = reporter
  const isFinished = !request.mayWrite || isDone
  return { report, isFinished, failure, isTheirs, threadNow: reporter.threadNow(isFinished) }
}

/**
 * Leaves a request whose job goes on to another process: with what was read of the job, below the words that stand, and with
 * nothing open of the run that waits no longer.
 */
export async function leaveOpen(
  session: Session,
  request: Request,
  caller: Caller,
  job?: Job,
): Promise<void> {
  const known = jobOf(request.state)
  if (job !== undefined && known !== undefined && isTerminal(job) !== isTerminal(known)) {
    request.apply({ type: 'read', job })
    await request.write(session, 'status comment', withoutRecord(request.history?.own?.body ?? ''))
  }
  const { ending: end, openParts } = request.state
  if (end !== undefined && openParts.length > 0) await settle(session, request, caller, { end })
  else await request.thread?.keepOne(session, request.identity)
}

/** How the request ended, as far as the caller can learn it. */
async function learnEnding(session: Session, request: Request, caller: Caller): Promise<Ending | undefined> {
  const { state } = request
  if (state.state !== 'running') return endingOfRecord(request) ?? caller.otherwise
  try {
    const { learns, waiting } = caller
    const ended =
      waiting === undefined || learns === 'from what is known'
        ? lookAtRecord(session, request, state)
        : learns === 'by following'
          ? await followJob(session, request, state, waiting())
          : await lookAtJob(session, request, state, waiting())
    return ended ?? caller.otherwise
  } catch (error) {
    return isJobNotFound(error)
      ? ending('error', 'job-not-found', error.message)
      : endingAfter(session.deps, error)
  }
}

/** @returns how the request ended, undefined where the job works, as far as the record tells */
function lookAtRecord({ deps }: Session, request: Request, state: Running): Ending | undefined {
  const writtenAt = request.history?.own?.record.writtenAt ?? deps.now()
  // What the record knows was read before that.
  return hasEnded(state.job, turnOf(state, writtenAt, writtenAt)) ? endingOf(state.job) : undefined
}

/** Reads the job once. @returns how the request ended, undefined where the job works */
async function lookAtJob(
  { deps, client }: Session,
  request: Request,
  state: Running,
  { deadline }: WaitOptions,
): Promise<Ending | undefined> {
  // The answer to the request is as good as a read.
  const isRead = request.jobAction !== 'resumed'
  const job = isRead ? state.job : await client.readOnce(state.job, { deadline, isKnown: true })
  request.apply({ type: 'read', job })
  const writtenAt = request.history?.own?.record.writtenAt ?? deps.now()
  return hasEnded(job, turnOf(state, deps.now(), writtenAt)) ? endingOf(job) : undefined
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
  const { messagedAt: messaged, wasBusy } = state
  // A new job that already ended gets its result, not a status. After a message that needs a second look (4.8).
  if (isTerminal(state.job) && messaged === 0) return endingOf(state.job)
  throwIfCancelled(deps.cancellation)
  const { deadline } = waiting
  request.apply({ type: 'follow' })
  // GitHub never decides how a run ends, not even by the time that a limit of its rate takes (contract 5.6).
  const patient = during(session, whileWaiting(deadline - deps.monotonic()))
  if ((await request.writeStatus(patient)).existing !== undefined) return endingOfRecord(request)
  // As far as the clocks of two runners agree.
  const messagedAt = messaged === 0 ? undefined : deps.monotonic() - Math.max(0, deps.now() - messaged)
  const onJob = (job: Job) => request.apply({ type: 'read', job })
  const { job, timedOut } = await client.poll({ ...waiting, job: state.job, messagedAt, wasBusy, onJob })
  return timedOut === undefined ? endingOf(job) : ending('timed-out', '', timedOut)
}

/**
 * What the thread tells by now: while a run follows the job, a sweep may have reported it, or another event may say that
 * the code ended.
 */
async function readAgain(session: Session, request: Request): Promise<void> {
  const { deps, commentMode } = session
  const { hasServed, given, mayWrite, thread, identity } = request
  const isOld = hasServed && (deps.monotonic() >= given.deadline || hasHead(identity))
  if (mayWrite && commentMode !== 'off' && (isOld || request.history === undefined))
    await thread?.readOrWarn(session)
}

/** How the request ended by what is known now. @param isAdopted its record is that of another run or attempt */
function endInView({ state, hasSent }: Request, end: Ending, isAdopted: boolean): Ending {
  if (end.outcome === 'skipped') return end
  // A run that was cancelled says so, whatever another one said.
  if (end.outcome === 'cancelled' && (state.state === 'reported' || state.ending !== undefined)) return end
  const isKnown = isAdopted || (!hasSent && (state.state === 'sending' || state.state === 'reported'))
  return (isKnown ? endingOfRecord({ state }) : undefined) ?? end
}

const surroundingsOf = ({ context, commentMode }: Session, request: Request, end: Ending): Surroundings => {
  const job = jobOf(request.state)
  return {
    serverUrl: context.serverUrl,
    repository: context.repository,
    thread: request.thread?.number,
    comments: commentMode !== 'off',
    isLinked: request.isLinked(job?.prLink ?? ''),
    decidesStatus: verdictOn(request, { ...end, job }) !== undefined,
    isFirstRun: request.isFirstRun,
  }
}

/** @returns what follows checks and preview, or the preview alone, and tells whether something became known */
function followerOf(
  session: Session,
  request: Request,
  reporter: Reporter,
  { waiting, fixAttempts }: Caller,
  { awaits }: SettlePlan,
): (() => Promise<boolean>) | undefined {
  if (waiting === undefined || awaits === undefined) return undefined
  const learn = (more: PullRequestFacts): boolean => {
    reporter.learn(more)
    return true
  }
  if (awaits === 'checks') {
    const say = (more: PullRequestFacts) => reporter.say(more)
    const checks = new PullRequestChecks(session, request, { waiting: waiting(), fixAttempts, say })
    return async () => learn(await checks.follow())
  }
  return async () => {
    const preview = await previewOf(session, request, jobOf(request.state), waiting)
    return preview !== undefined && learn({ preview })
  }
}

/** A pull request on another server takes neither reviewers nor labels (contract 4.11). */
function warnOfSettings({ deps, context }: Session, { identity, state }: Request): void {
  const { reviewers, labels } = identity.settings
  const link = namedLink(jobOf(state))
  if (link === '' || reviewers.length + labels.length === 0) return
  if (pullRequestOf(link, context.serverUrl) !== undefined) return
  deps.core.warning(plainText(settingsElsewhere(link, new URL(context.serverUrl).host)))
}
