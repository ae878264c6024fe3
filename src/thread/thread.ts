import { isRefused } from '../errors.ts'
import type { Account } from '../event/objects.ts'
import type { ThreadComment } from '../github/answers.ts'
import type { Forge } from '../github/forge.ts'
import { withRecord } from '../messages/comments.ts'
import { redact } from '../redact.ts'
import {
  type History,
  historyOf,
  leftOverOf,
  type RecordedComment,
  type RequestId,
} from '../request/history.ts'
import type { Job } from '../request/job.ts'
import type { ActionRecord, RequestIdentity, RequestRecord } from '../request/record.ts'
import { type SigningContext, signRecord, verifyRecord } from '../request/signed-record.ts'
import type { Session } from './session.ts'

/** What became of a comment. */
export interface Written {
  /** Of the comment that carries the record, '' where none could be written. */
  readonly url: string
  readonly failure?: unknown
  /** The result that another run wrote meanwhile, and that stays as it is. */
  readonly existing?: RequestRecord
}

/** GitHub did not answer, so a later step has to write it. */
export const isUnwritten = ({ failure }: Pick<Written, 'failure'>): boolean =>
  failure !== undefined && !isRefused(failure)

/** A record counts only in a comment of a bot or of the token's own account (contract 5.1). */
export async function trustedRecords<C extends ThreadComment>(
  forge: Forge,
  comments: readonly C[],
  signingOf: (comment: C) => SigningContext,
): Promise<readonly (C & { readonly record: ActionRecord })[]> {
  const recorded = comments.flatMap((comment) => {
    const record = verifyRecord(comment.body, signingOf(comment))
    return record === undefined ? [] : [{ ...comment, record }]
  })
  const isBot = (author: Account | undefined): boolean => author?.bot === true
  // No request asks for the own account where nothing depends on it.
  if (recorded.every(({ author }) => isBot(author))) return recorded
  const own = await forge.ownLogin()
  return recorded.filter(({ author }) => isBot(author) || (own !== undefined && author?.login === own))
}

/** The comments of a thread that carry records, as last read and as this process wrote and deleted them. */
export class Thread {
  readonly number: number
  #comments: ReadonlyMap<number, RecordedComment> = new Map()
  /** A list can lag: what this process wrote counts until it is there, and what it deleted is gone. */
  readonly #written = new Map<number, RecordedComment | 'deleted'>()
  /** `unread`; `unreadable`: GitHub refuses to show the comments. */
  #reading: 'unread' | 'read' | 'unreadable' = 'unread'
  /** Why GitHub did not take the last comment. */
  #failure: unknown
  /** GitHub may have taken a comment whose answer was lost, or may still take it. */
  mayHoldMore = false

  constructor(number: number) {
    this.number = number
  }

  /** Undefined while it is not known. */
  historyOf(request: RequestId): History | undefined {
    return this.#reading === 'read' ? this.#knownOf(request) : undefined
  }

  /** As far as this process has read and written the thread. */
  #knownOf(request: RequestId): History {
    return historyOf([...this.#comments.values()], request)
  }

  /** Whether GitHub lets the action write here, as far as this process has tried. */
  get isRefusing(): boolean {
    return isRefused(this.#failure)
  }

  /**
   * @param since only comments updated since then, in ms since the epoch
   * @throws {ForgeError} where GitHub does not answer, or refuses
   */
  async read(session: Session, since?: number): Promise<void> {
    const { forge } = session
    const from = since === undefined ? undefined : new Date(since).toISOString()
    try {
      const listed = await forge.listComments(this.number, from)
      const recorded = await trustedRecords(forge, listed, () => ({ ...session.scope, thread: this.number }))
      const comments = new Map<number, RecordedComment>(recorded.map((comment) => [comment.id, comment]))
      for (const [id, written] of this.#written) {
        if (written === 'deleted') comments.delete(id)
        else if ((comments.get(id)?.record.writtenAt ?? 0) < written.record.writtenAt)
          comments.set(id, written)
      }
      this.#comments = comments
      this.#reading = 'read'
    } catch (error) {
      if (isRefused(error) && this.#reading === 'unread') this.#reading = 'unreadable'
      throw error
    }
  }

  /** @returns whether its comments are known */
  async readOrWarn(session: Session): Promise<boolean> {
    await session.warnings.warnOnFailure(['thread', this.number], () => this.read(session))
    return this.#reading === 'read'
  }

  /** Whether a comment of the request is there, as far as it was read. */
  holds({ key }: Pick<RequestId, 'key'>): boolean {
    return [...this.#comments.values()].some(({ record }) => record.key === key)
  }

  /** Whether the thread remembers the request, as far as it took what the run wrote. */
  remembers(session: Session, request: RequestId): boolean {
    if (session.commentMode === 'off') return false
    return this.holds(request) || (this.#failure === undefined && this.#reading !== 'unreadable')
  }

  /** Of a record of now: newer than all that the thread holds, whatever the clock says. 0 while that is not known. */
  dateOf({ deps }: Session): number {
    if (this.#reading === 'unread') return 0
    return Math.max(deps.now(), ...[...this.#comments.values()].map(({ record }) => record.writtenAt + 1))
  }

  /**
   * Writes the comment of the request. What GitHub refuses becomes a warning, and decides nothing (contract 5.6).
   * @param what it is to people, for the warning
   * @param asNew beside the one that stands, so that people are notified
   */
  async write(
    session: Session,
    what: string,
    record: RequestRecord,
    body: string,
    asNew: boolean,
  ): Promise<Written> {
    if (session.commentMode === 'off') return { url: '' }
    const { forge, warnings } = session
    const { own } = this.#knownOf(record)
    const text = this.#textOf(session, body, record)
    const edited = asNew ? undefined : own
    try {
      const written =
        edited === undefined
          ? await forge.createComment(this.number, text)
          : await forge.updateComment(edited.id, text)
      this.mayHoldMore ||= written.mayComeTwice === true
      this.#keep({ ...written, record })
      this.#failure = undefined
      return { url: written.url }
    } catch (error) {
      if (edited !== undefined && isRefused(error, 404)) {
        // Another run may have reported, and deleted it; a list that lags may show it still.
        this.#forget(edited.id)
        await this.readOrWarn(session)
        const now = this.historyOf(record)?.own
        if (now?.record.state === 'reported') return { url: now.url, existing: now.record }
        return await this.write(session, what, record, body, asNew)
      }
      this.#failure = error
      this.mayHoldMore ||= !isRefused(error)
      warnings.add(['comment', what], error)
      return { url: '', failure: error }
    }
  }

  /**
   * Deletes all comments of the request but the one that counts.
   * @returns whether no other one is left
   */
  async keepOne(session: Session, request: RequestId): Promise<boolean> {
    if (session.commentMode === 'off') return true
    if (this.mayHoldMore) await this.readOrWarn(session)
    const { own, ownComments } = this.#knownOf(request)
    if (own === undefined) return true
    const deleted = await this.#delete(session, leftOverOf(ownComments, own))
    return deleted.every(Boolean)
  }

  /** The thread's one comment about a missing permission: created once, then edited. */
  async refuse(session: Session, identity: RequestIdentity, body: string): Promise<string> {
    const { forge, warnings, commentMode } = session
    // A thread that cannot be read may hold it.
    const history = this.historyOf(identity)
    if (commentMode === 'off' || history === undefined) return ''
    const record = { ...identity, state: 'refusal', writtenAt: this.dateOf(session), waitsMs: 0 } as const
    const text = this.#textOf(session, body, record)
    const create = () => forge.createComment(this.number, text)
    const [newest, ...older] = history.refusals
    const written = await warnings.warnOnFailure(
      ['comment', 'comment about the missing permission'],
      async () => {
        if (newest === undefined) return await create()
        return await forge.updateComment(newest.id, text).catch((error: unknown) => {
          if (isRefused(error, 404)) return create()
          throw error
        })
      },
    )
    if (written !== undefined) await this.#delete(session, leftOverOf(older, written))
    return written?.url ?? ''
  }

  /** Leads from here to a job, so that a command here continues it. @throws {ForgeError} */
  async link(session: Session, identity: RequestIdentity, job: Job, text: string): Promise<void> {
    const writtenAt = session.deps.now()
    const record = { ...identity, state: 'link', job, writtenAt, waitsMs: 0 } as const
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
    this.#comments = new Map(this.#comments).set(comment.id, comment)
  }

  #forget(id: number): void {
    this.#written.set(id, 'deleted')
    this.#comments = new Map([...this.#comments].filter(([known]) => known !== id))
  }

  #textOf(session: Session, body: string, record: ActionRecord): string {
    return withRecord(
      redact(body, session.deps.secrets),
      signRecord(record, { ...session.scope, thread: this.number }),
    )
  }
}
