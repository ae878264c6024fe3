import { isRefused } from '../errors.ts'
import { withRecord } from '../messages/comments.ts'
import { deleteTask, readTask, recordTask, refusalTask, type SideTask } from '../messages/side-tasks.ts'
import { redact } from '../redact.ts'
import { EMPTY_HISTORY, type History } from '../request/history.ts'
import { type Authored, othersOf } from '../request/precedence.ts'
import type { ActionRecord, RequestIdentity, RequestRecord } from '../request/record.ts'
import { type SigningContext, signRecord } from '../request/signed-record.ts'
import type { RequestState } from '../request/states.ts'
import { readHistory } from './read-records.ts'
import type { Session } from './session.ts'

export interface Written {
  /** Of the comment that carries the record, '' where none could be written. */
  readonly url: string
  readonly failure?: unknown
  /** The result that another run wrote meanwhile, and that stays as it is. */
  readonly existing?: RequestRecord
}

/** GitHub did not answer, so a later step has to write it. */
export const isUnwritten = ({ failure }: Written): boolean => failure !== undefined && !isRefused(failure)

/** The comments of one request. What GitHub refuses becomes a warning, and decides nothing (contract 5.6). */
export class Thread {
  /** Undefined for a run without a thread. */
  readonly number: number | undefined
  identity: RequestIdentity
  /** As last read; undefined while it is not known. */
  history: History | undefined
  readonly #session: Session
  /** The comment that carries the record of the request. */
  #comment: Authored | undefined
  /** All comments of the request, as far as this step knows them. */
  #ours: readonly Authored[] = []
  #newest = 0
  /** Why GitHub did not take the last comment. */
  #failure: unknown
  /** GitHub may have taken a comment whose answer was lost, or may still take it. */
  #mayHoldMore = false
  /** GitHub refuses to show the comments. */
  #isUnreadable = false

  constructor(session: Session, number: number | undefined, identity: RequestIdentity) {
    this.#session = session
    this.number = number
    this.identity = identity
    if (number === undefined) this.history = EMPTY_HISTORY
  }

  get signing(): SigningContext | undefined {
    return this.number === undefined ? undefined : { ...this.#session.scope, thread: this.number }
  }

  /** Whether the thread remembers the request, as far as it took what the run wrote. */
  get holdsRecord(): boolean {
    const isTaken = this.#comment !== undefined || (this.#failure === undefined && !this.#isUnreadable)
    return this.canRemember && isTaken
  }

  /** Whether the thread remembers what the run writes. */
  get canRemember(): boolean {
    return this.number !== undefined && this.#session.commentMode !== 'off'
  }

  /**
   * @param since only comments updated since then, in ms since the epoch
   * @throws {ForgeError} where GitHub does not answer, or refuses
   */
  async read(since?: number): Promise<History> {
    const { signing } = this
    if (signing === undefined) return EMPTY_HISTORY
    const history = await readHistory(this.#session.forge, signing, this.identity, since)
    const { own, ownComments, newest } = history
    this.history = history
    this.#newest = Math.max(this.#newest, newest)
    this.#comment = own
    this.#ours = [...this.#ours, ...ownComments]
    // A re-run may have computed its prompt anew: the records keep the key of the request.
    if (own !== undefined) this.identity = { ...this.identity, key: own.record.key }
    return history
  }

  /** @returns undefined where it cannot be read */
  async readOrWarn(): Promise<History | undefined> {
    return await this.#session.warnings.warnOnFailure(readTask(this.number ?? 0), () =>
      this.read().catch((error: unknown) => {
        this.#isUnreadable = isRefused(error)
        throw error
      }),
    )
  }

  async writeStatus(state: RequestState, body: string): Promise<Written> {
    return await this.#write('status comment', state, body, false)
  }

  /** @param asNew as a comment of its own, so that people are notified, unless the workflow wants one in place */
  async writeResult(state: RequestState, body: string, asNew: boolean): Promise<Written> {
    const isNew = asNew && this.#session.commentMode === 'recreate'
    return await this.#write('result', state, body, isNew)
  }

  /** For the post step, which may have to go on from it: without a thread that refuses comments. */
  save(state: RequestState): RequestRecord {
    const record = this.#recordOf(state)
    const isRefusing = this.#comment === undefined && isRefused(this.#failure)
    this.#session.save(record, isRefusing ? undefined : this.number)
    return record
  }

  async #write(comment: string, state: RequestState, body: string, asNew: boolean): Promise<Written> {
    const { signing } = this
    const { forge, warnings } = this.#session
    const record = this.save(state)
    if (signing === undefined || !this.canRemember) return { url: '' }
    const text = this.#textOf(body, record, signing)
    const edited = asNew ? undefined : this.#comment
    try {
      const written =
        edited === undefined
          ? await forge.createComment(signing.thread, text)
          : await forge.updateComment(edited.id, text)
      this.#mayHoldMore ||= written.mayComeTwice === true
      this.#comment = written
      this.#ours = [...this.#ours, written]
      this.#failure = undefined
      return { url: written.url }
    } catch (error) {
      if (edited !== undefined && isRefused(error, 404)) return await this.#writeAgain(comment, state, body)
      this.#failure = error
      this.#mayHoldMore ||= !isRefused(error)
      warnings.add(this.#task(comment), error)
      this.save(state)
      return { url: '', failure: error }
    }
  }

  /** The comment is gone: another run may have reported, and deleted it. */
  async #writeAgain(comment: string, state: RequestState, body: string): Promise<Written> {
    const gone = this.#comment
    const history = await this.#session.warnings.warnOnFailure(this.#task(comment), () => this.read())
    const own = history?.own
    if (own?.record.state === 'reported') return { url: own.url, existing: own.record }
    if (own?.id === gone?.id) this.#comment = undefined
    return await this.#write(comment, state, body, false)
  }

  #task(comment: string): SideTask {
    return recordTask(comment, this.#comment !== undefined, () => this.#failure === undefined)
  }

  /** Deletes what this step and earlier attempts left of the request beside the comment that counts. */
  async keepOne(): Promise<void> {
    if (this.#comment === undefined || !this.canRemember) return
    const others = othersOf([...this.#ours, ...(await this.#late(this.#comment))], this.#comment)
    this.#ours = []
    await this.delete(others)
  }

  /** What GitHub took although its answer was lost: earlier words, or these once more. The result of another run stays. */
  async #late({ id }: Authored): Promise<readonly Authored[]> {
    const { signing } = this
    const { forge, warnings } = this.#session
    if (!this.#mayHoldMore || signing === undefined) return []
    const look = () => readHistory(forge, signing, this.identity)
    const history = await warnings.warnOnFailure(readTask(signing.thread), look)
    const { ownComments = [] } = history ?? {}
    const kept = ownComments.find((comment) => comment.id === id)?.record.writtenAt ?? 0
    return ownComments.filter(
      ({ record: { state, writtenAt } }) => writtenAt === kept || (writtenAt < kept && state !== 'reported'),
    )
  }

  async delete(comments: readonly Authored[]): Promise<void> {
    const { forge, warnings } = this.#session
    const ids = new Set(comments.map(({ id }) => id))
    const deletions = [...ids].map((id) => warnings.warnOnFailure(deleteTask, () => forge.deleteComment(id)))
    await Promise.all(deletions)
  }

  /** The thread's one comment about a missing permission: created once, then edited. */
  async refuse(body: string): Promise<string> {
    const { signing } = this
    const { forge, warnings } = this.#session
    // A thread that cannot be read may hold it.
    if (signing === undefined || !this.canRemember || this.history === undefined) return ''
    const text = this.#textOf(body, this.#recordOf({ state: 'refusal' }), signing)
    const create = () => forge.createComment(signing.thread, text)
    const [newest, ...older] = this.history.refusals
    const written = await warnings.warnOnFailure(refusalTask, async () => {
      if (newest === undefined) return await create()
      return await forge.updateComment(newest.id, text).catch((error: unknown) => {
        if (isRefused(error, 404)) return create()
        throw error
      })
    })
    if (written !== undefined) await this.delete(othersOf(older, written))
    return written?.url ?? ''
  }

  #recordOf<S extends RequestState | { readonly state: 'refusal' }>(state: S) {
    this.#newest = Math.max(this.#session.deps.now(), this.#newest + 1)
    return { ...state, ...this.identity, writtenAt: this.#newest }
  }

  #textOf(body: string, record: ActionRecord, signing: SigningContext): string {
    return withRecord(redact(body, this.#session.secrets), signRecord(record, signing))
  }
}
