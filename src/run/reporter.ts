import { readTrigger, runUrlOf } from '../event/trigger.ts'
import { answerComment, resultComment } from '../messages/comments.ts'
import type { MessageContext } from '../messages/phrases.ts'
import { setupSection } from '../messages/setup-table.ts'
import type { ChecksReport } from '../request/checks-report.ts'
import { isOfPullRequestEvent, mentionOf } from '../request/record.ts'
import type { Pages, Report, RunEnd } from '../request/report.ts'
import type { Request } from '../thread/request.ts'
import { writeComment } from '../thread/request-comment.ts'
import type { Session } from '../thread/session.ts'
import type { Decision } from './decide.ts'

/** Shows outside the thread what is known by now. */
export type Show = (report: Report, messages: MessageContext, commentUrl: string) => Promise<void> | void

/** What a run has for sentences, and where it shows them outside the thread. */
export interface Audience {
  readonly timeoutMs: number
  readonly minPermission: string
  readonly show: Show
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
    this.#messagedJobId = request.state.state === 'sending' ? request.state.jobId : ''
    this.#wasAnnounced = request.action === 'announced' || request.records()?.own?.record.state === 'sending'
    this.#knownAt = session.deps.now()
  }

  get report(): Report {
    const { identity, thread, state, jobAction, prompt } = this.#request
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
      requestedBy: mentionOf(identity),
      // Where the thread itself is the only merged pull request, its number says nothing.
      merged: merged.length === 1 && merged[0] === thread?.number ? [] : merged,
      prompt,
      setup: this.#setup,
      durationMs: Math.max(0, this.#knownAt - requestedAt),
      pages: this.#pages,
      checks: this.#checks ?? recordedChecks(this.#request),
      leftOut: this.#session.warnings.leftOut,
    }
  }

  /** Of a dry run: the comment that it has written proves that comments can be written. */
  get #setup(): string {
    const { setup, commentUrl, failure } = this.#request
    if (setup?.comment === undefined) return setupSection(setup ?? {})
    const comment = failure === undefined ? (commentUrl === '' ? setup.comment : 'works') : { error: failure }
    return setupSection({ ...setup, comment })
  }

  get messages(): MessageContext {
    const { context, commentMode } = this.#session
    const { identity, thread, failure, linkedFrom, job } = this.#request
    const remembers = commentMode !== 'off' && failure === undefined && thread?.isRefused === false
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
    // What others learned meanwhile goes along, because their comments may go.
    request.addToMemory()
    let isOurs = true
    const isKept = this.#decision.words === 'kept' && this.#checks === undefined
    const words = isKept ? '' : this.#words()
    // What GitHub refused once, it refuses again.
    if (!(request.lastWrite === 'refused' && this.#gotAnswer)) {
      // The result is what notifies people: what adds to it is an edit.
      const isNews = this.#decision.words === 'new' && !this.#gotAnswer
      isOurs = await writeComment(
        this.#session,
        request,
        'result',
        words,
        isNews && this.#session.commentMode === 'recreate',
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
    if (report.outcome !== 'skipped') return resultComment(report, inComment)
    const isAnswered = this.#wasAnnounced || readTrigger(this.#session.context).comment !== undefined
    return (isAnswered && answerComment(report, inComment)) || ''
  }
}

function recordedChecks({ state }: Request): ChecksReport | undefined {
  if (state.state !== 'reported' || state.checks === undefined) return undefined
  const { status, sentFor, isFollowed } = state.checks
  return { status, checks: [], fixes: sentFor.length, ...(isFollowed && { phase: 'reading' }) }
}
