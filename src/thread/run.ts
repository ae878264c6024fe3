import { isRefused } from '../base/errors.ts'
import { type Facts, NO_FACTS } from '../record/fold.ts'
import type { Job } from '../record/job.ts'
import { recordsOf, type ThreadRecords } from '../record/log.ts'
import type { JobAction } from '../record/outcome.ts'
import {
  identityOf,
  type RequestIdentity,
  type RequestRecord,
  type RequestState,
  stateOf,
} from '../record/record.ts'
import { isOfSameRun } from '../record/request-identity.ts'
import {
  areChecksFollowed,
  endingIn,
  IDLE,
  isAskedAgain,
  isWaitedFor,
  jobOf,
  noteJob,
} from '../record/states.ts'
import type { Eyes } from './asking-comment.ts'
import type { Session } from './session.ts'
import type { Thread } from './thread.ts'

/** What a step leaves outside the thread. */
export interface RunView {
  /** Writes outputs. */
  showJob(job: Job, action: JobAction): void
  /** Writes an output. */
  showThread(number: number | undefined): void
  /** Saves the record as the state of the action, which the runner hands to the post step. */
  saveForPostStep(record: RequestRecord, thread: number | undefined): void
}

interface RunOptions {
  /** Where it is answered; undefined for none. */
  readonly thread: Thread | undefined
  /** It may act on its thread. */
  readonly mayWrite?: boolean
  /** Undefined for a process that leaves nothing there. */
  readonly view?: RunView
  /** Until when it holds the request (see `isLeased`), on the monotonic clock, in ms; 0 for a process that holds none. */
  readonly deadline?: number
  /** It follows checks itself; else it leaves them to sweeps. */
  readonly followsChecks?: boolean
}

/** How far the request came in this process, as one value, which `Run` alone writes, in one place. */
interface Progress {
  /** What the request is: `updateIdentity` gives the next one. */
  readonly identity: RequestIdentity
  /** How the request stands: `states.ts` gives the next one. */
  readonly state: RequestState
  /**
   * `unread`: what the thread says of the request is not known yet. `ready`: nothing there keeps it from the agent. `announced`: this
   * process wrote, or tried to, that it sends it. `resumed`: it goes on with what another process, or an earlier attempt, began.
   */
  readonly stage: 'unread' | 'ready' | 'announced' | 'resumed'
  /** It may act on its thread. */
  readonly mayWrite: boolean
  /** Why GitHub did not take the last comment; undefined where it did. */
  readonly failure: unknown
  /** Where it is answered; undefined for a run without a thread. */
  readonly thread: Thread | undefined
}

/** A request in the hands of one process: what its record is to say, and what this process alone knows. */
export class Run {
  /** What `acknowledge` adds to the asking comment, and sets here; undefined where this process adds none. */
  eyes: Eyes | undefined
  /** Settles with the last commit status that this process began to set; `setStatus` sets it here. */
  lastStatusWrite: Promise<unknown> | undefined
  #now: Progress
  readonly #view: RunView | undefined
  readonly #deadline: number
  /** It follows checks itself; else it leaves them to sweeps. */
  readonly followsChecks: boolean

  constructor(
    identity: RequestIdentity,
    { thread, mayWrite = false, view, deadline = 0, followsChecks = false }: RunOptions,
  ) {
    this.#now = { identity, state: IDLE, stage: 'unread', mayWrite, failure: undefined, thread }
    this.#view = view
    this.#deadline = deadline
    this.followsChecks = followsChecks
    this.#view?.showThread(thread?.number)
  }

  /** Goes on with a request that another process left. @param mayWrite it may act on the thread */
  static fromRecord(record: RequestRecord, thread: Thread | undefined, mayWrite: boolean): Run {
    const run = new Run(identityOf(record), { thread, mayWrite })
    run.resume(record)
    return run
  }

  get identity(): RequestIdentity {
    return this.#now.identity
  }

  get state(): RequestState {
    return this.#now.state
  }

  get stage(): Progress['stage'] {
    return this.#now.stage
  }

  get mayWrite(): boolean {
    return this.#now.mayWrite
  }

  get failure(): unknown {
    return this.#now.failure
  }

  get thread(): Thread | undefined {
    return this.#now.thread
  }

  #note(more: Partial<Progress>): void {
    this.#now = { ...this.#now, ...more }
  }

  updateIdentity(more: Partial<RequestIdentity>): void {
    this.#note({ identity: { ...this.identity, ...more } })
  }

  /** @param state as a transition of `states.ts` gives it */
  setState(state: RequestState): void {
    this.#note({ state })
  }

  /** Takes over what was read of its job. */
  noteJob(job: Job): void {
    this.setState(noteJob(this.in('running'), job))
    this.showJob()
  }

  /** Lets the run write, now that the permission is known. */
  markPermitted(): void {
    this.#note({ mayWrite: true })
  }

  /** Lets the run write no more: the thread may have what this process cannot read. */
  leaveThreadAlone(): void {
    this.#note({ mayWrite: false })
  }

  /** @param failure why GitHub did not take the comment; undefined where it did */
  noteWrite(failure: unknown): void {
    this.#note({ failure })
  }

  setThread(thread: Thread | undefined): void {
    // The failure was of a write in the other thread.
    if (thread !== this.thread) this.noteWrite(undefined)
    this.#note({ thread })
    this.#view?.showThread(thread?.number)
  }

  /** Comes before the write of the record. */
  announce(): void {
    this.#note({ stage: 'announced' })
  }

  /** Comes after its record was deleted from the thread. */
  forgetRecord(): void {
    this.#note({ stage: 'ready' })
  }

  /** @returns the state, which must be one of these @throws where it is not, which is a defect */
  in<Name extends RequestState['state']>(
    ...names: readonly Name[]
  ): Extract<RequestState, { readonly state: Name }> {
    const { state } = this
    const isIn = (one: RequestState): one is Extract<RequestState, { readonly state: Name }> =>
      names.some((name) => name === one.state)
    if (isIn(state)) return state
    throw new Error(`the request is ${state.state}, not ${names.join(' or ')}`)
  }

  get job(): Job | undefined {
    return jobOf(this.state)
  }

  get jobAction(): JobAction {
    const { state, stage } = this
    if (!('messagedAt' in state) || stage === 'unread' || stage === 'ready') return 'none'
    if (stage === 'resumed') return 'resumed'
    return state.messagedAt > 0 ? 'continued' : 'created'
  }

  /** Writes the job into the outputs, which outlive a kill. */
  showJob(): void {
    if (this.job !== undefined) this.#view?.showJob(this.job, this.jobAction)
  }

  /** The thread, if comments may be written there. */
  writableThread({ commentMode }: Session): Thread | undefined {
    return this.mayWrite && commentMode !== 'off' ? this.thread : undefined
  }

  /**
   * What the records of the thread tell, as it was read last: of this request (`current`, also from an earlier attempt), of the other
   * requests (`others`), and what all of them tell together (`facts`). Undefined where the thread is not read.
   */
  records(): ThreadRecords | undefined {
    if (this.thread === undefined) return recordsOf([], this.identity)
    return this.thread.isRead ? this.thread.recordsFor(this.identity) : undefined
  }

  /** What the thread knows, as it was read last. */
  get facts(): Facts {
    return this.records()?.facts ?? NO_FACTS
  }

  /** URL of the comment with the result, as read or written; '' for none. */
  get commentUrl(): string {
    const own = this.thread?.recordsFor(this.identity).current
    return own && endingIn(own.record) ? own.url : ''
  }

  /** Makes a request that was not asked before the latest of its thread, whatever the clock of its runner says. */
  makeLatest(): void {
    const records = this.records()
    if (records === undefined) return
    this.updateIdentity({ requestedAt: Math.max(this.identity.requestedAt, records.othersAskedAt + 1) })
    if (this.stage === 'unread') this.#note({ stage: 'ready' })
  }

  /** Goes on with a record of this request: only the run is new. */
  resume(record: RequestRecord): void {
    this.#note({
      identity: { ...identityOf(record), attempt: this.identity.attempt },
      state: stateOf(record),
      stage: this.stage === 'announced' ? 'announced' : 'resumed',
    })
    this.showJob()
  }

  /**
   * Goes on with the record that an earlier attempt, or another process, left in the thread. Where that one sent nothing, or its
   * job failed, the request is asked again, with the person and the time of the first attempt.
   * @returns the record; undefined where the request is to be asked
   */
  resumeOrStart(): RequestRecord | undefined {
    const record = this.records()?.current?.record
    if (record === undefined) {
      this.makeLatest()
      return undefined
    }
    if (!isAskedAgain(record)) {
      this.resume(record)
      return record
    }
    // Another event about the same changes is later than what was asked meanwhile.
    const isReRun = isOfSameRun(record, this.identity)
    if (!isReRun) this.makeLatest()
    const { settings, requestDigest, attempt, requestedAt, merged } = this.identity
    const first = { ...identityOf(record), settings, requestDigest, attempt }
    const identity = isReRun ? first : { ...first, requestedAt, merged }
    this.#note({ identity, state: IDLE, stage: 'ready' })
    return undefined
  }

  recordNow(session: Session): RequestRecord {
    const { state, identity } = this
    const isLeased = areChecksFollowed(state) ? this.followsChecks : isWaitedFor(state)
    const leaseMs = isLeased ? Math.ceil(Math.max(0, this.#deadline - session.deps.monotonic())) : 0
    return { ...identity, ...state, writtenAt: this.nextWrittenAt(session), leaseMs }
  }

  /** The time for what is known now: later than all in the thread, whatever the clock says. */
  nextWrittenAt(session: Session): number {
    return this.thread?.nextWrittenAt(session) ?? session.deps.now()
  }

  /** Nothing is kept where no post step follows. */
  keepForPostStep(session: Session, record = this.recordNow(session)): void {
    // A thread that refuses the record is not looked at again.
    this.#view?.saveForPostStep(record, this.lastWrite === 'refused' ? undefined : this.thread?.number)
  }

  /** What became of the last write of the comment, `done` before the first. A later process writes what GitHub did not answer. */
  get lastWrite(): 'done' | 'refused' | 'unanswered' {
    if (this.failure === undefined) return 'done'
    return isRefused(this.failure) ? 'refused' : 'unanswered'
  }
}
