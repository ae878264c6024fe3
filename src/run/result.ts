import pLimit from 'p-limit'
import { isGone } from '../errors.ts'
import { readTrigger, runUrlOf } from '../event/trigger.ts'
import { isInRepository, pullRequestOf } from '../link.ts'
import { answerComment, refusalComment, resultComment, workingComment } from '../messages/comments.ts'
import { CAUSES, unanswered } from '../messages/notes.ts'
import { type MessageContext, namedMerges, type Report } from '../messages/phrases.ts'
import { THREAD_NOW } from '../messages/side-tasks.ts'
import { UNREAD } from '../request/checks-report.ts'
import { type Ending, ending, reportedOutcome } from '../request/outcome.ts'
import { withoutRecord } from '../request/signed-record.ts'
import { jobOf } from '../request/states.ts'
import { setReaction } from '../thread/reactions.ts'
import type { Session } from '../thread/session.ts'
import { isUnwritten, type Written } from '../thread/thread.ts'
import type { Request } from './request.ts'

/** What becomes known of a pull request after the end of its job. */
export type LateFacts = Pick<Partial<Report>, 'checks' | 'preview'>

/**
 * Shows outside the thread what is known by now; each call replaces what the one before it showed.
 * @param commentUrl of the comment that carries the result, '' while there is none
 */
export type Show = (report: Report, messages: MessageContext, commentUrl: string) => Promise<void> | void

/** The status comment: who asked, the run, and the job once it is known. */
export async function writeStatus(session: Session, request: Request): Promise<Written> {
  const { state, identity, thread } = request
  const { requestedBy, requestedAt } = identity
  const record = request.save(session)
  if (thread === undefined) return NOTHING
  const { runUrl } = messagesOf(session, request)
  const job = jobOf(state)
  const body = workingComment({ requestedBy, runUrl, startedAt: requestedAt, job, request: request.text })
  const written = await thread.write(session, 'status comment', record, body, false)
  if (written.existing !== undefined) request.goOnFrom(written.existing)
  if (written.failure !== undefined) keepUnwritten(session, request, written)
  return written
}

/** For the post step. A thread that is gone is none (contract 5.7). */
function keepUnwritten(session: Session, request: Request, { failure }: Written): void {
  if (isGone(failure)) request.leaveThread()
  request.save(session)
}

const NOTHING: Written = { url: '' }

/** How the record says that the request ended. */
export function endingOfRecord({ state }: Pick<Request, 'state'>): Ending | undefined {
  switch (state.state) {
    case 'reported': {
      const outcome = reportedOutcome(state)
      return outcome === undefined ? ending('error', 'job-not-found', CAUSES.jobGone) : ending(outcome)
    }
    case 'sending':
    case 'unknown':
      return ending('error', 'creation-uncertain', unanswered(state.jobId))
    default:
      return undefined
  }
}

/** What sentences need beside the report. */
function messagesOf(session: Session, request: Request): MessageContext {
  const { context, forge } = session
  const { identity, given, denied, state, thread } = request
  const { timeoutMs, minPermission } = given
  const prLink = jobOf(state)?.prLink ?? ''
  const pull = pullRequestOf(prLink, context.serverUrl)
  const isHere =
    pull !== undefined && isInRepository(context.repository, pull) && pull.number !== thread?.number
  return {
    command: identity.command,
    timeoutMs,
    minPermission,
    runUrl: runUrlOf(context, identity.run, forge),
    denied,
    replies: {
      thread: thread?.remembers(session, identity) === true ? thread.number : undefined,
      onPullRequest: isHere && isLinked(request, prLink),
    },
  }
}

/** A comment on the pull request leads back to the thread. */
export const isLinked = ({ state, history }: Request, prLink: string): boolean =>
  (state.state === 'reported' && state.isLinked) || history?.linkedFrom.has(prLink) === true

interface ResultOptions {
  readonly show: Show
  /** The run may write over the result that stands. */
  readonly edits: boolean
  /** Another run may have reported the request since this one read the thread. */
  readonly isLate: boolean
}

/** The one writer of how a request ended: comment, outputs, log and summary, from one value, one after the other. */
export class Result {
  readonly #session: Session
  readonly #request: Request
  readonly #options: ResultOptions
  readonly #inTurn = pLimit(1)
  #end: Ending
  #late: LateFacts = {}
  #written: Written | undefined
  /** Until the last that became known. */
  #durationMs = 0
  /** What the comment says. */
  #body = ''

  constructor(session: Session, request: Request, end: Ending, options: ResultOptions) {
    this.#session = session
    this.#request = request
    this.#end = end
    this.#options = options
  }

  get report(): Report {
    const { identity, thread, state, shownJob, jobAction, note, text, prompt } = this.#request
    const checks = state.state === 'reported' ? state.checks : undefined
    return {
      ...this.#end,
      job: shownJob ?? jobOf(state),
      jobAction,
      followUp: 'messagedAt' in state && state.messagedAt > 0,
      messagedJobId: 'jobId' in state ? state.jobId : '',
      note,
      requestedBy: identity.requestedBy,
      merged: namedMerges(identity, thread?.number),
      request: text,
      prompt,
      durationMs: this.#durationMs,
      checks: checks && { ...UNREAD, status: checks.status, fixes: checks.sentFor.length, sentBack: [] },
      ...this.#late,
    }
  }

  /** Of the comment that carries the result, '' while there is none. */
  commentUrl = ''

  /** GitHub did not answer, so the thread lacks it, and a later step has to write it. */
  get isUnwritten(): boolean {
    return this.#written !== undefined && isUnwritten(this.#written)
  }

  /** What follows the result is done, and no comment is left that it replaces. */
  isSettled = false

  /** Something is left to do for the post step. */
  get isUnfinished(): boolean {
    return this.isUnwritten || !this.isSettled
  }

  /** Why GitHub did not take the comment. */
  get failure(): unknown {
    return this.#written?.failure
  }

  /** The thread holds the record of this run. */
  get isRecorded(): boolean {
    return this.#written !== undefined && this.failure === undefined && !this.isAnothers
  }

  /** Another run reported the request, and its words stay. */
  get isAnothers(): boolean {
    return this.#written?.existing !== undefined
  }

  /** What is true of the thread, for the warning about what failed (contract 5.6). */
  get threadNow(): string {
    const { thread, history, isGranted, hasSent } = this.#request
    if (thread === undefined) return THREAD_NOW.none
    if (!isGranted || this.#session.commentMode === 'off') return ''
    if (history === undefined) return THREAD_NOW.unknown
    if (history.own === undefined && !hasSent) return ''
    const isOld = this.failure !== undefined && !this.isAnothers && (this.#body === '' || this.isOutdated)
    if (history.own !== undefined && isOld) return THREAD_NOW.showsEarlier
    if (this.isUnfinished) return THREAD_NOW.isOpen
    return history.own === undefined ? THREAD_NOW.forgets : ''
  }

  /** The comment says what was true when it was written, and is not any more. */
  get isOutdated(): boolean {
    return this.#body !== '' && this.#bodyOf(this.report) !== this.#body
  }

  /** Says what is known by now, everywhere, and leaves the record true. */
  async publish(late: LateFacts = {}): Promise<void> {
    this.#late = { ...this.#late, ...late }
    this.#durationMs = Math.max(0, this.#session.deps.now() - this.#request.identity.requestedAt)
    await this.#publish()
  }

  async #publish(): Promise<void> {
    await this.#inTurn(async () => {
      const [url, { thread }] = [this.commentUrl, this.#request]
      if (url === '') this.#keep(await this.#existing())
      await this.#showAll()
      // What GitHub refused once, it refuses again.
      if (this.isAnothers || (this.failure !== undefined && !this.isUnwritten)) return
      this.#keep(await this.#write(this.report))
      const isElsewhere = this.commentUrl !== url || this.#request.thread !== thread
      if (isElsewhere || this.isAnothers) await this.#showAll()
    })
  }

  /** Writes down what is still open. What another run wrote keeps its words. */
  async amend(): Promise<void> {
    const [session, request] = [this.#session, this.#request]
    const own = request.history?.own
    if (!this.isAnothers || own === undefined || request.thread === undefined) return await this.#publish()
    const body = withoutRecord(own.body)
    const { failure } = await request.thread.write(session, 'result', request.save(session), body, false)
    if (failure !== undefined) this.#written = { url: own.url, failure, existing: own.record }
  }

  #keep(written: Written | undefined): void {
    this.#written = written
    this.commentUrl = written?.url || this.commentUrl
  }

  async #showAll(): Promise<void> {
    await this.#options.show(this.report, messagesOf(this.#session, this.#request), this.commentUrl)
  }

  async #write(report: Report): Promise<Written> {
    const [session, request] = [this.#session, this.#request]
    const { thread } = request
    if (report.reason === 'permission-denied') return await this.#refuse()
    if (!request.isGranted || thread === undefined) {
      request.save(session)
      return NOTHING
    }
    const body = this.#bodyOf(report)
    if (body === '') return NOTHING
    // The result is what notifies people: where the job goes on, and where they know it already, the comment is edited.
    const isNew =
      this.commentUrl === '' &&
      report.outcome !== 'started' &&
      !this.#options.edits &&
      session.commentMode === 'recreate'
    const written = await thread.write(session, 'result', request.save(session), body, isNew)
    if (written.failure === undefined) this.#body = body
    else keepUnwritten(session, request, written)
    if (written.existing !== undefined) this.#takeOver(written.existing)
    return written
  }

  /** '' for nothing to say. */
  #bodyOf(report: Report): string {
    const messages = { ...messagesOf(this.#session, this.#request), isComment: true }
    if (report.outcome !== 'skipped') return resultComment(report, messages)
    const { comment } = readTrigger(this.#session.context)
    return (comment && answerComment(report, messages)) ?? ''
  }

  async #refuse(): Promise<Written> {
    const [session, request] = [this.#session, this.#request]
    const { denied } = request
    // A person who did not use the command did not ask for an answer.
    if (denied?.isSilent === true || request.thread === undefined) return NOTHING
    const body = refusalComment(messagesOf(session, request))
    const { comment } = request.identity
    const [url] = await Promise.all([
      request.thread.refuse(session, request.identity, body),
      setReaction(session, comment, 'confused', session.context.runAttempt === 1 ? [] : undefined),
    ])
    return { url }
  }

  /** What the thread says of the request, where this run has nothing truer to say. */
  async #existing(): Promise<Written | undefined> {
    const [session, request] = [this.#session, this.#request]
    const { thread, isGranted, hasSent, state } = request
    if (thread === undefined || !isGranted || session.commentMode === 'off') return this.#written
    if (request.history === undefined || this.#options.isLate) await thread.readOrWarn(session)
    const own = request.history?.own
    if (own === undefined) return this.#written
    if (own.record.state === 'reported') {
      if (this.#options.edits && own.record.checks?.status === 'pending') return this.#written
      this.#takeOver(own.record)
      return { url: own.url, existing: own.record }
    }
    // A run that sent nothing takes nothing back of what an earlier attempt sent.
    const isTold =
      state.state === own.record.state && (state.state === 'unknown' || state.state === 'notSent')
    const isLeft = state.state === 'idle' && own.record.state !== 'idle'
    if (hasSent || !(isTold || isLeft)) return this.#written
    return { url: own.url, existing: own.record }
  }

  #takeOver(record: NonNullable<Written['existing']>): void {
    this.#request.goOnFrom(record)
    if (!isSkipOrCancel(this.#end)) this.#end = endingOfRecord(this.#request) ?? this.#end
  }
}

/** A run that was cancelled says so, whatever another one reported. */
const isSkipOrCancel = ({ outcome }: Ending): boolean => outcome === 'skipped' || outcome === 'cancelled'
