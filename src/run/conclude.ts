import { followChecks } from '../checks/follow-checks.ts'
import { requestsOfJob } from '../checks/requests-of-job.ts'
import { deleteEarlier } from '../docs-with-code/earlier-pushes.ts'
import type { WaitOptions } from '../http/retry.ts'
import { pullRequestOf } from '../link.ts'
import { refusalComment } from '../messages/comments.ts'
import { settingsElsewhere } from '../messages/notes.ts'
import type { Report, RunEnd } from '../messages/phrases.ts'
import { THREAD_NOW } from '../messages/side-tasks.ts'
import type { ChecksReport } from '../request/checks-report.ts'
import { namedLink } from '../request/job.ts'
import { appearanceOf } from '../request/outcome.ts'
import { isSettled, type RequestRecord } from '../request/record.ts'
import { plainText } from '../text.ts'
import { setReaction } from '../thread/reactions.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { countAsk } from './count-asks.ts'
import { type Decision, decide } from './decide.ts'
import { decideStatus, followUp } from './follow-ups.ts'
import { type Audience, Reporter } from './reporter.ts'

interface ChecksPolicy {
  readonly waiting: WaitOptions
  /** How often failures may go back to the agent. */
  readonly fixAttempts: number
  /** How many times the agent may be asked in 24 hours; undefined for no limit. */
  readonly dailyLimit: number | undefined
}

/** Which process concludes a request, and what its inputs say of that. */
export interface Concluder extends Audience {
  readonly role: 'main step' | 'post step' | 'sweep'
  /** Undefined for a process that does not wait for checks. */
  readonly checks?: ChecksPolicy | undefined
}

export interface Conclusion {
  readonly report: Report
  /** Nothing is left for the post step, a re-run or a sweep. */
  readonly isFinished: boolean
  /** What is true of the thread, for the warning about what failed. */
  readonly threadNow: string
}

/** How long the comment waits for the follow-ups, in ms. A cancelled run has 4.5 s for all that is left. */
const PATIENCE_MS = 10_000
const LAST_PATIENCE_MS = 500

/**
 * The one tail of every process: decides how the request ended, and carries it out.
 * @returns undefined where a sweep leaves it to another run
 */
export async function conclude(
  session: Session,
  request: Request,
  end: RunEnd,
  concluder: Concluder,
): Promise<Conclusion | undefined> {
  await lookOnceMore(session, request)
  const shown = request.reading?.own?.record
  const decision = decide({
    state: request.state,
    ending: end.ending,
    shown,
    isSent: request.action === 'sent',
    isSweep: concluder.role === 'sweep',
    followsChecks: request.identity.settings.followsChecks,
    waits: concluder.checks !== undefined && concluder.checks.fixAttempts > 0,
  })
  const reporter = new Reporter(session, request, end, decision, concluder)
  if (decision.ending.reason === 'permission-denied') await refuse(session, request, reporter)
  if (request.mayWrite && decision.isOpen)
    return await carryOut(session, request, reporter, decision, concluder, shown)
  const isTidy = !request.mayWrite || (await request.deleteReplaced(session))
  if (request.mayWrite) await restoreReaction(session, request, concluder)
  if (concluder.role !== 'sweep') await reporter.show()
  return { report: reporter.report, isFinished: isTidy, threadNow: threadNow(session, request, true) }
}

/**
 * What follows an end, then the comment that says it. The comment is what settles the request: a process that is cut off before
 * leaves all of it to the next one, which does it once more.
 */
async function carryOut(
  session: Session,
  request: Request,
  reporter: Reporter,
  decision: Decision,
  concluder: Concluder,
  shown: RequestRecord | undefined,
): Promise<Conclusion | undefined> {
  warnOfSettings(session, request, decision)
  request.state = decision.state
  await reporter.show()
  request.addToMemory()
  request.keepForPostStep(session)
  if (decision.saysFirst) await reporter.writeComment()
  const following = followUp(session, request, reporter.report)
  settle(request, (await orPatience(session.deps, following)) === true)
  // Other runs may take the request up at any time.
  if (concluder.role === 'sweep' && (await isTakenUp(session, request, shown))) return undefined
  // What others learned meanwhile goes along, because their comments may go.
  request.addToMemory()
  const isOurs = await reporter.writeComment()
  // It stands, so what it replaced goes, also where checks are followed for an hour.
  if (request.lastWrite !== 'unanswered') await request.deleteReplaced(session)
  // Where another run reported it meanwhile, that one does the rest.
  if (isOurs) await completeAfterComment(session, request, reporter, concluder, following)
  const isFinished = await finish(session, request)
  return { report: reporter.report, isFinished, threadNow: threadNow(session, request, isFinished) }
}

/** Follows the pull request, where this process waits for it; and what took too long before the comment, or changed since. */
async function completeAfterComment(
  session: Session,
  request: Request,
  reporter: Reporter,
  concluder: Concluder,
  following: Promise<boolean>,
): Promise<void> {
  const wasAway = request.lastWrite === 'unanswered'
  const link = request.job?.prLink
  const checks = await watchChecks(session, request, reporter, concluder)
  if (checks !== undefined) reporter.addChecks(checks)
  let isDone = await following
  // A fix can come as another pull request.
  const isMoved = request.job?.prLink !== link
  if (isMoved) request.hasLinkBack = false
  const again = isMoved || wasAway || (checks !== undefined && !isDone)
  if (again) isDone = await followUp(session, request, reporter.report, true)
  else if (checks !== undefined) isDone = await decideStatus(session, request, reporter.report)
  settle(request, isDone)
  request.addToMemory()
  await reporter.writeComment()
}

/** Follows the checks of the request's pull request, where its record says that this run does. @returns how they stand at last */
async function watchChecks(
  session: Session,
  request: Request,
  reporter: Reporter,
  { checks: policy }: Concluder,
): Promise<ChecksReport | undefined> {
  const { state, grows } = request
  if (policy === undefined || state.state !== 'reported') return undefined
  const { waiting, fixAttempts, dailyLimit } = policy
  const { job, checks, headBefore } = state
  if (checks?.isFollowed !== true) return undefined
  let isOurs = true
  const { report, ...record } = await followChecks(session, {
    waiting,
    fixAttempts,
    headBefore,
    record: { job, checks },
    known: { sentFor: grows.sentFor, hadChecks: grows.hadChecks === job.prLink },
    count: () => countAsk(session, request, dailyLimit),
    others: (pull) => requestsOfJob(session, request, pull),
    async save(now, shown) {
      request.state = { ...state, ...now }
      isOurs = await reporter.writeComment(shown)
      return isOurs && request.lastWrite === 'done'
    },
  })
  if (isOurs) request.state = { ...state, ...record }
  return report
}

/** Deletes what the comment replaced. @returns whether nothing is left */
async function finish(session: Session, request: Request): Promise<boolean> {
  if (request.lastWrite === 'unanswered') return false
  const isTidy = await request.deleteReplaced(session)
  await deleteEarlier(session, request)
  return isTidy && isSettled(request.state)
}

function settle(request: Request, settled: boolean): void {
  if ('settled' in request.state) request.state = { ...request.state, settled }
}

/**
 * Reads what the thread says of the request, where this process may not know it: it was cut off before it read the thread, its
 * deadline passed, or GitHub did not take its record, so that another process may have taken the request up.
 */
async function lookOnceMore(session: Session, request: Request): Promise<void> {
  const { heldUntil } = request
  const thread = request.writableThread(session)
  if (thread === undefined) return
  if (request.memory === undefined && request.action === 'none') {
    if (!thread.isRead && !thread.isRefused) await thread.readOrWarn(session)
    if (thread.isRead) request.continueFromThread()
    // An earlier attempt may have left what GitHub does not show.
    else if (session.context.runAttempt > 1) request.mayWrite = false
  }
  const isLate = heldUntil > 0 && session.deps.monotonic() >= heldUntil
  if (request.state.state !== 'running' || !(isLate || request.lastWrite === 'unanswered')) return
  await thread.readOrWarn(session)
  const own = request.reading?.own
  if (own?.record.state === 'reported') request.continueFrom(own.record, own)
}

/** @throws {GitHubError} where GitHub does not answer: the next sweep does it */
async function isTakenUp(
  session: Session,
  { thread, identity }: Request,
  shown: RequestRecord | undefined,
): Promise<boolean> {
  if (thread === undefined) return false
  await thread.readAgain(session)
  return thread.readingFor(identity).own?.record.writtenAt !== shown?.writtenAt
}

/** Waits for the work, but not for long. */
async function orPatience<T>(
  { sleep, cancellation }: Session['deps'],
  work: Promise<T>,
): Promise<T | undefined> {
  const done = new AbortController()
  const patience = cancellation.requested.aborted ? LAST_PATIENCE_MS : PATIENCE_MS
  const enough = sleep(patience, done.signal).then(
    () => undefined,
    () => undefined,
  )
  return await Promise.race([work, enough]).finally(() => done.abort())
}

/** The thread's one comment about a missing permission. */
async function refuse(session: Session, request: Request, { messages }: Reporter): Promise<void> {
  const { thread, identity, reading } = request
  // A person who did not use the command did not ask for an answer.
  if (messages.denied?.isSilent === true || thread === undefined) return
  const write = async () => {
    if (reading === undefined || session.commentMode === 'off') return
    const times = { writtenAt: thread.nextWrittenAt(session), waitsMs: 0 }
    const record = { ...identity, state: 'refusal', ...times } as const
    request.commentUrl = (
      await thread.write(session, reading.refusal?.id, record, refusalComment(messages))
    ).url
  }
  await Promise.all([
    session.warnings.warnOnFailure(['comment', 'comment about the missing permission'], write),
    setReaction(session, identity.comment, 'confused', session.context.runAttempt === 1 ? [] : undefined),
  ])
}

/** Eyes of this run stand beside the end that another one said. */
async function restoreReaction(
  session: Session,
  { reading, identity, eyesReaction }: Request,
  { role }: Concluder,
): Promise<void> {
  const record = reading?.own?.record
  const said = record !== undefined && 'ending' in record ? record.ending : undefined
  if (said === undefined || (eyesReaction === undefined && role !== 'post step')) return
  await eyesReaction
  const { reaction = 'eyes' } = appearanceOf(said.outcome, said.reason)
  await setReaction(session, identity.comment, reaction, undefined)
}

function threadNow({ commentMode }: Session, request: Request, isFinished: boolean): string {
  const { thread, reading, action, mayWrite, lastWrite } = request
  if (thread === undefined) return THREAD_NOW.none
  if (!mayWrite || commentMode === 'off') return ''
  if (reading === undefined) return THREAD_NOW.unknown
  if (reading.own === undefined)
    return action === 'sent' ? (isFinished ? THREAD_NOW.forgets : THREAD_NOW.isOpen) : ''
  if (lastWrite !== 'done') return THREAD_NOW.showsEarlier
  return isFinished ? '' : THREAD_NOW.isOpen
}

/** A pull request on another server takes neither reviewers nor labels. */
function warnOfSettings(
  { deps, context }: Session,
  { identity, job, state }: Request,
  decision: Decision,
): void {
  const { reviewers, labels } = identity.settings
  const link = namedLink(job)
  const isNews = state.state === 'running' && decision.state.state === 'reported'
  if (!isNews || link === '' || reviewers.length + labels.length === 0) return
  if (pullRequestOf(link, context.serverUrl) !== undefined) return
  deps.core.warning(plainText(settingsElsewhere(link, new URL(context.serverUrl).host)))
}
