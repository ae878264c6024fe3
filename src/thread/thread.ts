import { isRefused } from '../errors.ts'
import type { Account } from '../event/account.ts'
import type { ThreadComment } from '../github/answers.ts'
import type { Forge } from '../github/forge.ts'
import type { FailureWarnings, SideTask } from '../github/warn-on-failure.ts'
import type { CommentMode } from '../inputs.ts'
import { redact } from '../redact.ts'
import { type Authored, EMPTY_HISTORY, type History, historyOf, othersOf } from '../request/history.ts'
import { existingRecordStands, type RequestState } from '../request/lifecycle.ts'
import {
  type ActionRecord,
  type RequestIdentity,
  type RequestRecord,
  type SigningContext,
  signRecord,
  verifyRecord,
} from '../request/record.ts'
import { openReactions, type Reactions, reactionOfRecord } from './reactions.ts'

export interface ThreadOptions {
  readonly forge: Forge
  readonly warnings: FailureWarnings
  /** In ms since the epoch. */
  now(): number
  /** Undefined for a run without a thread. */
  readonly signing: SigningContext | undefined
  readonly mode: CommentMode
  readonly identity: RequestIdentity
  readonly secrets: readonly string[]
  /** Comments that were not updated since (ISO 8601) are left out: they say nothing about this request. */
  readonly since?: string
}

/** Where a result stands; `existing` is what an earlier attempt left, and what stays as it is. */
export interface Reported {
  readonly url: string
  readonly existing?: RequestRecord
}

/**
 * The thread of one request. Nothing here decides how the run ends (contract 5.6): what GitHub refuses becomes a
 * warning, and the run goes on.
 */
export class Thread {
  readonly signing: SigningContext | undefined
  /** What the records that follow say of the request. */
  identity: RequestIdentity
  readonly reactions: Reactions
  /** As last read; undefined while it could not be read. */
  history: History | undefined
  readonly #options: ThreadOptions
  /** The comment that `writeStatus` edits; 0 while there is none. */
  #statusId = 0
  #newest = 0
  /** The result that this very thread object wrote, and the comments of the request that it replaced. */
  #result?: { readonly id: number; readonly state: RequestState; readonly replaced: readonly number[] }

  constructor(options: ThreadOptions) {
    this.#options = options
    this.signing = options.signing
    this.identity = options.identity
    this.reactions = openReactions(options.forge, options.warnings, options.identity.comment)
    if (options.signing === undefined) this.history = EMPTY_HISTORY
  }

  /** Undefined for a run without a thread. */
  get number(): number | undefined {
    return this.signing?.thread
  }

  /** Whether the thread remembers what the run writes. */
  get remembers(): boolean {
    return this.signing !== undefined && this.#options.mode !== 'off'
  }

  async read(): Promise<History | undefined> {
    const history = await this.#read()
    this.history = history
    const { own, ownComments = [], refusals = [] } = history ?? {}
    // A result is no status: nothing is written over it.
    this.#statusId = own === undefined || own.record.state === 'reported' ? 0 : own.id
    const refused = refusals.filter(({ record }) => record.key === this.identity.key)
    for (const { record } of [...refused, ...ownComments]) this.reactions.expect(record)
    return history
  }

  async #read(): Promise<History | undefined> {
    const { signing } = this
    if (signing === undefined) return EMPTY_HISTORY
    const { forge, warnings, since } = this.#options
    const comments = await warnings.warnOnFailure(readTask(signing.thread), async () =>
      trustedRecords(forge, await forge.listComments(signing.thread, since), () => signing),
    )
    if (comments === undefined) return undefined
    const history = historyOf(comments, this.identity.key)
    this.#newest = Math.max(this.#newest, history.newest)
    return history
  }

  /** Writes the status comment: the first call creates it, later ones edit it. */
  async writeStatus(state: RequestState, body: string): Promise<void> {
    if (!this.remembers) return
    const written = await this.#write(STATUS_TASK, state, body, put(this.#statusId))
    this.#statusId = written?.id ?? this.#statusId
  }

  /**
   * The one comment that reports how the request ended. A result that exists stays as it is.
   * @param known the history, where it was read right before
   */
  async report(state: RequestState, body: string, known?: History): Promise<Reported> {
    if (!this.remembers) return { url: '' }
    const inPlace = (state.state === 'running' || state.state === 'detached') && this.#statusId !== 0
    const history = known ?? (inPlace ? this.history : await this.#read())
    const { own, ownComments = [] } = history ?? {}
    if (own !== undefined && existingRecordStands(own.record, state, this.identity.run)) {
      if (own.record.state === 'reported') await this.#deleteOthers(ownComments, own)
      return { url: own.url, existing: own.record }
    }
    const target = this.#options.mode === 'update' ? (own?.id ?? this.#statusId) : 0
    let isGone = false
    const noteThatItIsGone: Write = async () => {
      isGone = true
      return undefined
    }
    const write = inPlace ? put(this.#statusId, noteThatItIsGone) : put(target)
    const written = await this.#write(RESULT_TASK, state, body, write)
    if (isGone) {
      // Another run may have reported, and deleted the status comment: the thread is read again.
      this.#statusId = 0
      return await this.report(state, body)
    }
    if (written === undefined) return { url: '' }
    const others = new Set(othersOf(ownComments, written).map(({ id }) => id)).add(this.#statusId)
    const replaced = [...others].filter((id) => id !== 0 && id !== written.id)
    this.#statusId = written.id
    this.#result = { id: written.id, state, replaced }
    return { url: written.url }
  }

  /**
   * Edits the result. For every other writer a reported result is final; the one that posted it adds what became known
   * later, and keeps its record.
   */
  async amend(body: string): Promise<void> {
    const result = this.#result
    if (result === undefined) return
    await this.#write(AMEND_TASK, result.state, body, (forge, _, text) =>
      forge.updateComment(result.id, text),
    )
  }

  /** Deletes what the result replaced. */
  async tidy(): Promise<void> {
    await this.#delete(this.#result?.replaced ?? [])
  }

  /**
   * Leaves one comment of what attempts left of this request, and the reaction that belongs to it.
   * @param others that may go; all of them without it
   */
  async settle(others?: readonly Authored[]): Promise<void> {
    const record = this.history?.own?.record
    const reaction = record && reactionOfRecord(record)
    await Promise.all([this.reactions.conclude(reaction), this.keepOne(others)])
  }

  /** Deletes what attempts left of this request, except for the comment that stays and for copies by other accounts. */
  async keepOne(others: readonly Authored[] = this.history?.ownComments ?? []): Promise<void> {
    const own = this.history?.own
    if (own !== undefined) await this.#deleteOthers(others, own)
  }

  async #deleteOthers(comments: readonly Authored[], stays: Authored): Promise<void> {
    await this.#delete(othersOf(comments, stays).map(({ id }) => id))
  }

  /** The thread's one comment about a missing permission: created once, then edited. */
  async refuse(body: string): Promise<string> {
    if (!this.remembers) return ''
    const refusals = this.history?.refusals ?? []
    const written = await this.#write(RESULT_TASK, { state: 'refusal' }, body, put(refusals[0]?.id ?? 0))
    if (written !== undefined) await this.#deleteOthers(refusals, written)
    return written?.url ?? ''
  }

  async #write(
    task: SideTask,
    state: RequestState | { readonly state: 'refusal' },
    body: string,
    write: Write,
  ): Promise<ThreadComment | undefined> {
    const { signing, identity, reactions } = this
    const { forge, warnings, now, secrets } = this.#options
    if (signing === undefined) return undefined
    await reactions.retract()
    this.#newest = Math.max(now(), this.#newest + 1)
    const written = { eyes: reactions.eyes(), writtenAt: this.#newest }
    const record = { ...state, ...identity, ...written } as ActionRecord
    const text = `${redact(body, secrets)}\n\n${signRecord(record, signing)}`
    return await warnings.warnOnFailure(task, () => write(forge, signing.thread, text))
  }

  async #delete(ids: readonly number[]): Promise<void> {
    const { forge, warnings } = this.#options
    await Promise.all(ids.map((id) => warnings.warnOnFailure(DELETE_TASK, () => forge.deleteComment(id))))
  }
}

/** @param consequence '' for a detail, as in `SideTask` */
export const issueTask = (doing: string, consequence = ''): SideTask => ({
  doing,
  permission: 'issues: write',
  consequence,
})
const FORGETS =
  'The thread gets no answer and remembers no job, so a re-run or the next command starts another one.'
const readTask = (thread: number): SideTask => issueTask(`read the comments of #${thread}`, FORGETS)
const STATUS_TASK = issueTask('write the status comment', FORGETS)
const RESULT_TASK = issueTask('write the result', FORGETS)
const AMEND_TASK = issueTask('add the preview to the result')
const DELETE_TASK = issueTask('delete the status comment')

type Write = (forge: Forge, thread: number, text: string) => Promise<ThreadComment | undefined>

const create: Write = (forge, thread, text) => forge.createComment(thread, text)

/** Edits the comment, or does the other thing where there is none, or none any more. */
const put =
  (id: number, otherwise = create): Write =>
  async (forge, thread, text) => {
    if (id === 0) return await otherwise(forge, thread, text)
    return await forge.updateComment(id, text).catch((error: unknown) => {
      if (isRefused(error, 404)) return otherwise(forge, thread, text)
      throw error
    })
  }

/**
 * The comments that carry a valid record. A record counts only in a comment of a bot or of the token's own account
 * (contract 5.1); whose that is matters only where another account posted one.
 */
export async function trustedRecords<C extends ThreadComment>(
  forge: Forge,
  comments: readonly C[],
  signingOf: (comment: C) => SigningContext,
): Promise<readonly (C & { readonly record: ActionRecord })[]> {
  const recorded = comments.flatMap((comment) => {
    const record = verifyRecord(comment.body, signingOf(comment))
    return record === undefined ? [] : [{ ...comment, record }]
  })
  if (recorded.every(({ author }) => isBot(author))) return recorded
  const own = await forge.ownLogin()
  return recorded.filter(({ author }) => isBot(author) || (own !== undefined && author?.login === own))
}

const isBot = (author: Account | undefined): boolean => author?.bot === true
