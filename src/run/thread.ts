import type { ThreadComment } from '../github/answers.ts'
import type { Forge } from '../github/forge.ts'
import type { FailureWarnings, SideTask } from '../github/warn-on-failure.ts'
import type { CommentMode } from '../inputs.ts'
import { statusOf } from '../messages/errors.ts'
import { type Authored, EMPTY_HISTORY, type History, historyOf, othersOf } from '../request/history.ts'
import { existingRecordStands, type RequestState } from '../request/lifecycle.ts'
import {
  type ActionRecord,
  type RequestIdentity,
  type RequestRecord,
  type SigningContext,
  signRecord,
} from '../request/record.ts'
import { redact } from '../text.ts'
import { openReactions, type Reactions } from './reactions.ts'
import { trustedRecords } from './trusted-records.ts'

export interface ThreadDeps {
  readonly forge: Forge
  readonly warnings: FailureWarnings
  /** In ms since the epoch. */
  now(): number
}

export interface ThreadOptions {
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
  readonly reactions: Reactions
  /** As last read; undefined while it could not be read. */
  history: History | undefined
  readonly #deps: ThreadDeps
  #options: ThreadOptions
  /** The comment that `writeStatus` edits; 0 while there is none. */
  #statusId = 0
  #newest = 0

  constructor(deps: ThreadDeps, options: ThreadOptions) {
    this.#deps = deps
    this.#options = options
    this.reactions = openReactions(deps.forge, deps.warnings, options.identity.comment)
    if (options.signing === undefined) this.history = EMPTY_HISTORY
  }

  /** Whether the thread remembers what the run writes. */
  get remembers(): boolean {
    return this.#options.signing !== undefined && this.#options.mode !== 'off'
  }

  /** What the records that follow say of the request. */
  identify(identity: RequestIdentity): void {
    this.#options = { ...this.#options, identity }
  }

  async read(): Promise<History | undefined> {
    const history = await this.#read()
    this.history = history
    const { key } = this.#options.identity
    // A result is no status: nothing is written over it.
    const own = history?.own
    this.#statusId = own === undefined || own.record.state === 'reported' ? 0 : own.id
    const refusals = history?.refusals.filter(({ record }) => record.key === key) ?? []
    for (const { record } of [...refusals, ...(history?.ownComments ?? [])]) this.reactions.expect(record)
    return history
  }

  async #read(): Promise<History | undefined> {
    const { signing, since, identity } = this.#options
    if (signing === undefined) return EMPTY_HISTORY
    const { forge, warnings } = this.#deps
    const comments = await warnings.warnOnFailure(readTask(signing.thread), async () =>
      trustedRecords(forge, await forge.listComments(signing.thread, since), () => signing),
    )
    if (comments === undefined) return undefined
    const history = historyOf(comments, identity.key)
    this.#newest = Math.max(this.#newest, history.newest)
    return history
  }

  /** Writes the status comment: the first call creates it, later ones edit it. */
  async writeStatus(state: RequestState, body: string): Promise<void> {
    if (!this.remembers) return
    const written = await this.#write(STATUS_TASK, this.#statusId, state, body)
    this.#statusId = written?.id ?? this.#statusId
  }

  /**
   * The one comment that reports how the request ended. A result that exists stays as it is.
   * @param known the history, where it was read right before
   */
  async report(state: RequestState, body: string, known?: History): Promise<Reported> {
    if (!this.remembers) return { url: '' }
    const { mode, identity } = this.#options
    const inPlace = (state.state === 'running' || state.state === 'detached') && this.#statusId !== 0
    const history = known ?? (inPlace ? this.history : await this.#read())
    const own = history?.own
    if (own !== undefined && existingRecordStands(own.record, state, identity.run)) {
      if (own.record.state === 'reported') await this.deleteOthers(history?.ownComments ?? [], own)
      return { url: own.url, existing: own.record }
    }
    const target = inPlace ? this.#statusId : mode === 'update' ? (own?.id ?? this.#statusId) : 0
    let isGone = false
    const edit: Write = (forge, _, id, text) =>
      forge.updateComment(id, text).catch((error: unknown) => {
        if (statusOf(error) !== 404) throw error
        isGone = true
        return undefined
      })
    const written = await this.#write(RESULT_TASK, target, state, body, inPlace ? edit : put)
    if (isGone) {
      // Another run may have reported, and deleted the status comment: the thread is read again.
      this.#statusId = 0
      return await this.report(state, body)
    }
    if (written === undefined) return { url: '' }
    const replaced = othersOf(history?.ownComments ?? [], written).map(({ id }) => id)
    this.#obsolete = [...replaced, this.#statusId].filter((id) => id !== 0 && id !== written.id)
    this.#statusId = written.id
    this.#result = { id: written.id, state }
    return { url: written.url }
  }

  /** Comments of the request that the result replaced. */
  #obsolete: readonly number[] = []

  /** The result that this very thread object wrote. */
  #result: { readonly id: number; readonly state: RequestState } | undefined

  /**
   * Edits the result. For every other writer a reported result is final; the one that posted it adds what became known
   * later, and keeps its record.
   */
  async amend(body: string): Promise<void> {
    const result = this.#result
    if (result === undefined) return
    await this.#write(AMEND_TASK, result.id, result.state, body, (forge, _, id, text) =>
      forge.updateComment(id, text),
    )
  }

  /** Deletes what the result replaced. */
  async tidy(): Promise<void> {
    const ids = [...new Set(this.#obsolete)]
    this.#obsolete = []
    await deleteComments(this.#deps, ids)
  }

  /** Deletes what attempts left of this request, except for the comment that stays and for copies by other accounts. */
  async deleteOthers(own: readonly Authored[], stays: Authored): Promise<void> {
    const ids = othersOf(own, stays).map(({ id }) => id)
    await deleteComments(this.#deps, ids)
  }

  /** The thread's one comment about a missing permission: created once, then edited. */
  async refuse(body: string): Promise<string> {
    if (!this.remembers) return ''
    const refusals = this.history?.refusals ?? []
    const written = await this.#write(RESULT_TASK, refusals[0]?.id ?? 0, { state: 'refusal' }, body)
    if (written !== undefined) await this.deleteOthers(refusals, written)
    return written?.url ?? ''
  }

  async #write(
    task: SideTask,
    id: number,
    state: RequestState | { readonly state: 'refusal' },
    body: string,
    write: Write = put,
  ): Promise<ThreadComment | undefined> {
    const { signing, identity, secrets } = this.#options
    if (signing === undefined) return undefined
    await this.reactions.retract()
    this.#newest = Math.max(this.#deps.now(), this.#newest + 1)
    const written = { eyes: this.reactions.eyes(), writtenAt: this.#newest }
    const record = { ...state, ...identity, ...written } as ActionRecord
    const text = `${redact(body, secrets)}\n\n${signRecord(record, signing)}`
    const { forge, warnings } = this.#deps
    return await warnings.warnOnFailure(task, () => write(forge, signing.thread, id, text))
  }
}

async function deleteComments(
  { forge, warnings }: Pick<ThreadDeps, 'forge' | 'warnings'>,
  ids: readonly number[],
): Promise<void> {
  await Promise.all(ids.map((id) => warnings.warnOnFailure(DELETE_TASK, () => forge.deleteComment(id))))
}

const COMMENTS = 'issues: write'
const FORGETS =
  'The thread gets no answer and remembers no job, so a re-run or the next command starts another one.'

const readTask = (thread: number): SideTask => ({
  doing: `read the comments of #${thread}`,
  permission: COMMENTS,
  consequence: FORGETS,
})
const STATUS_TASK: SideTask = {
  doing: 'write the status comment',
  permission: COMMENTS,
  consequence: FORGETS,
}
const RESULT_TASK: SideTask = { doing: 'write the result', permission: COMMENTS, consequence: FORGETS }
const AMEND_TASK: SideTask = { doing: 'add the preview to the result', permission: COMMENTS, consequence: '' }
const DELETE_TASK: SideTask = { doing: 'delete the status comment', permission: COMMENTS, consequence: '' }

type Write = (forge: Forge, thread: number, id: number, body: string) => Promise<ThreadComment | undefined>

/** Edits the comment, or creates a new one where there is none, or none any more. */
async function put(forge: Forge, thread: number, id: number, body: string): Promise<ThreadComment> {
  if (id === 0) return await forge.createComment(thread, body)
  return await forge.updateComment(id, body).catch((error: unknown) => {
    if (statusOf(error) === 404) return forge.createComment(thread, body)
    throw error
  })
}
