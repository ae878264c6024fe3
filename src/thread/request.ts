import { isGone, isRefused } from '../errors.ts'
import type { SetupResults } from '../messages/setup-table.ts'
import {
  asLatest,
  contentOf,
  isWaitedFor,
  type RequestContent,
  saysTheSame,
  withGrowth,
} from '../request/content.ts'
import type { Job } from '../request/job.ts'
import { EMPTY_MEMORY, type Growing, type Latest, type Memory } from '../request/memory.ts'
import type { JobAction } from '../request/outcome.ts'
import { type Reading, type RequestComment, readingOf } from '../request/reading.ts'
import {
  hasFailed,
  isOfRun,
  jobOf,
  type RequestIdentity,
  type RequestRecord,
  type RequestState,
  type Running,
} from '../request/record.ts'
import { withoutRecord } from '../request/signed-record.ts'
import type { Eyes } from './reactions.ts'
import type { Session } from './session.ts'
import type { Thread } from './thread.ts'

/** The step that serves a request. */
export interface RequestView {
  showJob(job: Job, action: JobAction): void
  showThread(number: number | undefined): void
  /** Keeps the record where the post step finds it. */
  keep(record: RequestRecord, thread: number | undefined): void
}

const NO_VIEW: RequestView = { showJob: () => {}, showThread: () => {}, keep: () => {} }

type CommentKind = 'status comment' | 'result'

/** A request in the hands of one process: what its record says, and what this process did and knows. */
export class Request {
  #content: RequestContent
  readonly #view: RequestView
  /** Until this moment of the monotonic clock, in ms, other runs leave the request to this one; 0 for a process that holds none. */
  readonly heldUntil: number
  /** `resumed`: this process goes on with what an earlier attempt, or another process, sent. */
  action: 'none' | 'sent' | 'resumed' = 'none'
  #thread: Thread | undefined
  /** Whether it may act on its thread: not before the permission is known. */
  mayWrite = false
  /** What the agent got from this run, or would get. */
  prompt = ''
  /** What a dry run could prove; undefined where nothing was tried. */
  setup: SetupResults | undefined
  /** What `acknowledge` gives for the eyes of this process. */
  eyesReaction: Eyes | undefined
  /** A comment on the job's pull request leads back to the thread. */
  hasLinkBack = false
  commentUrl = ''
  /** Why GitHub did not take what was written last. */
  failure: unknown

  constructor(identity: RequestIdentity, view = NO_VIEW, heldUntil = 0) {
    this.#content = { identity, memory: undefined, state: { state: 'idle' } }
    this.#view = view
    this.heldUntil = heldUntil
  }

  get identity(): RequestIdentity {
    return this.#content.identity
  }

  updateIdentity(more: Partial<RequestIdentity>): void {
    this.#content = { ...this.#content, identity: { ...this.identity, ...more } }
  }

  /** Undefined where this process has not read the thread. */
  get memory(): Memory | undefined {
    return this.#content.memory
  }

  set memory(memory: Memory | undefined) {
    this.#content = { ...this.#content, memory }
  }

  get latest(): Latest {
    return this.memory?.latest ?? EMPTY_MEMORY.latest
  }

  get grows(): Growing {
    return this.memory?.grows ?? EMPTY_MEMORY.grows
  }

  /** Adds what others of the thread learned since it was asked, and what its own end adds. */
  addToMemory(more: Partial<Growing> = {}): void {
    this.#content = withGrowth(this.#content, this.reading, more)
  }

  get state(): RequestState {
    return this.#content.state
  }

  set state(state: RequestState) {
    const before = this.job
    this.#content = { ...this.#content, state }
    if (this.job !== undefined && this.job !== before) this.#view.showJob(this.job, this.jobAction)
  }

  /** The agent has it. The post step can tell the job as soon as anybody else can. */
  setRunning(session: Session, state: Running): void {
    this.#content = { ...this.#content, state }
    this.keepForPostStep(session)
    this.#view.showJob(state.job, this.jobAction)
  }

  get job(): Job | undefined {
    return jobOf(this.state)
  }

  get jobAction(): JobAction {
    const { state, action } = this
    if (!('messagedAt' in state) || action === 'none') return 'none'
    if (action === 'resumed') return 'resumed'
    return state.messagedAt > 0 ? 'continued' : 'created'
  }

  /** Undefined for a run without a thread. */
  get thread(): Thread | undefined {
    return this.#thread
  }

  set thread(thread: Thread | undefined) {
    // What became of a write says nothing of another thread.
    if (thread !== this.#thread) this.failure = undefined
    this.#thread = thread
    this.#view.showThread(thread?.number)
  }

  /** Where it is answered, if comments may be written there. */
  writableThread({ commentMode }: Session): Thread | undefined {
    return this.mayWrite && commentMode !== 'off' ? this.thread : undefined
  }

  /** What the thread tells; undefined while that is not known. */
  get reading(): Reading | undefined {
    if (this.thread === undefined) return readingOf([], this.identity)
    return this.thread.isRead ? this.thread.readingFor(this.identity) : undefined
  }

  /** A new request: it is the latest of its thread. */
  becomeLatest(): void {
    const { reading } = this
    if (reading !== undefined) this.#content = asLatest(this.#content, reading)
  }

  /** Goes on with a record of this request. */
  continueFrom(record: RequestRecord, { url = '' }: Partial<RequestComment> = {}): void {
    const { state, ...rest } = contentOf(record, this.identity)
    this.#content = { ...this.#content, ...rest }
    if (this.action === 'none') this.action = 'resumed'
    this.commentUrl = url
    this.state = state
  }

  /**
   * Goes on with the record that an earlier attempt, or another process, left in the thread. Where that one sent nothing, or its
   * job failed, the request is asked again, with the person and the time of the first attempt.
   * @returns the record; undefined where the request is to be asked
   */
  continueFromThread(): RequestRecord | undefined {
    const { reading, identity } = this
    const own = reading?.own
    if (reading === undefined || own === undefined) {
      this.becomeLatest()
      return undefined
    }
    const { record, url } = own
    if (record.state !== 'notSent' && !hasFailed(record)) {
      this.continueFrom(record, own)
      return record
    }
    // The time and the person of the first attempt stay. Another event comes after what was asked meanwhile.
    const isReRun = isOfRun(record, identity)
    if (!isReRun) this.becomeLatest()
    const { settings, key, requestedAt } = this.identity
    const { identity: recorded } = contentOf(record, identity)
    this.updateIdentity({ ...recorded, settings, key, ...(!isReRun && { requestedAt }) })
    this.memory = reading.memory
    this.commentUrl = url
    return undefined
  }

  /** @returns the record of now: the post step has it before anybody else */
  keepForPostStep(session: Session): RequestRecord {
    const { thread, state, identity, memory } = this
    const { deps } = session
    const waitsMs = isWaitedFor(state) ? Math.ceil(Math.max(0, this.heldUntil - deps.monotonic())) : 0
    const writtenAt = thread?.nextWrittenAt(session) ?? deps.now()
    const record = { ...identity, ...state, memory, writtenAt, waitsMs }
    this.#view.keep(record, this.lastWrite === 'refused' ? undefined : thread?.number)
    return record
  }

  /**
   * Writes the one comment of the request, unless it says that already. What GitHub refuses becomes a warning, and decides
   * nothing.
   * @param words '' for those that stand @param asNew beside the comment that stands, so that people are notified
   * @returns false where another process reported the request meanwhile: from now on, this one has that record
   */
  async writeComment(session: Session, kind: CommentKind, words: string, asNew = false): Promise<boolean> {
    const record = this.keepForPostStep(session)
    const thread = this.writableThread(session)
    if (thread === undefined) return true
    const { own } = thread.readingFor(this.identity)
    const body = words || withoutRecord(own?.body ?? '')
    if (body === '') return true
    // What goes out is written for its time, which tells others how long to wait.
    const isKept = record.state !== 'sending' && own !== undefined && saysTheSame(record, own.record)
    if (isKept && body === withoutRecord(own.body)) {
      this.commentUrl = own.url
      this.failure = undefined
      return true
    }
    const edited = asNew && words !== '' ? undefined : own
    try {
      const { url } = await thread.write(session, edited?.id, record, body)
      if (kind === 'result') this.commentUrl = url
      this.failure = undefined
    } catch (error) {
      if (edited !== undefined && isRefused(error, 404)) {
        if (await this.#isReportedAnew(session, edited)) return false
        return await this.writeComment(session, kind, words)
      }
      session.warnings.add(['comment', asNew && own ? `${kind} as a new comment` : kind], error)
      // A locked thread takes no new comment, but GitHub may take the edit of one.
      if (asNew && own !== undefined && isRefused(error)) return await this.writeComment(session, kind, words)
      if (isGone(error)) this.thread = undefined
      this.failure = error
      this.keepForPostStep(session)
    }
    return true
  }

  /** A comment is gone because another process reported the request and replaced it; else, people deleted it. */
  async #isReportedAnew(session: Session, { id, record }: RequestComment): Promise<boolean> {
    this.thread?.forget(id)
    await this.thread?.readOrWarn(session)
    const now = this.reading?.own
    if (now?.record.state !== 'reported' || now.record.writtenAt < record.writtenAt) return false
    this.continueFrom(now.record, now)
    return true
  }

  /** What became of the comment that was written last. A later process has to write what GitHub did not answer. */
  get lastWrite(): 'done' | 'refused' | 'unanswered' {
    if (this.failure === undefined) return 'done'
    return isRefused(this.failure) ? 'refused' : 'unanswered'
  }

  /** Deletes the comments that a newer one replaced. @returns whether none is left */
  async deleteReplaced(session: Session): Promise<boolean> {
    const thread = this.writableThread(session)
    if (thread === undefined) return true
    const { leftOver } = thread.readingFor(this.identity)
    const remove = ({ id }: RequestComment) =>
      session.warnings.doneOrRefused('replaced', () => thread.delete(session, id))
    return (await Promise.all(leftOver.map(remove))).every(Boolean)
  }
}
