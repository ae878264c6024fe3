import { isRefused } from '../errors.ts'
import { type Known, type Log, NOTHING_KNOWN, type RequestComment } from './fold.ts'
import type { Job } from './job.ts'
import { recordsOf, type ThreadRecords } from './log.ts'
import type { JobAction } from './outcome.ts'
import type { Eyes } from './reactions.ts'
import {
  hasFailed,
  identityOf,
  isOfRun,
  isWaitedFor,
  jobOf,
  type RequestIdentity,
  type RequestRecord,
  type RequestState,
  stateOf,
} from './record.ts'
import type { Session } from './session.ts'
import { askAgain, hasEnd, IDLE } from './states.ts'
import type { Thread } from './thread.ts'

/** What a step leaves outside the thread. */
export interface RequestView {
  /** As outputs. */
  showJob(job: Job, action: JobAction): void
  /** As an output. */
  showThread(number: number | undefined): void
  /** As the state of the action, which the runner hands to the post step. */
  keep(record: RequestRecord, thread: number | undefined): void
}

const NO_VIEW: RequestView = { showJob: () => {}, showThread: () => {}, keep: () => {} }

/** A request in the hands of one process: what its record is to say (see `states.ts`), and what this process did and knows. */
export class Request {
  // What the record says, whichever process writes it.
  #identity: RequestIdentity
  #state: RequestState = IDLE

  // What this process did and knows.
  readonly #view: RequestView
  /** Of the run that holds the request (see `isHeld`), on the monotonic clock, in ms; 0 for a process that holds none. */
  readonly deadline: number
  #thread: Thread | undefined
  /** It has its place among the requests of the thread, which this process has read. */
  isPlaced = false
  /** Whether it may act on its thread. Set in `ask` once the permission is known, by post step and sweep; withdrawn in `lookOnceMore`. */
  mayWrite = false
  /** `announced`: this process wrote, or tried to, that it sends the request. `resumed`: this process goes on with what an earlier attempt, or another process, began. */
  action: 'none' | 'announced' | 'resumed' = 'none'
  /** What the agent got from this run, or would get. */
  prompt = ''
  /** What a dry run could prove, in words for the summary. @param failure of the comment */
  setup = (_commentUrl: string, _failure: unknown): string => ''
  /** What `acknowledge` gives for the eyes of this process. */
  eyesReaction: Eyes | undefined
  /** It has begun what follows the end. */
  hasActed = false
  /**
   * The job of the thread, as this process read it before its own message, when, on GitHub's clock, and the log then: the reading
   * tells nothing of what came later.
   */
  seen:
    | { readonly id: string; readonly job: Job | undefined; readonly at: number; readonly log: Log }
    | undefined
  /** The agent's pull request on which a comment leads back to the thread: a link, '' for none. */
  linkedFrom = ''
  commentUrl = ''
  #failure: unknown

  constructor(identity: RequestIdentity, view = NO_VIEW, deadline = 0) {
    this.#identity = identity
    this.#view = view
    this.deadline = deadline
  }

  get identity(): RequestIdentity {
    return this.#identity
  }

  updateIdentity(more: Partial<RequestIdentity>): void {
    this.#identity = { ...this.#identity, ...more }
  }

  /** What the thread knows, as it was read last. */
  get known(): Known {
    return this.records()?.known ?? NOTHING_KNOWN
  }

  /** As this request says it, or as the thread knows it. */
  get skip(): Known['skip'] {
    const { state, identity, commentUrl } = this
    if (state.state !== 'closed' || state.why === undefined) return this.known.skip
    return { requestedBy: identity.requestedBy, why: state.why, url: commentUrl }
  }

  get state(): RequestState {
    return this.#state
  }

  /** As one of these states. @throws where it is in another one, which is a defect */
  in<Name extends RequestState['state']>(
    ...names: readonly Name[]
  ): Extract<RequestState, { readonly state: Name }> {
    const { state } = this
    const isIn = (one: RequestState): one is Extract<RequestState, { readonly state: Name }> =>
      names.some((name) => name === one.state)
    if (isIn(state)) return state
    throw new Error(`the request is ${state.state}, not ${names.join(' or ')}`)
  }

  become(state: RequestState): void {
    this.#state = state
  }

  get job(): Job | undefined {
    return jobOf(this.#state)
  }

  /** In the outputs, which outlive a kill. */
  showJob(): void {
    if (this.job !== undefined) this.#view.showJob(this.job, this.jobAction)
  }

  get jobAction(): JobAction {
    const { state, action } = this
    if (!('messagedAt' in state) || action === 'none') return 'none'
    if (action === 'resumed') return 'resumed'
    return state.messagedAt > 0 ? 'continued' : 'created'
  }

  /** Where it is answered; undefined for a run without a thread. */
  get thread(): Thread | undefined {
    return this.#thread
  }

  answerIn(thread: Thread | undefined): void {
    // What became of a write says nothing of another thread.
    if (thread !== this.#thread) this.#failure = undefined
    this.#thread = thread
    this.#view.showThread(thread?.number)
  }

  /** The thread, if comments may be written there. */
  writableThread({ commentMode }: Session): Thread | undefined {
    return this.mayWrite && commentMode !== 'off' ? this.thread : undefined
  }

  /**
   * What the records of the thread tell, as it was read last: of this request (`own`, also from an earlier attempt), of the other
   * requests (`others`), and what all of them tell together (`known`). Undefined where the thread is not read.
   */
  records(): ThreadRecords | undefined {
    if (this.thread === undefined) return recordsOf([], this.identity)
    return this.thread.isRead ? this.thread.recordsFor(this.identity) : undefined
  }

  /** A new request is the latest of its thread, whatever the clock of its runner says. */
  becomeLatest(): void {
    const records = this.records()
    if (records === undefined) return
    this.updateIdentity({ requestedAt: Math.max(this.identity.requestedAt, records.othersAskedAt + 1) })
    this.isPlaced = true
  }

  /** Goes on with a record of this request: only the run is new. */
  continueFrom(record: RequestRecord, { url = '' }: Partial<RequestComment> = {}): void {
    this.#identity = { ...identityOf(record), run: this.identity.run }
    this.isPlaced = true
    if (this.action === 'none') this.action = 'resumed'
    this.commentUrl = url
    this.become(stateOf(record))
    this.showJob()
  }

  /** Goes on with the result that another process wrote into the thread meanwhile, if there is one. */
  continueFromResult(): void {
    const own = this.records()?.own
    if (own?.record.state === 'ended') this.continueFrom(own.record, own)
  }

  /**
   * Goes on with the record that an earlier attempt, or another process, left in the thread. Where that one sent nothing, or its
   * job failed, the request is asked again, with the person and the time of the first attempt.
   * @returns the record; undefined where the request is to be asked
   */
  continueFromThread(): RequestRecord | undefined {
    const records = this.records()
    const own = records?.own
    if (records === undefined || own === undefined) {
      this.becomeLatest()
      return undefined
    }
    const { record, url } = own
    const state = stateOf(record)
    if (!hasEnd(state) || (state.state === 'ended' && !hasFailed(state))) {
      this.continueFrom(record, own)
      return record
    }
    // Another event about the same changes comes after what was asked meanwhile.
    const isReRun = isOfRun(record, this.identity)
    if (!isReRun) this.becomeLatest()
    const { settings, key, run, requestedAt } = this.identity
    const kept = { settings, key, run, ...(!isReRun && { requestedAt }) }
    this.#identity = { ...identityOf(record), ...kept }
    this.isPlaced = true
    this.commentUrl = url
    this.become(askAgain(state))
    return undefined
  }

  recordNow(session: Session): RequestRecord {
    const { state, identity, deadline } = this
    const heldForMs = isWaitedFor(state) ? Math.ceil(Math.max(0, deadline - session.deps.monotonic())) : 0
    return { ...identity, ...state, writtenAt: this.nextWrittenAt(session), heldForMs }
  }

  /** For what is known now: later than all that the thread says, whatever the clock says. */
  nextWrittenAt(session: Session): number {
    return this.thread?.nextWrittenAt(session) ?? session.deps.now()
  }

  /** Nothing is kept where no post step follows. */
  keepForPostStep(session: Session, record = this.recordNow(session)): void {
    // A thread that refuses the record is not looked at again.
    this.#view.keep(record, this.lastWrite === 'refused' ? undefined : this.thread?.number)
  }

  /** What became of the last write of the comment, `done` before the first. A later process writes what GitHub did not answer. */
  get lastWrite(): 'done' | 'refused' | 'unanswered' {
    if (this.#failure === undefined) return 'done'
    return isRefused(this.#failure) ? 'refused' : 'unanswered'
  }

  /** Why GitHub did not take it; undefined where it did. */
  get failure(): unknown {
    return this.#failure
  }

  noteWrite(failure?: unknown): void {
    this.#failure = failure
  }
}
