import { type ChecksPolicy, watchChecks } from '../features/checks/checks.ts'
import { readPages } from '../features/pages/pages.ts'
import { hideEarlier } from '../features/pull-request/pull-request.ts'
import { warnOfServer } from '../features/reviewers-and-labels/reviewers-and-labels.ts'
import { refusalComment } from '../words/comments.ts'
import type { MessageContext } from '../words/phrases.ts'
import { THREAD_NOW } from '../words/side-tasks.ts'
import { setReaction } from './asking-comment.ts'
import { deleteReplaced, writeComment } from './comment.ts'
import { decide } from './decide.ts'
import { doEffects, soonOr } from './effects.ts'
import { appearanceOf } from './outcome.ts'
import { withdraw } from './queue.ts'
import { isInDoubt, isOfPullRequestEvent, isSettled, jobOf } from './record.ts'
import type { Report, RunEnd } from './report.ts'
import { type Audience, commentOf, type Findings, messagesOf, reportOf } from './result.ts'
import type { Run } from './run.ts'
import type { Session } from './session.ts'
import { hasEnd, settle } from './states.ts'

/** Which process concludes a request, and what it has for that. */
export interface Concluder extends Audience {
  readonly role: 'main step' | 'post step' | 'sweep'
  /** Shows outside the thread what is known by now. */
  readonly show: (report: Report, messages: MessageContext, commentUrl: string) => Promise<void> | void
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
 * The one tail of every process: decides how the request ended, computes what should stand, and makes it so.
 *
 *   outputs, summary → state of the runner → effects → comment with the result → what it replaces is deleted
 *
 * The comment is what settles the request: a process that is cut off before leaves all of it to the next one, which does it once
 * more. What checks change, and an effect that took too long for the comment, ends in an edit of it.
 * @returns undefined where a sweep leaves it to another run
 */
export async function conclude(
  session: Session,
  run: Run,
  end: RunEnd,
  concluder: Concluder,
): Promise<Conclusion | undefined> {
  await standBack(session, run)
  // 1. Which end counts, and what the record becomes.
  const shown = run.records()?.own?.record
  const before = run.state
  const { outcome, reason, message } = end
  const decision = decide({
    state: before,
    ending: { outcome, reason, message },
    shown,
    isAnnounced: run.stage === 'announced',
    isSweep: concluder.role === 'sweep',
    watchesChecks: run.identity.settings.watchesChecks,
    waits: concluder.checks !== undefined,
  })
  let known: Findings = {
    end,
    decision,
    messagedJobId: before.state === 'sending' ? (before.to?.id ?? '') : '',
    wasAnnounced: run.stage === 'announced' || shown?.state === 'sending',
    knownAt: session.deps.now(),
  }
  const report = () => reportOf(session, run, concluder, known)
  const show = async () => {
    const url = end.denied === undefined ? run.commentUrl : (run.records()?.refusal?.url ?? '')
    await concluder.show(report(), messagesOf(session, run, concluder, known), url)
  }
  /** @returns false where another process reported the request meanwhile */
  const publish = async (more: Partial<Findings> = {}): Promise<boolean> => {
    known = { ...known, ...more }
    const { words, isNew } = commentOf(session, run, concluder, known)
    const isOurs = await writeComment(session, run, 'result', words, isNew)
    await show()
    return isOurs
  }
  const readPagesSoon = async () =>
    report().outcome === 'pull-request'
      ? { pages: await soonOr(session.deps, readPages(session, run.job), undefined) }
      : {}
  const conclusion = (isFinished: boolean, isOver = isFinished): Conclusion => ({
    report: report(),
    isFinished,
    threadNow: threadNow(session, run, isOver),
  })

  if (end.denied !== undefined) await refuse(session, run, messagesOf(session, run, concluder, known))
  if (!run.mayWrite || !decision.isOpen) {
    const isFinished = !run.mayWrite || (await deleteReplaced(session, run))
    if (run.mayWrite) await restoreReaction(session, run, concluder.role)
    if (concluder.role !== 'sweep') await show()
    return conclusion(isFinished, true)
  }
  // 2. Outputs and summary, then the state of the runner.
  if (before.state === 'running' && decision.state.state === 'ended') warnOfServer(session, run)
  run.become(decision.state)
  await show()
  run.keepForPostStep(session)
  // Others wait for what goes out: they learn of the job at once, or that nothing was sent.
  if (shown?.state === 'sending' && run.state.state !== 'sending') await publish()
  // 3. What follows an end. Another run may take up at any time what a sweep found.
  const isFirst = run.stage !== 'resumed' && session.context.runAttempt === 1
  const effects = doEffects(session, run, report(), isFirst)
  const pages = await readPagesSoon()
  const { isDone, isLinked } = await soonOr(session.deps, effects, { isDone: false, isLinked: false })
  noteSettled(run, isDone)
  if (concluder.role === 'sweep' && (await isTakenUp(session, run, shown?.writtenAt))) return undefined
  // 4. The comment. What it replaces goes, also where checks are followed for an hour.
  const isOurs = await publish({ ...pages, isLinked })
  if (run.lastWrite !== 'unanswered') await deleteReplaced(session, run)
  // 5. The checks, and what took too long. Where another run reported the request meanwhile, that one does it.
  if (isOurs) {
    const { checks: policy } = concluder
    const checks = policy && (await watchChecks(session, run, policy, publish))
    const later = checks?.fixes ? await readPagesSoon() : {}
    if (checks !== undefined) known = { ...known, ...later, checks, knownAt: session.deps.now() }
    const first = await effects
    const done = checks === undefined ? first : await doEffects(session, run, report(), false)
    noteSettled(run, done.isDone)
    // An edit, where anything changed.
    await publish({ isLinked: done.isLinked })
  }
  if (run.lastWrite === 'unanswered') return conclusion(false)
  const isTidy = await deleteReplaced(session, run)
  if (isOfPullRequestEvent(run.identity)) await hideEarlier(session, run)
  return conclusion(isTidy && isSettled(run.state))
}

/**
 * This run goes without having asked, and what another one says of the same request stands: its job, or, where this run surely
 * asked nothing, that the agent may have it.
 */
async function standBack(session: Session, run: Run): Promise<void> {
  const { identity, state } = run
  const isInQueue = () => {
    const record = run.records()?.own?.record
    return record?.run === identity.run && record.state === 'sending'
  }
  if (run.writableThread(session) === undefined || !isInQueue()) return
  if (state.state !== 'idle' && state.state !== 'sending') return
  await run.thread?.read(session).catch(() => undefined)
  const { others = [], replaced = [] } = run.records() ?? {}
  const isTaken = others.some(({ record }) => record.key === identity.key && jobOf(record) !== undefined)
  const isInDoubtStill = state.state === 'idle' && replaced.some(({ record }) => isInDoubt(record))
  if (!(isTaken || isInDoubtStill) || !isInQueue()) return
  await withdraw(session, run)
}

function noteSettled(run: Run, settled: boolean): void {
  if (hasEnd(run.state)) run.become(settle(run.state, settled))
}

/** @throws {GitHubError} where GitHub does not answer: the next sweep does it */
async function isTakenUp(
  session: Session,
  { thread, identity }: Run,
  writtenAt: number | undefined,
): Promise<boolean> {
  if (thread === undefined) return false
  await thread.read(session)
  return thread.recordsFor(identity).own?.record.writtenAt !== writtenAt
}

/** The thread's one comment about a missing permission. */
async function refuse(session: Session, run: Run, messages: MessageContext): Promise<void> {
  const { thread, identity } = run
  const records = run.records()
  // A person who did not use the command did not ask for an answer.
  if (messages.denied?.isSilent === true || thread === undefined) return
  const write = async () => {
    if (records === undefined || session.commentMode === 'off') return
    const times = { writtenAt: thread.nextWrittenAt(session), heldForMs: 0 }
    const record = { ...identity, state: 'refusal', ...times } as const
    await thread.write(session, records.refusal?.id, record, refusalComment(messages))
  }
  await Promise.all([
    session.warnings.warnOnFailure(['comment', 'comment about the missing permission'], write),
    setReaction(session, identity.comment, 'confused', session.context.runAttempt === 1 ? [] : undefined),
  ])
}

/** Eyes of this run stand beside the end that another one said. */
async function restoreReaction(session: Session, run: Run, role: Concluder['role']): Promise<void> {
  const { identity, eyes } = run
  const record = run.records()?.own?.record
  const said = record !== undefined && 'ending' in record ? record.ending : undefined
  if (said === undefined || (eyes === undefined && role !== 'post step')) return
  await eyes
  const { reaction = 'eyes' } = appearanceOf(said.outcome, said.reason)
  await setReaction(session, identity.comment, reaction, undefined)
}

function threadNow({ commentMode }: Session, run: Run, isFinished: boolean): string {
  const { thread, stage, mayWrite, lastWrite } = run
  const records = run.records()
  if (thread === undefined) return THREAD_NOW.none
  if (!mayWrite || commentMode === 'off') return ''
  if (records === undefined) return THREAD_NOW.unknown
  if (records.own === undefined)
    return stage === 'announced' ? (isFinished ? THREAD_NOW.forgets : THREAD_NOW.isOpen) : ''
  if (lastWrite !== 'done') return THREAD_NOW.showsEarlier
  return isFinished ? '' : THREAD_NOW.isOpen
}
