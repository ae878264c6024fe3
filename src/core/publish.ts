import { type ChecksPolicy, watchChecks } from '../features/checks/checks.ts'
import { readPages } from '../features/pages/pages.ts'
import { hideEarlier } from '../features/pull-request/pull-request.ts'
import { pullRequestOf } from '../link.ts'
import { plainText } from '../text.ts'
import { refusalComment } from '../words/comments.ts'
import { settingsElsewhere } from '../words/notes.ts'
import { THREAD_NOW } from '../words/side-tasks.ts'
import { deleteReplaced, withdraw } from './comment.ts'
import { type Decision, decide } from './decide.ts'
import { doEffects, soonOr } from './effects.ts'
import { namedLink } from './job.ts'
import { appearanceOf } from './outcome.ts'
import { setReaction } from './reactions.ts'
import { isInDoubt, isSettled, jobOf, type RequestRecord } from './record.ts'
import type { Report, RunEnd } from './report.ts'
import { type Audience, Reporter } from './reporter.ts'
import type { Request } from './request.ts'
import type { Session } from './session.ts'
import { hasEnd, settle } from './states.ts'

/** Which process concludes a request, and what it has for that. */
export interface Concluder extends Audience {
  readonly role: 'main step' | 'post step' | 'sweep'
  /** Undefined for a process that follows no checks. */
  readonly checks?: ChecksPolicy | undefined
}

export interface Conclusion {
  readonly report: Report
  /** Nothing is left for the post step. */
  readonly isFinished: boolean
  /** What is true of the thread, for the warning about what failed. */
  readonly threadNow: string
}

/**
 * The one tail of every process: decides how the request ended, and carries that out.
 *
 *   outputs, summary → state of the runner → follow-ups → comment with the result → what it replaces is deleted
 *
 * The comment is what settles the request: a process that is cut off before leaves all of it to the next one, which does it once
 * more. A follow-up that took too long for the comment, and checks, end in an edit of it.
 * @returns undefined where a sweep leaves it to another run
 */
export async function conclude(
  session: Session,
  request: Request,
  end: RunEnd,
  concluder: Concluder,
): Promise<Conclusion | undefined> {
  await standBack(session, request)
  // 1. Which end counts, and what the record becomes.
  const shown = request.records()?.own?.record
  const { outcome, reason, message } = end
  const decision = decide({
    state: request.state,
    ending: { outcome, reason, message },
    shown,
    isAnnounced: request.action === 'announced',
    isSweep: concluder.role === 'sweep',
    followsChecks: request.identity.settings.followsChecks,
    waits: concluder.checks !== undefined,
  })
  const reporter = new Reporter(session, request, end, decision, concluder)
  if (reason === 'permission-denied') await refuse(session, request, reporter)
  if (!request.mayWrite || !decision.isOpen) return await leave(session, request, reporter, concluder)
  // 2. Outputs and summary, then the state of the runner.
  warnOfSettings(session, request, decision)
  request.become(decision.state)
  await reporter.show()
  request.keepForPostStep(session)
  if (decision.saysFirst) await reporter.writeResult()
  // 3. What follows an end. Another run may take up at any time what a sweep found.
  const effects = doEffects(session, request, reporter.report)
  await namePages(session, request, reporter)
  noteSettled(request, await soonOr(session.deps, effects, false))
  if (concluder.role === 'sweep' && (await isTakenUp(session, request, shown))) return undefined
  // 4. The comment. What it replaces goes, also where checks are followed for an hour.
  const isOurs = await reporter.writeResult()
  if (request.lastWrite !== 'unanswered') await deleteReplaced(session, request)
  // 5. The checks, and what took too long. Where another run reported the request meanwhile, that one does it.
  if (isOurs) await complete(session, request, reporter, concluder, effects)
  const isFinished = await tidy(session, request)
  return { report: reporter.report, isFinished, threadNow: threadNow(session, request, isFinished) }
}

/** A result names what the agent's pull request changes. */
async function namePages(session: Session, { job }: Request, reporter: Reporter): Promise<void> {
  if (reporter.report.outcome !== 'pull-request') return
  reporter.addPages(await soonOr(session.deps, readPages(session, job), undefined))
}

/**
 * This run goes without having asked, and what another one says of the same request stands: its job, or, where this run surely
 * asked nothing, that the agent may have it.
 */
async function standBack(session: Session, request: Request): Promise<void> {
  const { identity, state } = request
  const isInQueue = () => {
    const record = request.records()?.own?.record
    return record?.run === identity.run && record.state === 'sending'
  }
  if (request.writableThread(session) === undefined || !isInQueue()) return
  if (state.state !== 'idle' && state.state !== 'sending') return
  await request.thread?.read(session).catch(() => undefined)
  const { others = [], replaced = [] } = request.records() ?? {}
  const isTaken = others.some(({ record }) => record.key === identity.key && jobOf(record) !== undefined)
  const isInDoubtStill = state.state === 'idle' && replaced.some(({ record }) => isInDoubt(record))
  if (!(isTaken || isInDoubtStill) || !isInQueue()) return
  await withdraw(session, request)
}

/** Nothing is open, or nothing may be written. */
async function leave(
  session: Session,
  request: Request,
  reporter: Reporter,
  { role }: Concluder,
): Promise<Conclusion> {
  const isFinished = !request.mayWrite || (await deleteReplaced(session, request))
  if (request.mayWrite) await restoreReaction(session, request, role)
  if (role !== 'sweep') await reporter.show()
  return { report: reporter.report, isFinished, threadNow: threadNow(session, request, true) }
}

/** Follows the checks of the pull request, and does once more what they, or GitHub's return, may have changed. */
async function complete(
  session: Session,
  request: Request,
  reporter: Reporter,
  { checks: policy }: Concluder,
  effects: Promise<boolean>,
): Promise<void> {
  const checks = policy && (await watchChecks(session, request, reporter, policy))
  if (checks !== undefined) reporter.addChecks(checks)
  if (checks !== undefined && checks.fixes > 0) await namePages(session, request, reporter)
  const isDone = await effects
  noteSettled(request, checks === undefined ? isDone : await doEffects(session, request, reporter.report))
  // An edit, where anything changed.
  await reporter.writeResult()
}

/** Deletes what the comment replaced, and hides what it outdates. @returns whether nothing is left */
async function tidy(session: Session, request: Request): Promise<boolean> {
  if (request.lastWrite === 'unanswered') return false
  const isTidy = await deleteReplaced(session, request)
  await hideEarlier(session, request)
  return isTidy && isSettled(request.state)
}

function noteSettled(request: Request, settled: boolean): void {
  if (hasEnd(request.state)) request.become(settle(request.state, settled))
}

/** @throws {GitHubError} where GitHub does not answer: the next sweep does it */
async function isTakenUp(
  session: Session,
  { thread, identity }: Request,
  shown: RequestRecord | undefined,
): Promise<boolean> {
  if (thread === undefined) return false
  await thread.read(session)
  return thread.recordsFor(identity).own?.record.writtenAt !== shown?.writtenAt
}

/** The thread's one comment about a missing permission. */
async function refuse(session: Session, request: Request, { messages }: Reporter): Promise<void> {
  const { thread, identity } = request
  const records = request.records()
  // A person who did not use the command did not ask for an answer.
  if (messages.denied?.isSilent === true || thread === undefined) return
  const write = async () => {
    if (records === undefined || session.commentMode === 'off') return
    const times = { writtenAt: thread.nextWrittenAt(session), heldForMs: 0 }
    const record = { ...identity, state: 'refusal', ...times } as const
    request.commentUrl = (
      await thread.write(session, records.refusal?.id, record, refusalComment(messages))
    ).url
  }
  await Promise.all([
    session.warnings.warnOnFailure(['comment', 'comment about the missing permission'], write),
    setReaction(session, identity.comment, 'confused', session.context.runAttempt === 1 ? [] : undefined),
  ])
}

/** Eyes of this run stand beside the end that another one said. */
async function restoreReaction(session: Session, request: Request, role: Concluder['role']): Promise<void> {
  const { identity, eyesReaction } = request
  const record = request.records()?.own?.record
  const said = record !== undefined && 'ending' in record ? record.ending : undefined
  if (said === undefined || (eyesReaction === undefined && role !== 'post step')) return
  await eyesReaction
  const { reaction = 'eyes' } = appearanceOf(said.outcome, said.reason)
  await setReaction(session, identity.comment, reaction, undefined)
}

function threadNow({ commentMode }: Session, request: Request, isFinished: boolean): string {
  const { thread, action, mayWrite, lastWrite } = request
  const records = request.records()
  if (thread === undefined) return THREAD_NOW.none
  if (!mayWrite || commentMode === 'off') return ''
  if (records === undefined) return THREAD_NOW.unknown
  if (records.own === undefined)
    return action === 'announced' ? (isFinished ? THREAD_NOW.forgets : THREAD_NOW.isOpen) : ''
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
  const isNews = state.state === 'running' && decision.state.state === 'ended'
  if (!isNews || link === '' || reviewers.length + labels.length === 0) return
  if (pullRequestOf(link, context.serverUrl) !== undefined) return
  deps.core.warning(plainText(settingsElsewhere(link, new URL(context.serverUrl).host)))
}
