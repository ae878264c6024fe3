import type { Attempt } from '../github/attempt.ts'
import { statusOf } from '../github/explain.ts'
import type { GitHub } from '../github/octokit.ts'
import type { CommentMode } from '../inputs/inputs.ts'
import { type Marker, type MarkerScope, writeMarker } from '../marker.ts'
import { commentsOf, type ThreadComment } from './comments.ts'
import { type Memory, type Remembered, remember } from './memory.ts'
import { type Reaction, react, reactionLeftBy, unreact } from './reactions.ts'

/** The request that a thread is opened for: what all of its markers share. */
export type Request = Pick<Marker, 'key' | 'run' | 'from' | 'asker' | 'comment'>

/** What a marker says beyond that. */
export type News = Pick<Marker, 'state'> &
  Partial<Pick<Marker, 'job' | 'status' | 'pr' | 'until' | 'messaged'>>

/**
 * The thread as a run speaks to it. None of it decides how the run ends (contract 5.6): what GitHub refuses becomes a
 * warning, and the run goes on.
 */
export interface Thread {
  /** What the thread remembers; undefined when it could not be read. */
  recall(): Promise<Memory | undefined>
  /** Adds `eyes` to the comment that asked. */
  acknowledge(): Promise<void>
  /** Writes the status comment: the first call creates it, later ones edit it. */
  note(news: News, words: string): Promise<void>
  /**
   * The one comment that tells how the request ended; nothing, if another run has told it meanwhile.
   * @param known what `recall` has just read; without it, the thread is read again
   * @returns the URL of the comment that tells, '' if there is none
   */
  report(news: News, words: string, known?: Memory): Promise<string>
  /** Deletes what a report has left behind of this request, but for the comment with this id. */
  tidy(except: number): Promise<void>
  /** The thread's one comment about a missing permission: made once, then edited. */
  refuse(words: string): Promise<string>
  /** Replaces what earlier reactions said by this one; undefined leaves them. */
  conclude(reaction: Reaction | undefined): Promise<void>
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
}

const WRITE = 'issues: write'
/** States in which the run says something in its status comment, and the result is still to come. */
const IN_PLACE: ReadonlySet<string> = new Set(['open', 'parted'])

export function openThread({ github, attempt, now }: ThreadDeps, options: ThreadOptions): Thread {
  const { scope, mode, request } = options
  const comments = commentsOf(github, scope.repository, scope.thread)
  /** Comments of this request that are known to stand. */
  let own: readonly Remembered[] = []
  /** The comment that `note` edits; 0 while there is none. */
  let statusId = 0
  /** Results that stood before this run said anything: a resumed run may edit them. */
  const toldBefore = new Set<number>()
  /** What an earlier attempt has left on the comment that asked. */
  let left: Reaction | undefined
  let eyes = 0
  let newest = 0

  const read = async (): Promise<Memory | undefined> => {
    const all = await attempt('read the comments of the thread', 'issues: read', () => comments.list())
    if (all === undefined) return undefined
    const memory = remember(all, scope, request.key)
    newest = Math.max(newest, memory.newest)
    own = memory.ownComments
    return memory
  }
  const write = async (id: number, news: News, words: string): Promise<ThreadComment> => {
    newest = Math.max(now(), newest + 1)
    const marker: Marker = {
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
    return await (id === 0 ? comments.create(body) : comments.update(id, body))
  }
  const add = (content: Reaction) =>
    attempt('react to the comment', WRITE, () => react(github, scope.repository, request.comment, content))
  const remove = (content: Reaction, id = 0) =>
    attempt('take a reaction back', WRITE, () =>
      unreact(github, scope.repository, request.comment, content, id),
    )
  const tidy = async (except: number): Promise<void> => {
    for (const { comment } of own.filter((other) => other.comment.id !== except)) {
      await attempt('delete the status comment', WRITE, () =>
        comments.remove(comment.id).catch((error: unknown) => {
          // Somebody was faster.
          if (statusOf(error) !== 404) throw error
        }),
      )
    }
  }

  return {
    tidy,
    async recall() {
      const memory = await read()
      statusId = memory?.own?.comment.id ?? 0
      const refusal = memory?.refusal?.marker.key === request.key ? memory.refusal : undefined
      const earlier = memory?.own ?? refusal
      left = earlier === undefined ? undefined : reactionLeftBy(earlier.marker)
      eyes ||= memory?.own?.marker.eyes ?? 0
      for (const { comment, marker } of own) if (marker.state === 'reported') toldBefore.add(comment.id)
      return memory
    },
    async acknowledge() {
      if (request.comment !== '') eyes = (await add('eyes')) ?? 0
    },
    async note(news, words) {
      if (mode === 'off') return
      const written = await attempt('write the status comment', WRITE, () => write(statusId, news, words))
      statusId = written?.id ?? statusId
    },
    async report(news, words, known) {
      if (mode === 'off') return ''
      const inPlace = IN_PLACE.has(news.state) && statusId !== 0
      const memory = inPlace ? undefined : (known ?? (await read()))
      const told = memory?.ownComments.find(
        ({ comment, marker }) => marker.state === 'reported' && !toldBefore.has(comment.id),
      )
      if (told !== undefined) {
        await tidy(told.comment.id)
        return told.comment.url
      }
      const edited = inPlace || mode === 'update' || toldBefore.has(statusId)
      const target = edited ? (memory?.own?.comment.id ?? statusId) : 0
      const written = await attempt('write the result', WRITE, () => write(target, news, words))
      if (written === undefined) return ''
      if (memory === undefined && statusId !== 0 && statusId !== written.id) {
        await attempt('delete the status comment', WRITE, () => comments.remove(statusId))
      }
      if (memory !== undefined) await tidy(written.id)
      statusId = written.id
      return written.url
    },
    async refuse(words) {
      if (mode === 'off') return ''
      const refusal = (await read())?.refusal
      const written = await attempt('write the comment', WRITE, () =>
        write(refusal?.comment.id ?? 0, { state: 'refusal' }, words),
      )
      return written?.url ?? ''
    },
    async conclude(content) {
      if (request.comment === '' || content === undefined) return
      await remove('eyes', eyes)
      if (left !== undefined && left !== content) await remove(left)
      await add(content)
    },
  }
}

/** For runs that have no thread: says nothing, remembers nothing. */
export const noThread: Thread = {
  recall: async () => EMPTY,
  acknowledge: async () => {},
  note: async () => {},
  report: async () => '',
  tidy: async () => {},
  refuse: async () => '',
  conclude: async () => {},
}

const EMPTY: Memory = {
  own: undefined,
  ownComments: [],
  job: undefined,
  refusal: undefined,
  prLinks: new Set(),
  newest: 0,
}
