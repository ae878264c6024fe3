import { type GitHubError, isGone, isRefused } from '../base/errors.ts'
import { redact } from '../base/redact.ts'
import type { ThreadComment } from '../github/answers.ts'
import { PAGE_SIZE } from '../github/pagination.ts'
import type { RecordedComment } from '../record/fold.ts'
import { type RequestId, recordsOf, type ThreadRecords } from '../record/log.ts'
import { type ActionRecord, NO_IDENTITY, type RequestIdentity, type Running } from '../record/record.ts'
import { signRecord } from '../record/signed-record.ts'
import { withRecord } from '../words/comments.ts'
import { isNotKnown, lastChangeOf, readRecords } from './read-records.ts'
import type { Session } from './session.ts'

/** A list can lag by so much, and GitHub's times count whole seconds. */
const LAG_MS = 60_000

/** A comment that leads to a job, and what the thread of its pull request needs to know of it. */
export interface Backlink
  extends Pick<RequestIdentity, 'requestDigest' | 'requestedAt' | 'reviewersSetOn'>,
    Pick<Running, 'job' | 'acceptedAt'> {
  /** Number of the thread that has the job. */
  readonly from: number
  readonly text: string
}

/** The comments of a thread that carry records, as last read, and as this process changed them since. */
export class Thread {
  readonly number: number
  #isRead = false
  /** How long the last list took, in ms. */
  #tookMs = 0
  /** Why GitHub does not let the token read it; undefined where it does, or was not asked. */
  readError: GitHubError | undefined
  #listed: ReadonlyMap<number, RecordedComment> = new Map()
  /** All comments, as last read, the oldest first. */
  comments: readonly ThreadComment[] = []
  /** A cache by request, until the log changes. */
  readonly #records = new Map<string, ThreadRecords>()
  /** A list can lag: what this process wrote counts, and what it deleted does not. */
  readonly #changed = new Map<number, RecordedComment | 'deleted'>()

  #unverifiedAt: number
  /** When the text that opened it was written, where its record does not verify; else 0. In ms since the epoch. */
  readonly #openedUnverifiedAt: number

  constructor(number: number, openedUnverifiedAt = 0) {
    this.number = number
    this.#openedUnverifiedAt = openedUnverifiedAt
    this.#unverifiedAt = openedUnverifiedAt
  }

  get isRead(): boolean {
    return this.#isRead
  }

  /** Reads all comments: what a thread knows is a fold over all its records. @throws {GitHubError} */
  async read(session: Session): Promise<void> {
    try {
      await this.#take(session, await this.#list(session))
      this.readError = undefined
    } catch (error) {
      if (isRefused(error) && !this.isRead) this.readError = error
      throw error
    }
  }

  /** Reads it once more. @returns whether another process wrote the record of the request meanwhile @throws {GitHubError} */
  async hasNewRecord(session: Session, request: RequestId, writtenAt: number | undefined): Promise<boolean> {
    await this.read(session)
    return this.recordsFor(request).current?.record.writtenAt !== writtenAt
  }

  /**
   * Reads what changed since the last read: a page of a thread of several pages, and all of a shorter one. No list of changes tells
   * what was deleted. A comment is replaced before it goes, but for that of a request on its way, and that of a lease: with one of
   * another run, all is read.
   * @throws {GitHubError}
   */
  async readChanges(session: Session): Promise<void> {
    if (this.comments.length < PAGE_SIZE) return await this.read(session)
    // The first of its pages may be older than the newest comment by as much as all of them took.
    const newest = Math.max(...this.comments.map(({ updatedAt }) => updatedAt))
    const since = new Date(newest - this.#tookMs - LAG_MS).toISOString()
    const changed = await this.#list(session, since)
    const byId = new Map([...this.comments, ...changed].map((comment) => [comment.id, comment]))
    await this.#take(session, [...byId.values()])
    const isTemporary = ({ state, leaseMs }: ActionRecord) =>
      state === 'sending' || (state === 'ended' && leaseMs > 0)
    if (this.log.some(({ id, record }) => isTemporary(record) && !this.#changed.has(id)))
      await this.read(session)
  }

  async #list({ deps, github }: Session, since?: string): Promise<readonly ThreadComment[]> {
    const from = deps.monotonic()
    const listed = await github.listComments(this.number, since)
    this.#tookMs = deps.monotonic() - from
    return listed
  }

  async #take(session: Session, listed: readonly ThreadComment[]): Promise<void> {
    const { recorded, unverified } = await readRecords(session, listed, () => this.number)
    this.#listed = new Map(recorded.map((comment) => [comment.id, comment]))
    this.#records.clear()
    this.#unverifiedAt = Math.max(this.#openedUnverifiedAt, lastChangeOf(unverified))
    this.comments = listed
    this.#isRead = true
  }

  /** Until a person asks, its records count for nothing: see `isNotKnown`. */
  get hasUnverifiedRecords(): boolean {
    return isNotKnown(this.#unverifiedAt, this.log)
  }

  /** @returns whether its comments are known */
  async readOrWarn(session: Session): Promise<boolean> {
    await session.warnings.warnOnFailure(['thread', this.number], () => this.read(session))
    return this.isRead
  }

  /** The comments with records, as last read, with what this process wrote and deleted since. */
  get log(): readonly RecordedComment[] {
    const comments = new Map(this.#listed)
    for (const [id, change] of this.#changed) {
      if (change === 'deleted') comments.delete(id)
      else if ((comments.get(id)?.record.writtenAt ?? 0) < change.record.writtenAt) comments.set(id, change)
    }
    return [...comments.values()]
  }

  recordsFor(request: RequestId): ThreadRecords {
    const { requestDigest, attemptsDigest, attempt } = request
    const id = JSON.stringify([requestDigest, attemptsDigest, attempt])
    const remembered = this.#records.get(id)
    if (remembered !== undefined) return remembered
    const records = recordsOf(this.log, request)
    this.#records.set(id, records)
    return records
  }

  /** The time for a record that is written now: later than all in the thread, whatever the clock says. */
  nextWrittenAt({ deps }: Session): number {
    const written = [...this.#listed.values(), ...this.#changed.values()]
    const times = written.flatMap((one) => (one === 'deleted' ? [] : timesOf(one.record)))
    return times.reduce((latest, time) => Math.max(latest, time + 1), deps.now())
  }

  /** @param id of the comment to edit; undefined for a new one @throws {GitHubError} */
  async write(
    session: Session,
    id: number | undefined,
    record: ActionRecord,
    body: string,
  ): Promise<ThreadComment> {
    const { github, deps, scope } = session
    const text = withRecord(redact(body, deps.secrets), signRecord(record, { ...scope, thread: this.number }))
    const writing =
      id === undefined ? github.createComment(this.number, text) : github.updateComment(id, text)
    const written = await writing
    this.#change(written.id, { ...written, record })
    return written
  }

  /** @throws {GitHubError} */
  async delete({ github }: Session, id: number): Promise<void> {
    await github.deleteComment(id)
    this.forget(id)
  }

  /** Whether a record of this request stands in it, as far as it was read. */
  holds(digest: string): boolean {
    return this.log.some(({ record }) => record.requestDigest === digest)
  }

  /** Leaves a comment that leads to the job. @throws {GitHubError} */
  async writeBacklink(session: Session, link: Backlink): Promise<void> {
    const { requestDigest, requestedAt, reviewersSetOn, job, acceptedAt, from, text } = link
    const parts = { requestDigest, requestedAt, reviewersSetOn, job, acceptedAt, thread: from }
    const written = { ...NO_IDENTITY, ...parts, state: 'backlink', leaseMs: 0 } as const
    await this.write(session, undefined, { ...written, writtenAt: this.nextWrittenAt(session) }, text)
  }

  /** The comment is gone. */
  forget(id: number): void {
    this.#change(id, 'deleted')
  }

  #change(id: number, change: RecordedComment | 'deleted'): void {
    this.#changed.set(id, change)
    this.#records.clear()
  }
}

const timesOf = (record: ActionRecord): readonly number[] =>
  'acceptedAt' in record ? [record.writtenAt, record.acceptedAt] : [record.writtenAt]

/**
 * Reads the thread. Where GitHub does not show it, nothing is known.
 * @returns what GitHub says where it is gone @throws {GitHubError} where GitHub does not answer
 */
export async function readThread(
  session: Session,
  thread: Thread | undefined,
): Promise<GitHubError | undefined> {
  try {
    await thread?.read(session)
  } catch (error) {
    if (!isRefused(error) || thread === undefined) throw error
    if (isGone(error)) return error
    session.warnings.add(['thread', thread.number], error)
  }
  return undefined
}

/** @returns undefined also where it is gone @throws {GitHubError} where GitHub does not answer */
export async function readUnlessGone(
  session: Session,
  thread: Thread | undefined,
): Promise<Thread | undefined> {
  const gone = await readThread(session, thread)
  if (gone !== undefined && thread !== undefined) session.warnings.add(['thread', thread.number], gone)
  return gone === undefined ? thread : undefined
}
