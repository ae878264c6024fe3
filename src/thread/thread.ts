import type { CommentMode } from '../core/choices.ts'
import { type Marker, type MarkerScope, namesJob, writeMarker } from '../core/marker.ts'
import type { Attempt } from '../github/attempt.ts'
import { statusOf } from '../github/explain.ts'
import type { GitHub } from '../github/octokit.ts'
import { type Comments, commentsOf, type ThreadComment } from './comments.ts'
import { type Memory, NOTHING, type Remembered, remember } from './memory.ts'
import { noReactions, openReactions, type Reactions } from './reactions.ts'

/** The request that a thread is opened for: what all of its markers share. */
export type Request = Pick<Marker, 'key' | 'run' | 'from' | 'asker' | 'comment'>

/** What a marker says beyond that. */
export type News = Pick<Marker, 'state'> &
  Partial<Pick<Marker, 'job' | 'status' | 'pr' | 'until' | 'messaged'>>

/** Where the ending is told; `stands` is what an earlier run had reported, or begun, before. */
export interface Told {
  readonly url: string
  readonly stands?: Marker
}

/**
 * The thread as a run speaks to it. None of it decides how the run ends (contract 5.6): what GitHub refuses becomes a
 * warning, and the run goes on.
 */
export interface Thread {
  readonly reactions: Reactions
  /** What the thread remembers; undefined when it could not be read. */
  recall(): Promise<Memory | undefined>
  /** Writes the status comment: the first call creates it, later ones edit it. */
  note(news: News, words: string): Promise<void>
  /**
   * The one comment that tells how the request ended. A result that stands already stays as it is.
   * @param known what `recall` has just read; without it, the thread is read again
   * @returns the URL of the comment that tells, '' if there is none, and the result that stood already
   */
  report(news: News, words: string, known?: Memory): Promise<Told>
  /** Deletes what an attempt has left behind of this request, but for the comment with this id. */
  tidy(own: readonly Remembered[], except: number): Promise<void>
  /** The thread's one comment about a missing permission: made once, then edited. */
  refuse(words: string): Promise<string>
}

export interface ThreadDeps {
  readonly github: GitHub
  readonly attempt: Attempt
  now(): number
}

export interface ThreadOptions {
  readonly scope: MarkerScope
  readonly mode: CommentMode
  readonly request: Request
  /** Comments that nobody has touched since (ISO 8601) are left out: they say nothing of this request. */
  readonly since?: string
}

export const COMMENTING = 'issues: write'
/** States in which the run says something in its status comment, and the result is still to come. */
const IN_PLACE: ReadonlySet<string> = new Set(['open', 'parted'])

export function openThread({ github, attempt, now }: ThreadDeps, options: ThreadOptions): Thread {
  const { scope, mode, request } = options
  const comments = commentsOf(github, scope.repository, scope.thread)
  const reactions = openReactions({ github, attempt }, scope.repository, request.comment)
  /** The comment that `note` edits; 0 while there is none. */
  let statusId = 0
  let recalled: Memory | undefined
  let newest = 0

  const read = async (): Promise<Memory | undefined> => {
    const all = await attempt(`read the comments of #${scope.thread}`, COMMENTING, () =>
      comments.list(options.since),
    )
    if (all === undefined) return undefined
    const memory = remember(all, scope, request.key)
    newest = Math.max(newest, memory.newest)
    return memory
  }
  const write = async (
    doing: string,
    id: number,
    news: News,
    words: string,
  ): Promise<ThreadComment | undefined> => {
    await reactions.retract()
    newest = Math.max(now(), newest + 1)
    const eyes = reactions.eyes()
    const marker = {
      job: '',
      status: '',
      pr: '',
      until: 0,
      messaged: 0,
      ...request,
      ...news,
      eyes,
      at: newest,
    }
    const body = `${words}\n\n${writeMarker(marker, scope)}`
    return await attempt(doing, COMMENTING, () => put(comments, id, body))
  }
  const tidy = async (all: readonly Remembered[], except: number): Promise<void> => {
    for (const { comment } of all.filter((other) => other.comment.id !== except)) {
      await attempt('delete the status comment', COMMENTING, () => comments.remove(comment.id))
    }
  }

  return {
    reactions,
    tidy,
    async recall() {
      const memory = await read()
      recalled = memory
      // A result is no status: nothing is written over it.
      statusId = memory?.own?.marker.state === 'reported' ? 0 : (memory?.own?.comment.id ?? 0)
      const refusals = memory?.refusals.filter(({ marker }) => marker.key === request.key) ?? []
      for (const { marker } of [...refusals, ...(memory?.ownComments ?? [])]) reactions.expect(marker)
      return memory
    },
    async note(news, words) {
      if (mode === 'off') return
      statusId = (await write('write the status comment', statusId, news, words))?.id ?? statusId
    },
    async report(news, words, known) {
      if (mode === 'off') return { url: '' }
      const inPlace = IN_PLACE.has(news.state) && statusId !== 0
      const memory = known ?? (inPlace ? recalled : await read())
      const all = memory?.ownComments ?? []
      const own = memory?.own
      if (own !== undefined && stands(own.marker, news, request.run)) {
        if (own.marker.state === 'reported') await tidy(all, own.comment.id)
        return { url: own.comment.url, stands: own.marker }
      }
      const target = inPlace ? statusId : mode === 'update' ? (own?.comment.id ?? statusId) : 0
      const written = await write('write the result', target, news, words)
      if (written === undefined) return { url: '' }
      await tidy(all, written.id)
      if (memory === undefined && statusId !== 0 && statusId !== written.id) {
        await attempt('delete the status comment', COMMENTING, () => comments.remove(statusId))
      }
      statusId = written.id
      return { url: written.url }
    },
    async refuse(words) {
      if (mode === 'off') return ''
      const refusals = (await read())?.refusals ?? []
      const target = refusals[0]?.comment.id ?? 0
      const written = await write('write the comment', target, { state: 'refusal' }, words)
      if (written !== undefined) await tidy(refusals, written.id)
      return written?.url ?? ''
    },
  }
}

/** What runs say that have sent nothing: that they failed before, or that theirs was a dry run. */
const SENT_NOTHING: ReadonlySet<string> = new Set(['unsent', 'answer'])

/** A result stands; so does, for a run that has sent nothing, what an earlier attempt has sent, or may have. */
const stands = (own: Marker, news: News, run: string): boolean =>
  own.state === 'reported' ||
  (SENT_NOTHING.has(news.state) && (namesJob(own) || (own.state === 'sending' && own.run !== run)))

/** Edits the comment, or makes a new one where there is none, or none any more. */
async function put(comments: Comments, id: number, body: string): Promise<ThreadComment> {
  if (id === 0) return await comments.create(body)
  return await comments.update(id, body).catch((error: unknown) => {
    if (statusOf(error) === 404) return comments.create(body)
    throw error
  })
}

/** For runs that have no thread: says nothing, remembers nothing. */
export const noThread: Thread = {
  reactions: noReactions,
  recall: async () => NOTHING,
  note: async () => {},
  report: async () => ({ url: '' }),
  tidy: async () => {},
  refuse: async () => '',
}
