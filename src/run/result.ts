import pLimit from 'p-limit'
import { isRefused } from '../errors.ts'
import { readTrigger, runUrlOf } from '../event/trigger.ts'
import { isInRepository, pullRequestOf } from '../link.ts'
import { answerComment, refusalComment, resultComment } from '../messages/comments.ts'
import type { MessageContext, Report } from '../messages/phrases.ts'
import { THREAD_NOW } from '../messages/side-tasks.ts'
import { UNREAD } from '../request/checks-report.ts'
import type { Ending } from '../request/outcome.ts'
import { withoutRecord } from '../request/signed-record.ts'
import { jobOf } from '../request/states.ts'
import { setReaction } from '../thread/reactions.ts'
import type { Session } from '../thread/session.ts'
import { endingOfRecord, type Request } from './request.ts'

/** What becomes known of a pull request after the end of its job. */
export type LateFacts = Pick<Partial<Report>, 'checks' | 'preview'>

/**
 * Shows outside the thread what is known by now; each call replaces what the one before it showed.
 * @param commentUrl of the comment that carries the result, '' while there is none
 */
export type Show = (report: Report, messages: MessageContext, commentUrl: string) => Promise<void> | void

/**
 * Whose words the thread shows as the end of the request: of no run yet; of this run, which may write over them; or of
 * another run or attempt, whose words stay.
 */
type Standing = 'none' | 'ours' | 'theirs'

/** The one writer of how a request ended: comment, outputs, log and summary, from one value, one after the other. */
export class Result {
  standing: Standing
  /** Why GitHub did not take what was written last. */
  failure: unknown
  /** All that follows the result is done as well, so the post step has nothing left to do. */
  isFinished = false
  readonly #session: Session
  readonly #request: Request
  readonly #show: Show
  readonly #inTurn = pLimit(1)
  #end: Ending
  #late: LateFacts = {}
  /** Until the last that became known. */
  #durationMs = 0
  /** Of the comment that carries the result, and what this run wrote there; '' while there is none. */
  #url = ''
  #body = ''

  constructor(session: Session, request: Request, end: Ending, show: Show, standing: Standing) {
    this.#session = session
    this.#request = request
    this.#end = end
    this.#show = show
    this.standing = standing
  }

  get report(): Report {
    const { identity, thread, state, shownJob, jobAction, note, text, prompt } = this.#request
    const { merged, requestedBy } = identity
    const checks = state.state === 'reported' ? state.checks : undefined
    return {
      ...this.#end,
      job: shownJob ?? jobOf(state),
      jobAction,
      followUp: 'messagedAt' in state && state.messagedAt > 0,
      messagedJobId: 'jobId' in state ? state.jobId : '',
      note,
      requestedBy,
      // A thread that is the only one needs no name.
      merged: merged.length === 1 && merged[0] === thread?.number ? [] : merged,
      request: text,
      prompt,
      durationMs: this.#durationMs,
      checks: checks && { ...UNREAD, status: checks.status, fixes: checks.sentFor.length, sentBack: [] },
      ...this.#late,
    }
  }

  /** What sentences need beside the report. */
  get #messages(): MessageContext {
    const { context, forge } = this.#session
    const { identity, given, denied, state, thread } = this.#request
    const prLink = jobOf(state)?.prLink ?? ''
    const pull = pullRequestOf(prLink, context.serverUrl)
    const isHere =
      pull !== undefined && isInRepository(context.repository, pull) && pull.number !== thread?.number
    return {
      command: identity.command,
      timeoutMs: given.timeoutMs,
      minPermission: given.minPermission,
      runUrl: runUrlOf(context, identity.run, forge),
      denied,
      replies: {
        thread: thread?.remembers(this.#session, identity) === true ? thread.number : undefined,
        onPullRequest: isHere && this.#request.isLinked(prLink),
      },
    }
  }

  /** What this run says in the comment by now; '' for nothing. */
  get #words(): string {
    const { report } = this
    const messages = { ...this.#messages, isComment: true }
    if (report.outcome !== 'skipped') return resultComment(report, messages)
    const { comment } = readTrigger(this.#session.context)
    return (comment && answerComment(report, messages)) ?? ''
  }

  /** The comment says what was true when this run wrote it, and is not any more. */
  get isOutdated(): boolean {
    return this.standing === 'ours' && this.#words !== this.#body
  }

  /** What is true of the thread, for the warning about what failed (contract 5.6). */
  get threadNow(): string {
    const { thread, history, isGranted, hasSent } = this.#request
    if (thread === undefined) return THREAD_NOW.none
    if (!isGranted || this.#session.commentMode === 'off') return ''
    if (history === undefined) return THREAD_NOW.unknown
    if (history.own === undefined) {
      if (!hasSent) return ''
      return this.isFinished ? THREAD_NOW.forgets : THREAD_NOW.isOpen
    }
    const isOld = this.failure !== undefined && (this.standing === 'none' || this.isOutdated)
    if (isOld) return THREAD_NOW.showsEarlier
    return this.isFinished ? '' : THREAD_NOW.isOpen
  }

  /** Says what is known by now, everywhere, and leaves the record true. */
  async publish(late: LateFacts = {}): Promise<void> {
    this.#late = { ...this.#late, ...late }
    this.#durationMs = Math.max(0, this.#session.deps.now() - this.#request.identity.requestedAt)
    await this.#inTurn(() => this.#update(false))
  }

  /** Writes down what is still open, also below the words of another run, which stay. */
  async amend(): Promise<void> {
    await this.#inTurn(() => this.#update(true))
  }

  async #update(writesTheirs: boolean): Promise<void> {
    if (this.standing === 'none') this.#yieldToOthers()
    await this.#showAll()
    // What GitHub refused once, it refuses again.
    if ((this.standing === 'theirs' && !writesTheirs) || isRefused(this.failure)) return
    const [{ standing }, url, { thread }] = [this, this.#url, this.#request]
    await this.#write()
    const isElsewhere = this.#url !== url || this.#request.thread !== thread
    if (isElsewhere || this.standing !== standing) await this.#showAll()
  }

  async #showAll(): Promise<void> {
    await this.#show(this.report, this.#messages, this.#url)
  }

  /** Leaves the words of another run or attempt where this one has nothing truer to say. */
  #yieldToOthers(): void {
    const { isGranted, hasSent, state, history } = this.#request
    const own = history?.own
    if (own === undefined || !isGranted || this.#session.commentMode === 'off') return
    const { record, url } = own
    if (record.state === 'reported') {
      this.#request.goOnFrom(record)
      this.#leaveTo(url)
      return
    }
    // A run that sent nothing takes nothing back of what an earlier attempt sent.
    const isTold = state.state === record.state && (state.state === 'unknown' || state.state === 'notSent')
    const isLeft = state.state === 'idle' && record.state !== 'idle'
    if (!hasSent && (isTold || isLeft)) this.#leaveTo(url)
  }

  #leaveTo(url: string): void {
    this.standing = 'theirs'
    this.failure = undefined
    this.#url = url
    if (this.#request.state.state !== 'reported') return
    // A run that was cancelled says so, whatever another one reported.
    const { outcome } = this.#end
    if (outcome !== 'skipped' && outcome !== 'cancelled')
      this.#end = endingOfRecord(this.#request) ?? this.#end
  }

  async #write(): Promise<void> {
    const [session, request] = [this.#session, this.#request]
    const { outcome, reason } = this.#end
    if (reason === 'permission-denied') return await this.#refuse()
    const isTheirs = this.standing === 'theirs'
    const body = isTheirs ? withoutRecord(request.history?.own?.body ?? '') : this.#words
    if (body === '') return
    // The result is what notifies people: where the job goes on, and where they know it already, the comment is edited.
    const isNew = this.standing === 'none' && outcome !== 'started' && session.commentMode === 'recreate'
    const { url, failure, existing } = await request.write(session, 'result', body, isNew)
    this.failure = failure
    if (existing !== undefined) this.#leaveTo(url)
    if (isTheirs || existing !== undefined || url === '') return
    this.standing = 'ours'
    this.#url = url
    this.#body = body
  }

  async #refuse(): Promise<void> {
    const [session, request] = [this.#session, this.#request]
    // A person who did not use the command did not ask for an answer.
    if (request.denied?.isSilent === true || request.thread === undefined) return
    const body = refusalComment(this.#messages)
    const { comment } = request.identity
    const [url] = await Promise.all([
      request.thread.refuse(session, request.identity, body),
      setReaction(session, comment, 'confused', session.context.runAttempt === 1 ? [] : undefined),
    ])
    this.#url = url
  }
}
