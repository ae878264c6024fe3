import { watchChecks } from '../features/checks/checks.ts'
import { countAsk } from '../features/daily-limit/daily-limit.ts'
import { readPages } from '../features/pages/pages.ts'
import { hideEarlier, setFinalStatus } from '../features/pull-request/pull-request.ts'
import { warnOfServer } from '../features/reviewers-and-labels/reviewers-and-labels.ts'
import { requestsIn } from '../record/fold.ts'
import { askedUntil } from '../record/log.ts'
import { appearanceOf } from '../record/outcome.ts'
import type { RequestRecord } from '../record/record.ts'
import type { Report, RunEnding } from '../record/report.ts'
import { wasAskedByPullRequestEvent } from '../record/request-identity.ts'
import { areEffectsDone, endingIn, isInDoubt, jobOf, noteEffects } from '../record/states.ts'
import { setReaction } from '../thread/asking-comment.ts'
import { writeComment } from '../thread/comment.ts'
import { deleteReplaced } from '../thread/delete-replaced.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { THREAD_NOW } from '../words/side-tasks.ts'
import { decide } from './decide.ts'
import { endOfTurn, type TurnEnd } from './earlier-turn.ts'
import { doEffects, type Effects, inTimeForComment, unlessCancelled } from './effects.ts'
import { deleteOwnSending } from './queue.ts'
import { refuse } from './refuse.ts'
import { type ConcludeOptions, messagesOf, type Result, reportOf, wordsOf } from './result.ts'

export interface Conclusion {
  readonly report: Report
  /** Nothing is left for the post step. */
  readonly isFinished: boolean
  /** What is true of the thread, for the warning about what failed. */
  readonly threadNow: string
}

/**
 * How every process ends a request: it decides how that ended, and writes it.
 *
 *   outputs, summary → state of the runner → effects → comment with the result → what it replaces is deleted
 *
 * The comment ends the request: where a process is cut off before it, the next process does everything once more. While the record
 * is `sending`, other runs wait for it, so a comment comes before the effects, too. The results of checks, and of an effect that took
 * too long, are an edit of the comment.
 * @returns undefined where a sweep leaves it to another run
 */
export async function conclude(
  session: Session,
  run: Run,
  end: RunEnding,
  concluder: ConcludeOptions,
): Promise<Conclusion | undefined> {
  // 1. Which end counts, and whether anything is left to do.
  await yieldAtTheEnd(session, run)
  const shown = run.records()?.current?.record
  const decided = decidedResult({ session, run, concluder, end }, shown)
  if (end.denied !== undefined) await refuse(decided)
  if (!run.mayWrite || !decided.decision.isOpen) return await leaveAsItStands(decided)
  // 2. Outputs, summary, state of the runner.
  await recordEnd(decided)
  if (shown?.state === 'sending' && run.state.state !== 'sending') await writeResult(decided)
  // 3. The effects.
  const isFirstAttempt = run.stage !== 'resumed' && session.runner.runAttempt === 1
  const effects = doEffects(session, run, reportOf(decided), isFirstAttempt)
  const result = await withWhatIsReady(decided, effects)
  // 4. The comment. Another run may take up at any time what a sweep found; where GitHub does not answer, the next sweep does it.
  const { thread, identity } = run
  if (concluder.role === 'sweep' && (await thread?.hasNewRecord(session, identity, shown?.writtenAt)))
    return undefined
  const isOurs = await writeResult(result)
  // Following the checks can take an hour, so what the comment replaces is deleted first.
  if (run.lastWrite !== 'unanswered') await deleteReplaced(session, run)
  // 5. What the comment could not wait for. Where another run reported the request meanwhile, that run does this.
  return await tidy(isOurs ? await writeAgain(result, effects) : result)
}

/** Which end counts, and what the record becomes. @param shown what the thread says of the request */
export function decidedResult(
  given: Pick<Result, 'session' | 'run' | 'concluder' | 'end'>,
  shown: RequestRecord | undefined,
): Result {
  const { session, run, concluder, end } = given
  const { state } = run
  const { ending, checks } = endOfRun(run, end, shown)
  const isAnnounced = run.stage === 'announced'
  const decision = decide({
    state,
    ending,
    shown,
    isAnnounced,
    isSweep: concluder.role === 'sweep',
    isMain: concluder.role === 'main step',
    watchesChecks: run.identity.settings.fixAttempts > 0,
    followsChecks: concluder.checks !== undefined,
    checks,
  })
  const messagedJobId = state.state === 'sending' ? (state.to?.id ?? '') : ''
  const wasAnnounced = isAnnounced || shown?.state === 'sending'
  return { ...given, decision, messagedJobId, wasAnnounced, knownAt: session.deps.now() }
}

/** How the turn of this request ended. @param shown the record in the thread, from before the job was read to its end */
function endOfRun(
  run: Run,
  {
    outcome,
    reason,
    message,
    otherTurns = [],
    log = run.records()?.others ?? [],
    readAt = Infinity,
  }: RunEnding,
  shown: RequestRecord | undefined,
): TurnEnd {
  const { state } = run
  const ending = { outcome, reason, message }
  if (state.state !== 'running' || shown?.state !== 'running') return { ending }
  const inThread = requestsIn(askedUntil(log, readAt))
  return endOfTurn(shown, [...inThread, ...otherTurns], ending)
}

/** Nothing is left to do in the thread, or this process may not act there. */
async function leaveAsItStands(result: Result): Promise<Conclusion> {
  const { session, run, concluder } = result
  const isFinished = !run.mayWrite || (await deleteReplaced(session, run))
  if (run.mayWrite) await restoreReaction(session, run, concluder.role)
  if (concluder.role !== 'sweep') await show(result)
  return { report: reportOf(result), isFinished, threadNow: threadNow(session, run, true) }
}

/** The run has the end from now on: in outputs and summary, then in the state of the runner. */
async function recordEnd(result: Result): Promise<void> {
  const { session, run, decision } = result
  if (run.state.state === 'running' && decision.state.state === 'ended') warnOfServer(session, run)
  // A process that was lost while it asked has not counted the request.
  const isOfLost = run.state.state === 'sending' && run.stage !== 'announced'
  if (isOfLost && decision.ending.reason === 'creation-uncertain') countAsk(session, run)
  run.setState(decision.state)
  await show(result)
  run.keepForPostStep(session)
}

async function show(result: Result): Promise<void> {
  const { run, concluder, end } = result
  const url = end.denied === undefined ? run.commentUrl : (run.records()?.refusal?.url ?? '')
  await concluder.show(reportOf(result), messagesOf(result), url)
}

/** @returns false where another process reported the request meanwhile */
async function writeResult(result: Result): Promise<boolean> {
  const isOurs = await writeComment(result.session, result.run, wordsOf(result))
  await show(result)
  return isOurs
}

/** Adds the pages and the effects, as far as they are known in time for the comment. */
async function withWhatIsReady(result: Result, effects: Promise<Effects>): Promise<Result> {
  const { session, run } = result
  const withPages = await withPagesSoon(result)
  const { isDone, hasBacklink } = await inTimeForComment(session.deps, effects, {
    isDone: false,
    hasBacklink: false,
  })
  noteEffectsOf(run, isDone)
  return { ...withPages, hasBacklink }
}

export async function withPagesSoon(result: Result): Promise<Result> {
  const { session, run } = result
  if (reportOf(result).outcome !== 'pull-request') return result
  return { ...result, pages: await inTimeForComment(session.deps, readPages(session, run.job), undefined) }
}

/** Edits the comment where the checks, or an effect that took too long, change what it says. */
async function writeAgain(result: Result, effects: Promise<Effects>): Promise<Result> {
  const { session, run } = result
  const { prLink } = run.job ?? {}
  const checked = await withChecks(result)
  const { deps } = session
  const open: Effects = { isDone: false, hasBacklink: result.hasBacklink === true }
  const first = await unlessCancelled(deps, effects, open)
  // After a fix, the job may name another pull request.
  const isSame = first.isDone && run.job?.prLink === prLink
  const afterChecks = async (report: Report): Promise<Effects> =>
    isSame
      ? { ...first, isDone: await setFinalStatus(session, run, report) }
      : await doEffects(session, run, report, false)
  const done =
    checked === result
      ? first
      : await unlessCancelled(deps, afterChecks(reportOf(checked)), { ...first, isDone: false })
  const wereDone = areEffectsDone(run.state)
  noteEffectsOf(run, done.isDone)
  const last = { ...checked, hasBacklink: done.hasBacklink }
  const isNews = checked !== result || done.hasBacklink !== result.hasBacklink
  if (isNews || areEffectsDone(run.state) !== wereDone || run.lastWrite === 'unanswered')
    await writeResult(last)
  return last
}

/** Follows the checks, if this process follows any. */
async function withChecks(result: Result): Promise<Result> {
  const { session, run, concluder } = result
  const policy = concluder.checks
  const write = async (more: Partial<Result>) => {
    const isOurs = await writeResult({ ...result, ...more })
    if (!isOurs) return 'taken'
    return run.lastWrite === 'done' ? 'done' : 'refused'
  }
  const { report: checks } = (policy && (await watchChecks(session, run, policy, write))) ?? {}
  if (checks === undefined) return result
  const { pages } = checks.fixes > 0 ? await withPagesSoon({ ...result, checks }) : result
  return { ...result, pages, checks, knownAt: session.deps.now() }
}

/** Deletes and hides what the comment replaces. */
async function tidy(result: Result): Promise<Conclusion> {
  const { session, run } = result
  const isWritten = run.lastWrite !== 'unanswered'
  const isTidy = isWritten && (await deleteReplaced(session, run))
  if (isWritten && wasAskedByPullRequestEvent(run.identity)) await hideEarlier(session, run)
  const isFinished = isTidy && areEffectsDone(run.state)
  return { report: reportOf(result), isFinished, threadNow: threadNow(session, run, isFinished) }
}

/**
 * Deletes the own record `sending` where it would hide another record of the same request that says more: that the request has a
 * job, or, if this run sent nothing, that the agent may have it.
 */
async function yieldAtTheEnd(session: Session, run: Run): Promise<void> {
  const { identity, state } = run
  const isInQueue = () => {
    const record = run.records()?.current?.record
    return record?.attempt === identity.attempt && record.state === 'sending'
  }
  if (run.writableThread(session) === undefined || !isInQueue()) return
  if (state.state !== 'idle' && state.state !== 'sending') return
  await run.thread?.read(session).catch(() => undefined)
  const { others = [], replaced = [] } = run.records() ?? {}
  const isTaken = others.some(
    ({ record }) => record.requestDigest === identity.requestDigest && jobOf(record) !== undefined,
  )
  const isInDoubtStill = state.state === 'idle' && replaced.some(({ record }) => isInDoubt(record))
  if (!(isTaken || isInDoubtStill) || !isInQueue()) return
  await deleteOwnSending(session, run)
}

function noteEffectsOf(run: Run, areDone: boolean): void {
  const { state } = run
  if ('effectsDone' in state) run.setState(noteEffects(state, areDone))
}

/** Where another process wrote the end, its reaction stays on the comment that asks, and the eyes of this run go. */
async function restoreReaction(session: Session, run: Run, role: ConcludeOptions['role']): Promise<void> {
  const { identity, eyes } = run
  const { current } = run.records() ?? {}
  const said = current && endingIn(current.record)
  if (said === undefined || (eyes === undefined && role !== 'post step')) return
  await eyes
  const { reaction = 'eyes' } = appearanceOf(said.outcome, said.reason)
  await setReaction(session, identity.comment, reaction, 'unknown')
}

function threadNow({ commentMode }: Session, run: Run, isFinished: boolean): string {
  const { thread, stage, mayWrite, lastWrite } = run
  const records = run.records()
  if (thread === undefined) return THREAD_NOW.none
  if (!mayWrite || commentMode === 'off') return ''
  if (records === undefined) return THREAD_NOW.unknown
  if (records.current === undefined)
    return stage === 'announced' ? (isFinished ? THREAD_NOW.forgets : THREAD_NOW.isOpen) : ''
  if (lastWrite !== 'done') return THREAD_NOW.showsEarlier
  return isFinished ? '' : THREAD_NOW.isOpen
}
