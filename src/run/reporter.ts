import pLimit from 'p-limit'
import { isRefused } from '../errors.ts'
import { refusalComment } from '../messages/comments.ts'
import type { MessageContext, PullRequestFacts, Report } from '../messages/phrases.ts'
import { THREAD_NOW } from '../messages/side-tasks.ts'
import { areTheirs } from '../request/precedence.ts'
import { hasHead, type Part } from '../request/record.ts'
import type { SettlePlan } from '../request/settle-plan.ts'
import { setReaction } from '../thread/reactions.ts'
import type { Request } from '../thread/request.ts'
import { say } from '../thread/say.ts'
import type { Session } from '../thread/session.ts'
import { isUnwritten } from '../thread/thread.ts'
import { adoptExisting } from './adopt.ts'
import { commentWordsOf, type KnownEnd, messageContextOf, reportOf } from './report.ts'
import { planWords, type WordsPlan } from './words-plan.ts'

/**
 * Shows outside the thread what is known by now; each call replaces what the one before it showed.
 * @param commentUrl of the comment that carries the result, '' while there is none
 */
export type Show = (report: Report, messages: MessageContext, commentUrl: string) => Promise<void> | void

interface ReporterOptions extends Pick<KnownEnd, 'end' | 'started'> {
  readonly plan: SettlePlan
  readonly caller: { readonly isRepeated: boolean; readonly show: Show }
}

/** The comment that carries the result, as far as this process knows. */
interface SaidComment {
  /** This process wrote it, and took up no other record since. */
  readonly hasTold: boolean
  /** What this process wrote in it; '' for nothing, and for the record alone. */
  readonly words: string
  /** '' while there is none. */
  readonly url: string
  /** Why GitHub did not take what was written last. */
  readonly failure: unknown
}

/**
 * Says how a request ended: the one writer of the result in comment, outputs, log and summary. Each call says what is
 * known by then, and writes only what differs from what the thread has.
 */
export class Reporter {
  readonly #session: Session
  readonly #request: Request
  readonly #options: ReporterOptions
  readonly #inTurn = pLimit(1)
  /** What became known of the pull request since the end, and when, in ms since the epoch. */
  #late: { readonly facts: PullRequestFacts; readonly at: number }
  #comment: SaidComment = { hasTold: false, words: '', url: '', failure: undefined }
  #hasSaid = false
  /** What `show` got last, as one text. */
  #shown = ''

  constructor(session: Session, request: Request, options: ReporterOptions) {
    this.#session = session
    this.#request = request
    this.#options = options
    const { started } = options
    this.#note({ url: (started.kind === 'answer' && started.url) || '' })
    this.#late = { facts: {}, at: session.deps.now() }
  }

  #note(said: Partial<SaidComment>): void {
    this.#comment = { ...this.#comment, ...said }
  }

  /** Why GitHub did not take what was written last. */
  get failure(): unknown {
    return this.#comment.failure
  }

  /** GitHub did not answer, so a later process has to say it. */
  get isAway(): boolean {
    return isUnwritten(this) || this.#isUnread
  }

  /** An earlier attempt may have left in the thread what GitHub does not show, and this one sent nothing. */
  get #isUnread(): boolean {
    const { history, hasAnnounced, mayWrite } = this.#request
    return mayWrite && history === undefined && !hasAnnounced && this.#session.context.runAttempt > 1
  }

  learn(more: PullRequestFacts): void {
    this.#late = { facts: { ...this.#late.facts, ...more }, at: this.#session.deps.now() }
  }

  /** The thread has the words of another run or attempt, and they stay. */
  get isTheirs(): boolean {
    const own = this.#request.history?.own
    return areTheirs(this.#options.plan.teller, own?.record, this.#comment.hasTold)
  }

  get report(): Report {
    const { end, started, plan } = this.#options
    const followsChecks = plan.awaits === 'checks' && !this.isTheirs
    const { facts, at } = this.#late
    const report = reportOf(this.#request, { end, started, late: facts, knownAt: at, followsChecks })
    return { ...report, leftOut: this.#session.warnings.leftOut }
  }

  get #messages(): MessageContext {
    return messageContextOf(this.#session, this.#request, this.#options.started)
  }

  /** What is to be done about the comment, in view of what the thread shows by now. */
  #planWords(): WordsPlan {
    const [session, request] = [this.#session, this.#request]
    const { state, history } = request
    return planWords({
      ...this.#options,
      state,
      own: history?.own,
      wrote: this.#comment.words,
      isTheirs: this.isTheirs,
      comment: commentWordsOf(session, request, this.report, this.#messages),
      recreates: session.commentMode === 'recreate',
      waits: request.waitsMs(session) > 0,
      shows: this.#shows,
    })
  }

  /**
   * Says what is known by now, everywhere.
   * @param more what became known with it
   * @returns why GitHub does not take it, and whether the words of another run stay
   */
  async say(more?: PullRequestFacts): Promise<{ readonly failure: unknown; readonly isTheirs: boolean }> {
    if (more !== undefined) this.learn(more)
    await this.#inTurn(() => this.#say())
    this.#hasSaid = true
    return { failure: this.failure, isTheirs: this.isTheirs }
  }

  async #say(): Promise<void> {
    await this.#showNow()
    if (this.#options.end.reason === 'permission-denied') await this.#refuse()
    else await this.#write()
    await this.#showNow()
  }

  async #write(): Promise<void> {
    const [session, request] = [this.#session, this.#request]
    const { differs, saying } = this.#planWords()
    if (this.isTheirs) this.#note({ url: request.history?.own?.url ?? '' })
    // The post step may be able to read it.
    if (this.#isUnread) return void request.save(session)
    // What GitHub refused once, it refuses again.
    const mayWrite = differs && !isRefused(this.failure)
    const shows = mayWrite ? await this.#writeInViewOfOthers() : saying.shows
    if (isUnwritten(this)) return
    for (const part of shows) request.apply({ type: 'close', part })
  }

  /**
   * No record holds what became of the preview, so the part is open until words that show it are there. While checks are
   * followed, a new head may bring another preview.
   */
  get #shows(): readonly Part[] {
    const { preview } = this.#late.facts
    return preview !== undefined && !this.#request.isOpen('checks') ? ['preview'] : []
  }

  /** @returns the parts that the comment shows then */
  async #writeInViewOfOthers(): Promise<readonly Part[]> {
    const [session, request] = [this.#session, this.#request]
    const { isRepeated } = this.#options.caller
    // Since then, a later event may have made a line of its comment (contract 3.13), or a sweep have reported the job.
    const mayBeChanged = isRepeated || hasHead(request.identity) || request.state.state === 'running'
    if (this.#hasSaid && mayBeChanged) await request.thread?.readAgain(session)
    if (isRepeated && request.isTakenUp) {
      request.leaveToOthers()
      return []
    }
    const { isTheirs } = this
    const { saying } = this.#planWords()
    const { url, failure, existing } = await say(session, request, { what: 'result', ...saying })
    this.#note({ failure })
    // The log and the colour of the step have said how this run ended: the thread alone tells what another one knows.
    if (existing !== undefined) {
      adoptExisting(request, existing)
      // The outputs may name the job of that record by now.
      this.#shown = ''
      this.#note({ url, hasTold: false, words: '' })
      return []
    }
    if (!isTheirs && url !== '') {
      this.#note({ url, hasTold: true, words: saying.words || this.#comment.words })
    }
    return saying.shows
  }

  async #showNow(): Promise<void> {
    const { report } = this
    const { url } = this.#comment
    const stamp = JSON.stringify([report, this.#messages, url])
    if (stamp === this.#shown) return
    this.#shown = stamp
    await this.#options.caller.show(report, this.#messages, url)
  }

  async #refuse(): Promise<void> {
    const [session, request] = [this.#session, this.#request]
    const { denied } = this.#messages
    // A person who did not use the command did not ask for an answer.
    if (denied?.isSilent === true || request.thread === undefined) return
    const { comment } = request.identity
    const [url] = await Promise.all([
      request.thread.refuse(session, request.identity, refusalComment(this.#messages)),
      setReaction(session, comment, 'confused', session.context.runAttempt === 1 ? [] : undefined),
    ])
    this.#note({ url })
  }

  /**
   * What is true of the thread, for the warning about what failed (contract 5.6).
   * @param isFinished nothing is left to do
   */
  threadNow(isFinished: boolean): string {
    const { thread, history, mayWrite, hasAnnounced } = this.#request
    if (thread === undefined) return THREAD_NOW.none
    if (!mayWrite || this.#session.commentMode === 'off') return ''
    if (history === undefined) return THREAD_NOW.unknown
    if (history.own === undefined) {
      if (!hasAnnounced) return ''
      return isFinished ? THREAD_NOW.forgets : THREAD_NOW.isOpen
    }
    const { hasTold, words, failure } = this.#comment
    const lacks = !hasTold || words !== this.#planWords().saying.words
    const isOld = failure !== undefined && !this.isTheirs && lacks
    if (isOld) return THREAD_NOW.showsEarlier
    return isFinished ? '' : THREAD_NOW.isOpen
  }
}
