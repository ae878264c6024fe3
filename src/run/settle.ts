import { verdictOn } from '../docs-with-code/commit-status.ts'
import { earlierOf, inViewOfPushes } from '../docs-with-code/overtaken.ts'
import { pullRequestOf } from '../link.ts'
import { previewProblem, settingsElsewhere } from '../messages/notes.ts'
import type { Report } from '../messages/phrases.ts'
import { namedLink } from '../request/job.ts'
import { isWaitedFor } from '../request/lease.ts'
import { type Ending, endsJob } from '../request/outcome.ts'
import { isLeftOpen } from '../request/parts.ts'
import { hasHead, isOfRun } from '../request/record.ts'
import { type Found, planSettle } from '../request/settle-plan.ts'
import { jobOf } from '../request/states.ts'
import { plainText } from '../text.ts'
import type { Request } from '../thread/request.ts'
import { sayNothingNew } from '../thread/say.ts'
import type { Session } from '../thread/session.ts'
import { adoptLater } from './adopt.ts'
import type { Caller } from './callers.ts'
import { endAsRecorded } from './endings.ts'
import { learnEnding } from './learn-ending.ts'
import { Reporter } from './reporter.ts'
import { hasSetAll, leaveOutWhatIsSet } from './request-reviews.ts'
import type { Started } from './started.ts'
import { doWhatFollows } from './what-follows.ts'

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
 * notes in the record all that follows, says the result, does the open parts while it follows checks or preview, and says
 * what changed.
 * @param session of the phase that reports
 * @param started what the process has done for it so far
 * @returns undefined where there is nothing to say
 */
export async function settle(
  session: Session,
  request: Request,
  caller: Caller,
  started: Started = { kind: 'recorded' },
): Promise<Settled | undefined> {
  const learned = started.end ?? (await learnEnding(session, request, caller))
  if (learned === undefined) {
    await sayNothingNew(session, request)
    await request.thread?.keepOne(session, request.identity)
    return undefined
  }
  await readIfOld(session, request)
  const isAdopted = adoptLater(request)
  const recorded = endAsRecorded(learned, request, isAdopted)
  const end = await inViewOfPushes(session, request, recorded)
  const { state } = request
  if (state.state === 'running' && endsJob(end)) leaveOutWhatIsSet(request, state.job, hasSetAll)
  const plan = planSettle(foundOf(session, request, caller, end))
  for (const event of plan.events) request.apply(event)
  const reporter = new Reporter(session, request, { end, started, plan, caller })
  await reporter.say()
  const goesOn = request.mayWrite && !(caller.isRepeated && reporter.failure !== undefined)
  const isTidy = goesOn ? await doWhatFollows(session, request, reporter, { caller, plan }) : true
  if (plan.isResult) warnOfSettings(session, request)
  const problem = plainText(previewProblem(reporter.report))
  if (problem !== '') session.deps.core.warning(problem)
  const { report, failure, isTheirs } = reporter
  const isFinished = !request.mayWrite || (isTidy && !reporter.isAway && !isLeftOpen(request.state))
  return { report, isFinished, failure, isTheirs, threadNow: reporter.threadNow(isFinished) }
}

/**
 * What the thread tells by now: while a run follows the job, a sweep may have reported it, or another event may say that
 * the code ended.
 */
async function readIfOld(session: Session, request: Request): Promise<void> {
  const { deps, commentMode } = session
  const { knowsFirsthand, given, mayWrite, thread, identity } = request
  // Beyond the deadline, or where GitHub did not take the record, nothing kept others from the request.
  const mayBeTaken = deps.monotonic() >= given.deadline || thread?.mayHoldUnknown === true
  const isOld = knowsFirsthand && (mayBeTaken || hasHead(identity))
  if (mayWrite && commentMode !== 'off' && (isOld || request.history === undefined))
    await thread?.readOrWarn(session)
}

function foundOf(
  { deps, context, commentMode }: Session,
  request: Request,
  role: Caller,
  end: Ending,
): Found {
  const { identity, state, history, thread, knowsFirsthand, isFirstRun } = request
  const shown = history?.own?.record
  const isHeldByOther =
    !role.isRepeated && shown !== undefined && !isOfRun(shown, identity) && isWaitedFor(shown, deps.now())
  const job = jobOf(state)
  const around = {
    serverUrl: context.serverUrl,
    repository: context.repository,
    thread: commentMode === 'off' ? undefined : thread?.number,
    isLinked: request.isLinked(job?.prLink ?? ''),
    decidesStatus: verdictOn(request, { ...end, job }) !== undefined,
    hasEarlier: earlierOf(request).length > 0,
    isFirstRun,
  }
  return { role, identity, state, knowsFirsthand, end, shown, isHeldByOther, around }
}

/** A pull request on another server takes neither reviewers nor labels (contract 4.11). */
function warnOfSettings({ deps, context }: Session, { identity, state }: Request): void {
  const { reviewers, labels } = identity.settings
  const link = namedLink(jobOf(state))
  if (link === '' || reviewers.length + labels.length === 0) return
  if (pullRequestOf(link, context.serverUrl) !== undefined) return
  deps.core.warning(plainText(settingsElsewhere(link, new URL(context.serverUrl).host)))
}
