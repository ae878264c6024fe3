import { isRefused } from '../errors.ts'
import { withRecord } from '../messages/comments.ts'
import type { OtherKeys } from '../messages/phrases.ts'
import { redact } from '../redact.ts'
import { type History, historyOf, type RequestId } from '../request/history.ts'
import type { Job } from '../request/job.ts'
import { REPORTING_MS } from '../request/lease.ts'
import { cameFurther, leftOverOf, type RecordedComment, type RequestComment } from '../request/precedence.ts'
import type { ActionRecord, RequestIdentity, RequestRecord } from '../request/record.ts'
import { signRecord } from '../request/signed-record.ts'
import type { Session } from './session.ts'
import { otherKeysOf, trustedRecords } from './trusted-records.ts'

/** What became of a comment. */
export interface Written {
  /** Of the comment that carries the record, '' where none could be written. */
  readonly url: string
  readonly failure?: unknown
  /** The comment of another process, which came further: it stays as it is, and the caller goes on from its record. */
  readonly existing?: RequestComment
}

/** How the comment of a request is written. */
interface Manner {
  /** Beside the one that stands, so that people are notified. */
  readonly asNew?: boolean
  /** False: what people deleted stays away. */
  readonly mayCreate?: boolean
}

/** GitHub did not answer, so a later step has to write it. */
export const isUnwritten = ({ failure }: Pick<Written, 'failure'>): boolean =>
  failure !== undefined && !isRefused(failure)

/** The comments of a thread that carry records, as last read and as this process wrote and deleted them. */
export class Thread {
  readonly number: number
  #comments: ReadonlyMap<number, RecordedComment> = new Map()
  /** What its comments tell, by the request. */
  readonly #histories = new Map<string, History>()
  /** A list can lag: what this process wrote counts until it is there, and what it deleted is gone. */
  readonly #written = new Map<number, RecordedComment | 'deleted'>()
  /** `unread`; `unreadable`: GitHub refuses to show the comments. */
  #reading: 'unread' | 'read' | 'unreadable' = 'unread'
  #since: number | undefined
  /** Why GitHub did not take the last comment of a request, by its key. */
  readonly #failures = new Map<string, unknown>()
  /** Comments of bots that no key at hand signed, as the whole thread was last read (contract 5.1). */
  otherKeys: OtherKeys = { count: 0, isCertain: true }
  /** GitHub may have taken a comment whose answer was lost, or may still take it. */
  #mayHoldUnknown = false
  /** Keys of what this process said elsewhere for the thread. */
  readonly #saidElsewhere = new Set<string>()

  constructor(number: number) {
    this.number = number
  }

  get mayHoldUnknown(): boolean {
    return this.#mayHoldUnknown
  }

  /** A run that is gone may have written a comment without hearing of it. */
  noteUnknown(): void {
    this.#mayHoldUnknown = true
  }

  /** Undefined while it is not known. */
  historyOf(request: RequestId): History | undefined {
    return this.#reading === 'read' ? this.#knownOf(request) : undefined
  }

  /** Computed once for each request, until the next read or write of the thread. */
  #knownOf({ key, origin, run }: RequestId): History {
    const id = JSON.stringify([key, origin, run])
    const known = this.#histories.get(id)
    if (known !== undefined) return known
    const history = historyOf([...this.#comments.values()], { key, origin, run })
    this.#histories.set(id, history)
    return history
  }

  #change(comments: ReadonlyMap<number, RecordedComment>): void {
    this.#comments = comments
    this.#histories.clear()
  }

  /** Whether this process wrote the comment as it stands. */
  hasWritten({ id, record }: Pick<RecordedComment, 'id' | 'record'>): boolean {
    const written = this.#written.get(id)
    return written !== undefined && written !== 'deleted' && written.record.writtenAt === record.writtenAt
  }

  /** Whether GitHub refuses the comment of the request, as far as this process has tried. */
  refuses({ key }: Pick<RequestId, 'key'>): boolean {
    return isRefused(this.#failures.get(key))
  }

  /**
   * @param since only comments updated since then, in ms since the epoch
   * @throws {ForgeError} where GitHub does not answer, or refuses
   */
  async read(session: Session, since?: number): Promise<void> {
    const { forge } = session
    this.#since = since
    const from = since === undefined ? undefined : new Date(since).toISOString()
    try {
      const listed = await forge.listComments(this.number, from)
      const recorded = await trustedRecords(forge, listed, () => ({ ...session.scope, thread: this.number }))
      const comments = new Map<number, RecordedComment>(recorded.map((comment) => [comment.id, comment]))
      const others = listed.filter(({ id, author }) => author?.bot === true && !comments.has(id))
      if (since === undefined) this.otherKeys = otherKeysOf(others, session.scope)
      for (const [id, written] of this.#written) {
        if (written === 'deleted') comments.delete(id)
        else if ((comments.get(id)?.record.writtenAt ?? 0) < written.record.writtenAt)
          comments.set(id, written)
      }
      this.#change(comments)
      this.#reading = 'read'
    } catch (error) {
      if (isRefused(error) && this.#reading === 'unread') this.#reading = 'unreadable'
      throw error
    }
  }

  /** @param since as for `read` @returns whether its comments are known */
  async readOrWarn(session: Session, since?: number): Promise<boolean> {
    await session.warnings.warnOnFailure(['thread', this.number], () => this.read(session, since))
    return this.#reading === 'read'
  }

  /** As far back as the last time. */
  async readAgain(session: Session): Promise<void> {
    await this.readOrWarn(session, this.#since)
  }

  noteSaidElsewhere({ key }: Pick<RequestId, 'key'>): void {
    this.#saidElsewhere.add(key)
  }

  wasSaidElsewhere({ key }: Pick<RequestId, 'key'>): boolean {
    return this.#saidElsewhere.has(key)
  }

  /** Whether a comment of the request is there, as far as it was read. */
  holds({ key }: Pick<RequestId, 'key'>): boolean {
    return [...this.#comments.values()].some(({ record }) => record.key === key)
  }

  /** Whether the thread remembers the request, as far as it took what the run wrote. */
  remembers(session: Session, request: RequestId): boolean {
    if (session.commentMode === 'off') return false
    return this.holds(request) || (!this.#failures.has(request.key) && this.#reading !== 'unreadable')
  }

  /** For a record that is written now: later than all in the thread, whatever the clock says. 0 in an unread thread. */
  nextWrittenAt({ deps }: Session): number {
    if (this.#reading === 'unread') return 0
    return Math.max(deps.now(), ...[...this.#comments.values()].map(({ record }) => record.writtenAt + 1))
  }

  /**
   * Writes the comment of the request. What GitHub refuses becomes a warning, and decides nothing (contract 5.6).
   * @param what it is to people, for the warning
   */
  async write(
    session: Session,
    what: string,
    record: RequestRecord,
    body: string,
    how: Manner = {},
  ): Promise<Written> {
    if (session.commentMode === 'off') return { url: '' }
    const { asNew = false, mayCreate = true } = how
    const { own } = this.#knownOf(record)
    const edited = asNew ? undefined : own
    if (edited === undefined && !mayCreate) return { url: '' }
    try {
      return { url: await this.#put(session, edited?.id, record, body) }
    } catch (error) {
      if (edited !== undefined && isRefused(error, 404)) {
        const existing = await this.#findAfterDeletion(session, edited.id, record)
        if (existing !== undefined) return { url: existing.url, existing }
        return await this.write(session, what, record, body, how)
      }
      const { warnings } = session
      if (asNew && own !== undefined && isRefused(error)) {
        // A locked thread takes no new comment, but GitHub may take the edit of one.
        warnings.add(['comment', `${what} as a new comment`], error)
        return await this.write(session, what, record, body)
      }
      this.#failures.set(record.key, error)
      this.#mayHoldUnknown ||= !isRefused(error)
      warnings.add(['comment', what], error)
      return { url: '', failure: error }
    }
  }

  /** @param id of the comment to edit; undefined for a new one @returns its address */
  async #put(session: Session, id: number | undefined, record: RequestRecord, body: string): Promise<string> {
    const { deps, forge } = session
    const began = deps.monotonic()
    const text = this.#textOf(session, body, record)
    const written =
      id === undefined ? await forge.createComment(this.number, text) : await forge.updateComment(id, text)
    // While GitHub made the run wait, its lease may have ended, and another process may have written.
    const mayBeLate = deps.monotonic() - began > REPORTING_MS
    this.#mayHoldUnknown ||= written.mayComeTwice === true || mayBeLate
    this.#keep({ ...written, record })
    this.#failures.delete(record.key)
    return written.url
  }

  /**
   * Another run may have reported, and deleted the comment; a list that lags may show it still.
   * @returns the comment of one that came further, or its result; undefined where people deleted the comment
   */
  async #findAfterDeletion(
    session: Session,
    id: number,
    record: RequestRecord,
  ): Promise<RequestComment | undefined> {
    this.#forget(id)
    await this.readOrWarn(session)
    const now = this.historyOf(record)?.own
    if (now === undefined) return undefined
    // What a job failed at counts no more once it is asked again.
    const isResult = now.record.state === 'reported' && !cameFurther(record, now.record)
    return isResult || cameFurther(now.record, record) ? now : undefined
  }

  /**
   * Deletes all comments of the request but the one that counts.
   * @returns whether no other one is left
   */
  async keepOne(session: Session, request: RequestId): Promise<boolean> {
    if (session.commentMode === 'off') return true
    if (this.#mayHoldUnknown) await this.readOrWarn(session)
    const { own, ownComments } = this.#knownOf(request)
    if (own === undefined) return true
    const deleted = await this.#delete(session, leftOverOf(ownComments, own))
    return deleted.every(Boolean)
  }

  /** The thread's one comment about a missing permission. */
  async refuse(session: Session, identity: RequestIdentity, body: string): Promise<string> {
    const record = {
      ...identity,
      state: 'refusal',
      writtenAt: this.nextWrittenAt(session),
      waitsMs: 0,
    } as const
    const history = this.historyOf(identity)
    // A thread that cannot be read may hold it.
    if (history === undefined) return ''
    return await this.#writeOne(
      session,
      'comment about the missing permission',
      record,
      body,
      history.refusals,
    )
  }

  /** The thread's one comment that says that its changes need no documentation, and why. */
  async skip(session: Session, identity: RequestIdentity, why: string, body: string): Promise<string> {
    const { skips = [], ownComments = [] } = this.historyOf(identity) ?? {}
    const writtenAt = this.nextWrittenAt(session)
    const record = { ...identity, state: 'docs-skipped', why, writtenAt, waitsMs: 0 } as const
    // An attempt that could not say it may have left a comment: it is the action's, too.
    const known = [...skips, ...ownComments]
    return await this.#writeOne(session, 'comment about the skipped documentation', record, body, known)
  }

  /** Of its kind, the thread has one comment: created once, then edited. @param known the newest first */
  async #writeOne(
    session: Session,
    what: string,
    record: ActionRecord,
    body: string,
    known: readonly RecordedComment[],
  ): Promise<string> {
    const { forge, warnings, commentMode } = session
    if (commentMode === 'off') return ''
    const text = this.#textOf(session, body, record)
    const create = () => forge.createComment(this.number, text)
    const [newest, ...older] = known
    const write = async () => {
      if (newest === undefined) return await create()
      return await forge.updateComment(newest.id, text).catch((error: unknown) => {
        if (isRefused(error, 404)) return create()
        throw error
      })
    }
    const written = await warnings.warnOnFailure(['comment', what], async () => {
      try {
        return await write()
      } catch (error) {
        this.#failures.set(record.key, error)
        throw error
      }
    })
    if (written === undefined) return ''
    this.#keep({ ...written, record })
    await this.#delete(session, leftOverOf(older, written))
    return written.url
  }

  /** Leads from here to a job, so that a command here continues it. @param from the thread that asked for it @throws {ForgeError} */
  async link(
    session: Session,
    identity: RequestIdentity,
    job: Job,
    text: string,
    from?: number,
  ): Promise<void> {
    const writtenAt = Math.max(session.deps.now(), this.nextWrittenAt(session))
    const record = { ...identity, state: 'link', job, thread: from, writtenAt, waitsMs: 0 } as const
    await session.forge.createComment(this.number, this.#textOf(session, text, record))
  }

  async #delete(session: Session, comments: readonly Pick<RecordedComment, 'id'>[]) {
    const { forge, warnings } = session
    return await Promise.all(
      comments.map(({ id }) =>
        warnings.warnOnFailure('replaced', async () => {
          await forge.deleteComment(id)
          this.#forget(id)
          return true
        }),
      ),
    )
  }

  #keep(comment: RecordedComment): void {
    this.#written.set(comment.id, comment)
    this.#change(new Map(this.#comments).set(comment.id, comment))
  }

  #forget(id: number): void {
    this.#written.set(id, 'deleted')
    this.#change(new Map([...this.#comments].filter(([known]) => known !== id)))
  }

  #textOf(session: Session, body: string, record: ActionRecord): string {
    return withRecord(
      redact(body, session.deps.secrets),
      signRecord(record, { ...session.scope, thread: this.number }),
    )
  }
}
