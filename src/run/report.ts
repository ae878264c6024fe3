import { overtakenWords } from '../docs-with-code/overtaken.ts'
import { readTrigger, runUrlOf } from '../event/trigger.ts'
import { isInRepository, pullRequestOf } from '../link.ts'
import { answerComment, resultComment } from '../messages/comments.ts'
import type { MessageContext, PullRequestFacts, Report } from '../messages/phrases.ts'
import { type ChecksReport, UNREAD } from '../request/checks-report.ts'
import type { Ending } from '../request/outcome.ts'
import { jobOf } from '../request/states.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import type { Started } from './started.ts'

/** What a process knows of the end of a request, beside its record. */
export interface KnownEnd {
  /** How this process ends, or what another one said, as far as that was known for the plan. */
  readonly end: Ending
  readonly started: Started
  /** What became known of the pull request since. */
  readonly late: PullRequestFacts
  /** When the last of all that became known, in ms since the epoch. */
  readonly knownAt: number
  /** This process follows the checks of the pull request. */
  readonly followsChecks: boolean
}

/** The report, with the facts that are known so far. */
export function reportOf(request: Request, { end, started, late, knownAt, followsChecks }: KnownEnd): Report {
  const { identity, thread, state, jobAction } = request
  const prompted = started.kind === 'prompted' ? started : undefined
  const shown = started.kind === 'answer' ? started.job : undefined
  const { merged, requestedBy, requestedAt } = identity
  return {
    ...end,
    job: shown ?? jobOf(state),
    jobAction,
    otherKeys: thread?.otherKeys,
    followUp: 'messagedAt' in state && state.messagedAt > 0,
    messagedJobId: 'jobId' in state ? state.jobId : '',
    note: 'note' in state ? state.note : (prompted?.note ?? {}),
    requestedBy,
    // Where the thread itself is the only merged pull request, its number says nothing.
    merged: merged.length === 1 && merged[0] === thread?.number ? [] : merged,
    prompt: prompted?.prompt ?? '',
    durationMs: Math.max(0, knownAt - requestedAt),
    checks: recordedChecks(request, followsChecks),
    ...late,
  }
}

/** As far as the record tells of them. */
function recordedChecks({ state }: Request, followsChecks: boolean): ChecksReport | undefined {
  if (state.state !== 'reported' || state.checks === undefined) return undefined
  const { status, sentFor } = state.checks
  const phase = followsChecks && ({ phase: 'reading' } as const)
  return { ...UNREAD, status, fixes: sentFor.length, sentBack: [], ...phase }
}

/** What sentences need beside the report. */
export function messageContextOf(session: Session, request: Request, started: Started): MessageContext {
  const { context } = session
  const { identity, given, state, thread } = request
  const prLink = jobOf(state)?.prLink ?? ''
  const pull = pullRequestOf(prLink, context.serverUrl)
  const isHere =
    pull !== undefined && isInRepository(context.repository, pull) && pull.number !== thread?.number
  return {
    command: identity.command,
    timeoutMs: given.timeoutMs,
    minPermission: given.minPermission,
    runUrl: runUrlOf(context, identity.run),
    denied: started.kind === 'answer' ? started.denied : undefined,
    replies: {
      thread: thread?.remembers(session, identity) === true ? thread.number : undefined,
      onPullRequest: isHere && request.isLinked(prLink),
    },
  }
}

/** What the comment of the request is to say of its end. */
export interface CommentWords {
  /** '' for nothing. */
  readonly words: string
  /** They take the place of a result, and notify no person (contract 3.13). */
  readonly isQuiet: boolean
}

export function commentWordsOf(
  session: Session,
  request: Request,
  report: Report,
  context: MessageContext,
): CommentWords {
  const overtaken = overtakenWords(request, report)
  if (overtaken !== undefined) return { words: overtaken, isQuiet: true }
  const messages = { ...context, isComment: true }
  if (report.outcome !== 'skipped') return { words: resultComment(report, messages), isQuiet: false }
  const { comment } = readTrigger(session.context)
  return { words: (comment && answerComment(report, messages)) ?? '', isQuiet: false }
}
