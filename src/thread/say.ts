import { isGone } from '../errors.ts'
import { runUrlOf } from '../event/trigger.ts'
import { workingComment } from '../messages/comments.ts'
import { cameFurther, type RequestComment } from '../request/precedence.ts'
import type { Part, RequestIdentity, RequestState } from '../request/record.ts'
import { withoutRecord } from '../request/signed-record.ts'
import { jobOf, remembers } from '../request/states.ts'
import type { Request } from './request.ts'
import type { Session } from './session.ts'
import type { Thread, Written } from './thread.ts'

// Only this file writes the comments of requests: `say` for the request that the process serves, `sayOfEarlier` for
// another one. The exception is a skip: it takes over the comment of an attempt that could not say it (`Thread.skip`).

/** What the comment of a request is to say. */
export interface Saying {
  /** What it is to people, for the warning where GitHub does not take it. */
  readonly what: 'status comment' | 'result'
  /** '' for those that stand. */
  readonly words: string
  /** Beside the comment that stands, so that people are notified. */
  readonly asNew?: boolean
  /** Parts that are done once GitHub has the comment. */
  readonly shows?: readonly Part[]
}

/** What the comment has, and what it should. */
export interface Difference extends Pick<Saying, 'words' | 'shows'> {
  readonly own: Pick<RequestComment, 'record'> | undefined
  readonly state: RequestState
  /** The words that this process wrote there last; '' for none. */
  readonly wrote?: string
  /** That the record still keeps others from the request is no reason to write. */
  readonly keepsLease: boolean
}

/** Whether the thread lacks the words, or what another process has to know. */
export function differs({ own, state, words, wrote, shows = [], keepsLease }: Difference): boolean {
  if (words !== '' && words !== wrote) return true
  if (own === undefined) return false
  // The record still says that a run waits, and so keeps others from what that run left.
  if (own.record.waitsMs > 0 && !keepsLease) return true
  const openParts = state.openParts.filter((part) => !shows.includes(part))
  return !remembers(own.record, { ...state, openParts })
}

/**
 * Writes the comment of the request with the record of now. Where another process came further meanwhile, its comment
 * stays. The post step gets the record first: after a kill it goes on from there.
 */
export async function say(
  session: Session,
  request: Request,
  { what, words, asNew = false, shows = [] }: Saying,
): Promise<Written> {
  if (!request.mayWrite) return { url: '' }
  const own = request.history?.own
  if (own !== undefined && cameFurther(own.record, { ...request.state, round: request.identity.round }))
    return { url: own.url, existing: own }
  const kept = request.save(session)
  const { thread } = request
  if (thread === undefined) return { url: '' }
  const record = { ...kept, openParts: kept.openParts.filter((part) => !shows.includes(part)) }
  const wasRefused = thread.refuses(request.identity)
  const body = words || withoutRecord(own?.body ?? '')
  const written = await thread.write(session, what, record, body, { asNew })
  if (written.existing === undefined) request.noteStanding()
  // A thread that is gone is none (contract 5.7). The post step writes the rest.
  if (isGone(written.failure)) request.answerIn('none')
  if (written.failure !== undefined || wasRefused) request.save(session)
  return written
}

/** Says who asked, which run works on it, and the job once it is known. */
export async function sayWorking(session: Session, request: Request): Promise<Written> {
  const { identity, state } = request
  const { requestedBy, requestedAt: startedAt, run } = identity
  const runUrl = runUrlOf(session.context, run)
  const words = workingComment({ requestedBy, runUrl, startedAt, job: jobOf(state) })
  return await say(session, request, { what: 'status comment', words })
}

/** Leaves the words as they are, and brings the record below them up to date with the job. */
export async function sayNothingNew(session: Session, request: Request): Promise<Written> {
  const { history, state } = request
  const own = history?.own
  if (own === undefined || !differs({ own, state, words: '', keepsLease: true }))
    return { url: own?.url ?? '' }
  return await say(session, request, { what: 'status comment', words: '' })
}

/** What changes of an earlier request's comment: its words, or the head in its record. */
interface Change {
  /** What it is to people, for the warning. */
  readonly what: string
  readonly words?: string
  readonly head?: RequestIdentity['head']
}

/** Changes the comment of an earlier request. A run that waits for the earlier request keeps the time that it has left. */
export async function sayOfEarlier(
  session: Session,
  thread: Thread,
  { record, body }: Pick<RequestComment, 'record' | 'body'>,
  { what, words = withoutRecord(body), head = record.head }: Change,
): Promise<Written> {
  const writtenAt = thread.nextWrittenAt(session)
  const waitsMs = Math.max(0, record.writtenAt + record.waitsMs - writtenAt)
  const changed = { ...record, head, writtenAt, waitsMs }
  return await thread.write(session, what, changed, words, { mayCreate: false })
}
