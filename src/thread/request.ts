import type { Inputs } from '../inputs/inputs.ts'
import { EMPTY_HISTORY, type History } from '../request/history.ts'
import type { Job } from '../request/job.ts'
import type { JobAction } from '../request/outcome.ts'
import type { RequestComment } from '../request/precedence.ts'
import {
  identityOf,
  type Part,
  type RequestIdentity,
  type RequestRecord,
  type RequestState,
  stateOf,
} from '../request/record.ts'
import { jobOf, type RequestEvent, transition } from '../request/states.ts'
import type { Eyes } from './reactions.ts'
import type { Session } from './session.ts'
import type { Thread } from './thread.ts'

/** The step that serves the request. */
export interface RequestView {
  /** Shows the job as soon as it is known. */
  showJob(job: Job, action: JobAction): void
  showThread(number: number | undefined): void
  /** Keeps the record where the post step finds it. */
  keep(record: RequestRecord, thread: number | undefined): void
}

const NO_VIEW: RequestView = { showJob: () => {}, showThread: () => {}, keep: () => {} }

/** What a run serves the request with, from the start; a sweep has none of it. */
interface Given extends Pick<Inputs, 'timeoutMs' | 'minPermission'> {
  /** On the monotonic clock, in ms: until then, a run that waits keeps others from the request. */
  readonly deadline: number
  /** The request in the words of the person. */
  readonly text: string
}

/** What a process knows beside the record. It holds for the record that the process goes on from, and `goOnFrom` replaces it. */
interface ProcessKnowledge {
  /** What this process did for the record. */
  readonly did: 'nothing' | 'announced' | 'followed'
  /** No earlier run can have left a comment, a record or a reaction of the request. */
  readonly isFirstRun: boolean
  /** The comment that it goes on from, or wrote last. */
  readonly standing: RequestComment | undefined
  /** What somebody may have done although the record does not say so. */
  readonly maybeDone: readonly Part[]
  /** What the agent gets, or got: the given text, or the text in the comment of another run; '' where that was edited. */
  readonly text: string
}

/** A request as this run serves it: what its record says, where it is answered, and what this run alone knows. */
export class Request {
  readonly given: Given
  #identity: RequestIdentity
  #state: RequestState = { state: 'idle', ending: undefined, openParts: [] }
  #known: ProcessKnowledge
  /** `unknown`: the run has one, and could not learn which. */
  #thread: Thread | 'none' | 'unknown' = 'none'
  #mayWrite = false
  #jobAction: JobAction = 'none'
  #eyes: Eyes | undefined
  readonly #view: RequestView

  constructor(identity: RequestIdentity, given: Partial<Given> = {}, view = NO_VIEW) {
    this.#identity = identity
    this.given = { text: '', timeoutMs: 0, deadline: 0, minPermission: 'write', ...given }
    const { text } = this.given
    this.#known = { did: 'nothing', isFirstRun: false, standing: undefined, maybeDone: [], text }
    this.#view = view
  }

  get identity(): RequestIdentity {
    return this.#identity
  }

  get state(): RequestState {
    return this.#state
  }

  /** Undefined for a run without a thread. */
  get thread(): Thread | undefined {
    return typeof this.#thread === 'string' ? undefined : this.#thread
  }

  /**
   * Whether this process may act on the request. It may not before the permission is known, or once another process has
   * the request. A post step may not in a thread that it cannot read, and a sweep may not without comments.
   */
  get mayWrite(): boolean {
    return this.#mayWrite
  }

  /** No earlier run can have left a comment, a record or a reaction of this request. */
  get isFirstRun(): boolean {
    return this.#known.isFirstRun
  }

  /** This run announced the request. It sends it unless GitHub does not answer, or time is up. */
  get hasAnnounced(): boolean {
    return this.#known.did === 'announced'
  }

  /** This process sent the request or followed its job, and goes on from no record since. */
  get knowsFirsthand(): boolean {
    return this.#known.did !== 'nothing'
  }

  get jobAction(): JobAction {
    return this.#jobAction
  }

  get text(): string {
    return this.#known.text
  }

  /** What the thread tells by now; undefined while it is not known. */
  get history(): History | undefined {
    if (this.thread !== undefined) return this.thread.historyOf(this.identity)
    return this.#thread === 'unknown' ? undefined : EMPTY_HISTORY
  }

  answerIn(thread: Thread | 'none' | 'unknown'): void {
    this.#thread = thread
    this.#view.showThread(this.thread?.number)
  }

  /** What `acknowledge` gives for the eyes of this process; undefined where it adds none. */
  get eyes(): Eyes | undefined {
    return this.#eyes
  }

  noteEyes(eyes: Eyes): void {
    this.#eyes = eyes
  }

  allowWrites(): void {
    this.#mayWrite = true
  }

  /**
   * Another run or attempt goes on with the request, or another sweep brought it further. The line that replaces an
   * earlier result (contract 3.13) is no sign of that.
   */
  get isTakenUp(): boolean {
    const own = this.history?.own
    if (own === undefined) return false
    const { id, record } = this.#known.standing ?? {}
    const { run, round, state } = own.record
    return own.id !== id || run !== record?.run || round !== record.round || state !== record.state
  }

  /** The process goes on from the comment as it stands. */
  noteStanding(): void {
    this.#know({ standing: this.history?.own })
  }

  leaveToOthers(): void {
    this.#mayWrite = false
  }

  noteFirstRun(): void {
    this.#know({ isFirstRun: true })
  }

  /** It counts as the latest request of its thread from now on, whatever the clock of its runner says. */
  orderAfterOthers(): void {
    const { jobComment, others = [], skips = [] } = this.history ?? {}
    const latest = Math.max(
      jobComment?.record.requestedAt ?? 0,
      ...others.map(({ record }) => record.requestedAt),
      ...skips.map(({ record }) => record.writtenAt),
    )
    this.amend({ requestedAt: Math.max(this.identity.requestedAt, latest + 1) })
  }

  amend(identity: Partial<RequestIdentity>): void {
    this.#identity = { ...this.identity, ...identity }
  }

  /**
   * Takes up a record. Only the run is new: when the request was asked, by whom and for what stays as recorded (contract 5.2).
   */
  goOnFrom(record: RequestRecord): void {
    const state = stateOf(record)
    const { text } = this.given
    this.#identity = { ...identityOf(record), run: this.identity.run }
    const { own } = this.history ?? {}
    this.#known = { did: 'nothing', isFirstRun: false, standing: own, maybeDone: state.openParts, text }
    this.#enter(state, 'resumed')
  }

  apply(event: RequestEvent): void {
    if (event.type === 'send') this.#know({ did: 'announced' })
    if (event.type === 'follow' && !this.knowsFirsthand) this.#know({ did: 'followed' })
    const isNew = this.state.state === 'sending' && this.state.jobId === ''
    this.#enter(transition(this.state, event), isNew ? 'created' : 'continued')
  }

  #know(more: Partial<ProcessKnowledge>): void {
    this.#known = { ...this.#known, ...more }
  }

  /** @param action what brought the job, where the request had none before */
  #enter(state: RequestState, action: JobAction): void {
    const before = jobOf(this.state)
    this.#state = state
    const job = jobOf(state)
    if (job === undefined) return
    if (this.jobAction === 'none') this.#jobAction = action
    // An answer, such as that of `status`, can show another job: it stays shown until the job of the request changes.
    if (job !== before) this.#view.showJob(job, this.jobAction)
  }

  isOpen(part: Part): boolean {
    return this.state.openParts.includes(part)
  }

  /** A run that was killed, or GitHub without an answer, may have done the part although the record says that it is open. */
  mayBeDone(part: Part): boolean {
    return this.#known.maybeDone.includes(part)
  }

  noteMaybeDone(part: Part): void {
    this.#know({ maybeDone: [...this.#known.maybeDone, part] })
  }

  /** A comment on the pull request leads back to the thread. */
  isLinked(prLink: string): boolean {
    const { state, history } = this
    return (state.state === 'reported' && state.isLinked) || history?.linkedFrom.has(prLink) === true
  }

  /** The record of now, kept for the post step: with the thread, unless that refuses comments. */
  save(session: Session): RequestRecord {
    const { identity, state, thread } = this
    const times = { writtenAt: thread?.nextWrittenAt(session) ?? 0, waitsMs: this.waitsMs(session) }
    const record = { ...identity, ...state, ...times, textDigest: '' }
    this.#view.keep(record, thread?.refuses(identity) === true ? undefined : thread?.number)
    return record
  }

  /** How long this run still keeps others from the request, in ms. */
  waitsMs({ deps }: Session): number {
    // A run that said how it ended waits for nothing but checks and a preview.
    const waits =
      (this.knowsFirsthand && this.state.ending === undefined) ||
      this.isOpen('checks') ||
      this.isOpen('preview')
    return waits ? Math.ceil(Math.max(0, this.given.deadline - deps.monotonic())) : 0
  }
}
