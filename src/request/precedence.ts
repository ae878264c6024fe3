import type { ActionRecord, RequestRecord } from './record.ts'
import { jobOf, type RequestState } from './states.ts'

/**
 * Which record of a request counts, where its runs left several, and which of two says more. What becomes of one record
 * is the table in `states.ts`.
 */

export interface RecordedComment<R extends ActionRecord = ActionRecord> {
  readonly id: number
  readonly url: string
  readonly body: string
  readonly author?: { readonly login: string } | undefined
  readonly record: R
}

export type Authored = Pick<RecordedComment, 'id' | 'author'>
type OwnComment = Pick<RecordedComment<RequestRecord>, 'id' | 'author' | 'record'>

/** A copy is as new as its original and is posted later: of equals, the older comment counts. */
export const newestFirst = <C extends Pick<RecordedComment, 'id' | 'record'>>(
  comments: readonly C[],
): readonly C[] => comments.toSorted((a, b) => b.record.writtenAt - a.record.writtenAt || a.id - b.id)

/** Another bot may repeat a comment of the action with its record; neither one's comments are the other's. */
export const othersOf = (own: readonly Authored[], stays: Authored): readonly Authored[] =>
  own.filter(({ id, author }) => id !== stays.id && author?.login === stays.author?.login)

/**
 * Older comments of the request, which its end replaced and its run did not delete. A copy is as new as its
 * original or posted later, and what a later run writes is newer.
 */
export function replacedBy(result: OwnComment, own: readonly OwnComment[]): readonly Authored[] {
  const { id, record } = result
  if (record.state === 'running' || record.state === 'sending') return []
  const older = own.filter((other) => other.id < id && other.record.writtenAt < record.writtenAt)
  return othersOf(older, result)
}

/** Which record of a request counts: its result, its job, what may have been sent, or the newest. */
export function currentRecord<C extends OwnComment>(comments: readonly C[]): C | undefined {
  const own = newestFirst(comments)
  return (
    own.find(({ record }) => record.state === 'reported') ??
    own.find(({ record }) => jobOf(record) !== undefined) ??
    own.find(({ record }) => isUnanswered(record, own)) ??
    own[0]
  )
}

/** The request may have been sent: no later record of that run says more, and no later one asked people to look. */
const isUnanswered = ({ state, run, writtenAt }: RequestRecord, own: readonly OwnComment[]): boolean =>
  state === 'sending' &&
  !own.some(
    ({ record }) => record.writtenAt > writtenAt && (record.run === run || record.state === 'unknown'),
  )

/**
 * For the post step: a result stands, and so does what that run reported, or what an earlier one reported if this one
 * sent nothing.
 * @param saved by the main step
 */
export function isTold(own: RequestRecord, saved: RequestRecord): boolean {
  if (own.state === 'reported') return true
  const waits = own.state === 'sending' || (own.state === 'running' && own.waitsUntil > 0)
  return !waits && (saved.state === 'idle' || own.run === saved.run)
}

/** For the post step: where the main step had sent nothing, the request is where an earlier attempt left it. */
export function stateAtEnd(saved: RequestRecord, own: RequestRecord | undefined): RequestRecord {
  if (own === undefined) return saved
  if (jobOf(own) !== undefined && jobOf(saved) === undefined) return own
  return saved.state === 'idle' && own.run !== saved.run ? own : saved
}

interface Reporting {
  readonly state: RequestState
  /** This run sent the request. */
  readonly hasSent: boolean
  /** No other run can have written since this one read the thread. */
  readonly isCurrent: boolean
}

/** Whether what the thread says of the request stays, because the run has nothing truer to say. */
export function stands(own: RequestRecord, { state, hasSent, isCurrent }: Reporting): boolean {
  if (own.state === 'reported') {
    // A run goes on with the checks of the pull request that the thread shows.
    const followsChecks = state.state === 'running' && state.checks !== undefined
    return !(isCurrent && followsChecks)
  }
  // A run that sent nothing takes nothing back of what an earlier attempt sent.
  return state.state === 'idle' && own.state !== 'idle' && !hasSent
}
