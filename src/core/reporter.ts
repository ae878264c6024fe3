import { readTrigger, runUrlOf } from '../event/trigger.ts'
import type { ChecksReport } from '../features/checks/record.ts'
import { answerComment, quietComment, resultComment } from '../words/comments.ts'
import type { MessageContext } from '../words/phrases.ts'
import { writeComment } from './comment.ts'
import type { Decision } from './decide.ts'
import { namedLink } from './job.ts'
import { isOfPullRequestEvent, jobOf, mentionOf } from './record.ts'
import type { Pages, Report, RunEnd } from './report.ts'
import type { Request } from './request.ts'
import type { Session } from './session.ts'

/** Shows outside the thread what is known by now. */
export type Show = (report: Report, messages: MessageContext, commentUrl: string) => Promise<void> | void

/** What a run has for sentences, and where it shows them outside the thread. */
export interface Audience {
  readonly timeoutMs: number
  readonly minPermission: string
  readonly show: Show
  /** It ends what others left: in their comments, and without a mention. */
  readonly isQuiet?: boolean
}

/** What people read of an end, as it becomes known: outside the thread, and in the comment of the request. */
export class Reporter {
  readonly #session: Session
  readonly #request: Request
  readonly #audience: Audience
  readonly #end: RunEnd
  readonly #decision: Decision
  /** The job to which the request was on its way; '' for a new job, and where the agent surely has the request. */
  readonly #messagedJobId: string
  /** Undefined where this process has not read them. */
  #checks: ChecksReport | undefined
  #pages: Pages | undefined
  #gotAnswer = false
  /** This process, or one that got no answer, announced the request: other words have to replace that, whichever event asked. */
  readonly #wasAnnounced: boolean
  /** When the last of it became known, in ms since the epoch. */
  #knownAt: number

  constructor(session: Session, request: Request, end: RunEnd, decision: Decision, audience: Audience) {
    this.#session = session
    this.#request = request
    this.#audience = audience
    this.#end = end
    this.#decision = decision
    this.#messagedJobId = request.state.state === 'sending' ? (request.state.to?.id ?? '') : ''
    this.#wasAnnounced = request.action === 'announced' || request.records()?.own?.record.state === 'sending'
    this.#knownAt = session.deps.now()
  }

  get report(): Report {
    const { identity, thread, state, jobAction, prompt, commentUrl, failure } = this.#request
    const { merged, requestedAt } = identity
    const { ending } = this.#decision
    const { job = this.#request.job, note = {} } = this.#end
    return {
      ...ending,
      job,
      jobAction,
      otherKeys: thread?.otherKeys,
      followUp: 'messagedAt' in state && state.messagedAt > 0,
      messagedJobId: this.#messagedJobId,
      note: 'note' in state ? state.note : note,
      requestedBy: this.#audience.isQuiet ? '' : mentionOf(identity),
      // Where the thread itself is the only merged pull request, its number says nothing.
      merged: merged.length === 1 && merged[0] === thread?.number ? [] : merged,
      prompt,
      setup: this.#request.setup(commentUrl, failure),
      durationMs: Math.max(0, this.#knownAt - requestedAt),
      pages: this.#pages,
      checks: this.#checks ?? recordedChecks(this.#request),
      leftOut: this.#session.warnings.leftOut,
    }
  }

  get messages(): MessageContext {
    const { context, commentMode } = this.#session
    const { identity, thread, failure, linkedFrom, job } = this.#request
    const remembers =
      commentMode !== 'off' && failure === undefined && thread !== undefined && thread.refusal === undefined
    return {
      command: identity.command,
      timeoutMs: this.#audience.timeoutMs,
      minPermission: this.#audience.minPermission,
      runUrl: runUrlOf(context, identity.run),
      denied: this.#end.denied,
      replies: {
        thread: remembers ? thread.number : undefined,
        onPullRequest: linkedFrom !== '' && linkedFrom === job?.prLink,
      },
    }
  }

  /** In the outputs, once in the log, and in the summary, in this order. A sweep has none of them. */
  async show(): Promise<void> {
    await this.#audience.show(this.report, this.messages, this.#request.commentUrl)
  }

  addPages(pages: Pages | undefined): void {
    this.#pages = pages
  }

  addChecks(checks: ChecksReport): void {
    this.#checks = checks
    this.#knownAt = this.#session.deps.now()
  }

  /** What the comment says already is not written again. @returns false where another process reported the request meanwhile */
  async writeResult(checks?: ChecksReport): Promise<boolean> {
    if (checks !== undefined) this.addChecks(checks)
    const request = this.#request
    let isOurs = true
    const isKept = this.#decision.words === 'kept' && this.#checks === undefined
    const words = isKept ? '' : this.#words()
    // What GitHub refused once, it refuses again.
    if (!(request.lastWrite === 'refused' && this.#gotAnswer)) {
      // The result is what notifies people: what adds to it is an edit.
      const isNews = this.#decision.words === 'new' && !this.#gotAnswer && notifiesPeople(request)
      isOurs = await writeComment(
        this.#session,
        request,
        'result',
        words,
        isNews && this.#session.commentMode === 'recreate' && this.#audience.isQuiet !== true,
      )
      this.#gotAnswer ||= request.lastWrite !== 'unanswered'
    }
    await this.show()
    return isOurs
  }

  /** What the comment is to say of the end; '' for nothing. */
  #words(): string {
    const { report } = this
    // A push whose run is cut off before it asked goes with the next one.
    const isOfEvent = isOfPullRequestEvent(this.#request.identity)
    if (isOfEvent && report.outcome === 'cancelled' && report.job === undefined && !this.#wasAnnounced)
      return ''
    const inComment = { ...this.messages, isComment: true }
    if (isOfEvent && report.outcome === 'no-pull-request') return quietComment(report, inComment)
    if (report.outcome !== 'skipped') return resultComment(report, inComment)
    const isAnswered = this.#wasAnnounced || readTrigger(this.#session.context).comment !== undefined
    return (isAnswered && answerComment(report, inComment)) || ''
  }
}

/** What an event brings no person asked for. It is news once, where the thread did not know of the agent's pull request. */
function notifiesPeople(request: Request): boolean {
  if (!isOfPullRequestEvent(request.identity)) return true
  const link = namedLink(request.job)
  const others = request.records()?.others ?? []
  return link !== '' && !others.some(({ record }) => jobOf(record)?.prLink === link)
}

function recordedChecks({ state }: Request): ChecksReport | undefined {
  if (state.state !== 'ended' || state.checks === undefined) return undefined
  const { status, sentFor, isFollowed } = state.checks
  return { status, checks: [], fixes: sentFor.length, ...(isFollowed && { phase: 'reading' }) }
}
