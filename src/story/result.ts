import { readTrigger, runUrlOf } from '../event/trigger.ts'
import type { ChecksPolicy } from '../features/checks/checks.ts'
import { skipWords } from '../features/pull-request/pull-request.ts'
import type { ChecksReport } from '../record/check-results.ts'
import { namedLink } from '../record/job.ts'
import type { Pages, Report, RunEnding } from '../record/report.ts'
import { mentionOf, wasAskedByPullRequestEvent } from '../record/request-identity.ts'
import { jobOf } from '../record/states.ts'
import type { Words } from '../thread/comment.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { answerComment, quietComment, resultComment } from '../words/comments.ts'
import type { MessageOptions } from '../words/phrases.ts'
import { type Decision, isNews } from './decide.ts'

/** A process that concludes a request. */
export interface ConcludeOptions {
  readonly role: 'main step' | 'post step' | 'sweep'
  readonly timeoutMs: number
  readonly minPermission: string
  /** It edits the comments that other runs left, and mentions nobody. */
  readonly isQuiet?: boolean
  /** Shows outside the thread what is known by now. */
  readonly show: (report: Report, messages: MessageOptions, commentUrl: string) => Promise<void> | void
  /** Undefined for a process that follows no checks. */
  readonly checks?: ChecksPolicy | undefined
}

/** What a process knows of an end, beside the record. */
export interface Result {
  readonly session: Session
  readonly run: Run
  readonly concluder: ConcludeOptions
  readonly end: RunEnding
  readonly decision: Decision
  /** The job to which the request was on its way; '' for a new job, and where the agent surely has the request. */
  readonly messagedJobId: string
  /** The thread says that the request goes out, which other words have to replace, whichever event asked. */
  readonly wasAnnounced: boolean
  /** When this process learned the last part of the result, in ms since the epoch. */
  readonly knownAt: number
  /** Undefined where this process has not read them. */
  readonly checks?: ChecksReport | undefined
  readonly pages?: Pages | undefined
  /** A comment on the agent's pull request leads back to the thread. */
  readonly hasBacklink?: boolean
}

/** What people read of an end: in the thread, the log, the summary and the outputs. */
export function reportOf(result: Result): Report {
  const { session, run, concluder, end, decision, messagedJobId, knownAt, pages, checks } = result
  const { identity, thread, state, jobAction, commentUrl, failure } = run
  const { merged, requestedAt, referredDocs } = identity
  const { job = run.job, note = {}, prompt = '', setup } = end
  return {
    ...decision.ending,
    job,
    jobAction,
    followUp: 'messagedAt' in state && state.messagedAt > 0,
    messagedJobId,
    note: 'note' in state ? state.note : note,
    requestedBy: concluder.isQuiet ? '' : mentionOf(identity),
    // Where the thread itself is the only merged pull request, its number says nothing.
    merged: merged.length === 1 && merged[0] === thread?.number ? [] : merged,
    referredDocs,
    prompt,
    setup: setup?.(commentUrl, failure),
    durationMs: Math.max(0, knownAt - requestedAt),
    pages,
    checks: checks ?? recordedChecks(run),
    omitted: session.warnings.omitted,
  }
}

export function messagesOf({ session, run, concluder, end, hasBacklink = false }: Result): MessageOptions {
  const { runner, commentMode } = session
  const { identity, thread, failure, job } = run
  const { timeoutMs, minPermission } = concluder
  const remembers =
    commentMode !== 'off' && failure === undefined && thread !== undefined && thread.readError === undefined
  return {
    command: identity.command,
    timeoutMs,
    minPermission,
    runUrl: runUrlOf(runner, identity.attempt),
    denied: end.denied,
    replies: {
      thread: remembers ? thread.number : undefined,
      onPullRequest: hasBacklink && job?.prLink !== '',
    },
  }
}

/** What the comment of the request is to say. */
export function wordsOf(result: Result): Words {
  const { session, run, concluder, decision, checks } = result
  // The words in the comment say all that this process knows.
  if (!decision.hasNewWords && checks === undefined) return { kind: 'result', words: '' }
  const shown = run.records()?.current?.record
  // Only the end notifies people, so what comes later is an edit.
  const notifies = isNews(decision.ending, run.state, shown) && notifiesPeople(run)
  return {
    kind: 'result',
    words: textOf(result),
    asNew: notifies && session.commentMode === 'recreate' && concluder.isQuiet !== true,
  }
}

/** '' for nothing. */
function textOf(result: Result): string {
  const { session, run, wasAnnounced } = result
  const { identity, state, lastWrite } = run
  // A process that was cut off may have left the skip unwritten.
  if (state.state === 'closed' && state.why !== undefined && lastWrite !== 'refused')
    return skipWords(session, identity, state.why)
  const report = reportOf(result)
  const messages = { ...messagesOf(result), isComment: true }
  const isOfEvent = wasAskedByPullRequestEvent(identity)
  // A push whose run is cut off before it asked goes with the next one.
  if (isOfEvent && report.outcome === 'cancelled' && report.job === undefined && !wasAnnounced) return ''
  if (isOfEvent && report.outcome === 'no-pull-request') return quietComment(report, messages)
  if (report.outcome !== 'skipped') return resultComment(report, messages)
  const isAnswered = wasAnnounced || readTrigger(session.runner).comment !== undefined
  return (isAnswered && answerComment(report, messages)) || ''
}

/** Nobody asked for what an event brings, so it notifies once: when the thread learns of the agent's pull request. */
function notifiesPeople(run: Run): boolean {
  if (!wasAskedByPullRequestEvent(run.identity)) return true
  const link = namedLink(run.job)
  const others = run.records()?.others ?? []
  return link !== '' && !others.some(({ record }) => jobOf(record)?.prLink === link)
}

function recordedChecks({ state, followsChecks }: Run): ChecksReport | undefined {
  if (state.state !== 'ended' || state.checks === undefined) return undefined
  const { status, sentFor, isWatched, isLastInDoubt } = state.checks
  const phase = followsChecks ? 'reading' : 'left'
  return { status, checks: [], fixes: sentFor.length, isLastInDoubt, ...(isWatched && { phase }) }
}
