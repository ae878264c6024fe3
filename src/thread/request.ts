import { isGone, isRefused } from '../errors.ts'
import type { SetupResults } from '../messages/setup-table.ts'
import type { Job } from '../request/job.ts'
import { EMPTY_MEMORY, type Growing, type Latest, type Memory, union } from '../request/memory.ts'
import type { JobAction } from '../request/outcome.ts'
import { type Reading, type RequestComment, readingOf } from '../request/reading.ts'
import {
  identityOf,
  isFollowed,
  jobOf,
  type RequestIdentity,
  type RequestRecord,
  type RequestState,
  type Running,
  stateOf,
} from '../request/record.ts'
import { withoutRecord } from '../request/signed-record.ts'
import type { Eyes } from './reactions.ts'
import type { Session } from './session.ts'
import type { Thread } from './thread.ts'

/** The step that serves the request. */
export interface RequestView {
  showJob(job: Job, action: JobAction): void
  showThread(number: number | undefined): void
  /** Keeps the record where the post step finds it. */
  keep(record: RequestRecord, thread: number | undefined): void
}

const NO_VIEW: RequestView = { showJob: () => {}, showThread: () => {}, keep: () => {} }

/** A request as this process serves it: what its record says, and what this process did and knows. */
export class Request {
  // The record.
  identity: RequestIdentity
  /** What the thread knew when the request was asked; undefined where this process has not read the thread. */
  memory: Memory | undefined
  #state: RequestState = { state: 'idle' }

  // This process.
  /** `resumed`: it goes on with what an earlier attempt, or another process, sent. */
  did: 'nothing' | 'sent' | 'resumed' = 'nothing'
  /** Undefined for a run without a thread. */
  thread: Thread | undefined
  /** Whether it may act on it: not before the permission is known. */
  mayWrite = false
  /** On the monotonic clock, in ms: until then, this run keeps others from it. */
  heldUntil = 0
  /** The request in the words of the person; '' where this process does not know them. */
  readonly text: string
  /** What the agent got from this run, or would get. */
  prompt = ''
  /** What a dry run could prove; undefined where nothing was tried. */
  setup: SetupResults | undefined
  /** What `acknowledge` gives for the eyes of this process. */
  eyes: Eyes | undefined
  /** A comment on the job's pull request leads back to the thread. */
  isLinked = false
  /** Of its comment. */
  url = ''
  /** Why GitHub did not take what was written last. */
  failure: unknown
  readonly #view: RequestView

  constructor(identity: RequestIdentity, text = '', view = NO_VIEW) {
    this.identity = identity
    this.text = text
    this.#view = view
  }

  get state(): RequestState {
    return this.#state
  }

  set state(state: RequestState) {
    const before = this.job
    this.#state = state
    if (this.job !== undefined && this.job !== before) this.#view.showJob(this.job, this.jobAction)
  }

  /** The post step can tell the job as soon as anybody else can. */
  hasJob(session: Session, state: Running): void {
    this.#state = state
    this.save(session)
    this.#view.showJob(state.job, this.jobAction)
  }

  get job(): Job | undefined {
    return jobOf(this.#state)
  }

  get jobAction(): JobAction {
    if (!('messagedAt' in this.#state) || this.did === 'nothing') return 'none'
    if (this.did === 'resumed') return 'resumed'
    return this.#state.messagedAt > 0 ? 'continued' : 'created'
  }

  /** What the thread tells; undefined while that is not known. */
  get reading(): Reading | undefined {
    if (this.thread === undefined) return readingOf([], this.identity)
    return this.thread.isRead ? this.thread.readingFor(this.identity) : undefined
  }

  get latest(): Latest {
    return this.memory?.latest ?? EMPTY_MEMORY.latest
  }

  get grows(): Growing {
    return this.memory?.grows ?? EMPTY_MEMORY.grows
  }

  /** Where it is answered, if comments may be written there. */
  placeIn({ commentMode }: Session): Thread | undefined {
    return this.mayWrite && commentMode !== 'off' ? this.thread : undefined
  }

  /** GitHub did not answer, so a later process has to say it. */
  get isUnsaid(): boolean {
    return this.failure !== undefined && !isRefused(this.failure)
  }

  amend(identity: Partial<RequestIdentity>): void {
    this.identity = { ...this.identity, ...identity }
  }

  answerIn(thread: Thread | undefined): void {
    this.thread = thread
    this.#view.showThread(thread?.number)
  }

  /** From now on it is the latest of its thread, whatever the clock of its runner says, and knows what that knows. */
  joinThread(): void {
    const { reading } = this
    if (reading === undefined) return
    this.amend({ requestedAt: Math.max(this.identity.requestedAt, reading.latestAt + 1) })
    this.memory = reading.before
  }

  /** Adds what others of the thread learned since it was asked, and what its own end adds. */
  learn(more: Partial<Growing> = {}): void {
    if (this.memory === undefined) return
    const { latest, grows } = this.memory
    const known = [{ ...EMPTY_MEMORY.grows, ...more }, grows, this.reading?.before.grows ?? grows]
    this.memory = { latest, grows: union(known) }
  }

  /** Takes up a record. Only the run is new: when it was asked, by which person and for what stays as recorded. */
  goOnFrom(record: RequestRecord, { url = '' }: Partial<RequestComment> = {}): void {
    const { run } = this.identity
    this.identity = { ...identityOf(record), run }
    this.memory = record.memory
    if (this.did === 'nothing') this.did = 'resumed'
    this.url = url
    this.state = stateOf(record)
  }

  /** The record of now. The post step gets it before anybody else does. */
  save(session: Session): RequestRecord {
    const { identity, memory, state, thread } = this
    const { deps } = session
    const holds = isFollowed(state) || !('ending' in state && state.ending !== undefined)
    const waitsMs = holds ? Math.ceil(Math.max(0, this.heldUntil - deps.monotonic())) : 0
    const writtenAt = thread?.nextWrittenAt(session) ?? deps.now()
    const record = { ...identity, ...state, memory, writtenAt, waitsMs }
    this.#view.keep(record, isRefused(this.failure) ? undefined : thread?.number)
    return record
  }

  /**
   * Writes the one comment of the request, unless it says that already. What GitHub refuses becomes a warning, and decides
   * nothing.
   * @param words '' for those that stand @param asNew beside the comment that stands, so that people are notified
   */
  async say(
    session: Session,
    what: 'status comment' | 'result',
    words: string,
    asNew = false,
  ): Promise<void> {
    const record = this.save(session)
    const thread = this.placeIn(session)
    if (thread === undefined) return
    const { own } = thread.readingFor(this.identity)
    const body = words || withoutRecord(own?.body ?? '')
    if (body === '') return
    // What goes out is written for its time, which tells others how long to wait.
    const isKept = record.state !== 'sending' && own !== undefined && saysTheSame(record, own.record)
    if (isKept && body === withoutRecord(own.body)) {
      this.url = own.url
      return
    }
    const edited = asNew && words !== '' ? undefined : own
    try {
      const { url } = await thread.write(session, edited?.id, record, body)
      if (what === 'result') this.url = url
      this.failure = undefined
    } catch (error) {
      if (edited !== undefined && isRefused(error, 404))
        return await this.#sayAnew(session, edited, what, words)
      session.warnings.add(['comment', asNew && own ? `${what} as a new comment` : what], error)
      // A locked thread takes no new comment, but GitHub may take the edit of one.
      if (asNew && own !== undefined && isRefused(error)) return await this.say(session, what, words)
      this.failure = error
      if (isGone(error)) this.answerIn(undefined)
      this.save(session)
    }
  }

  /** The comment is gone: another process reported and replaced it, or people deleted it. */
  async #sayAnew(
    session: Session,
    { id, record }: RequestComment,
    what: 'status comment' | 'result',
    words: string,
  ): Promise<void> {
    this.thread?.forget(id)
    await this.thread?.readOrWarn(session)
    const now = this.reading?.own
    if (now?.record.state !== 'reported' || now.record.writtenAt < record.writtenAt)
      return await this.say(session, what, words)
    this.goOnFrom(now.record, now)
  }

  /** Deletes the comments that a newer one replaced. @returns whether none is left */
  async tidy(session: Session): Promise<boolean> {
    const thread = this.placeIn(session)
    if (thread === undefined) return true
    if (thread.mayHoldCopies) await thread.readOrWarn(session)
    const { leftOver } = thread.readingFor(this.identity)
    const remove = ({ id }: RequestComment) =>
      session.warnings.doneOrRefused('replaced', () => thread.delete(session, id))
    return (await Promise.all(leftOver.map(remove))).every(Boolean)
  }
}

/** By any run, and until whatever time that run holds the request. */
function saysTheSame(a: RequestRecord, b: RequestRecord): boolean {
  const comparable = (record: RequestRecord) =>
    JSON.stringify(
      Object.entries({ ...record, writtenAt: 0, run: '', waitsMs: Math.sign(record.waitsMs) }).sort(),
    )
  return comparable(a) === comparable(b)
}
