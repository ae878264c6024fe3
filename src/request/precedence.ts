import type { Outcome } from './outcome.ts'
import type { ActionRecord, RequestRecord, RequestState, SkipRecord, StateName } from './record.ts'

/** A comment that ends in a record. */
export interface RecordedComment<R extends ActionRecord = ActionRecord> {
  readonly id: number
  readonly url: string
  readonly body: string
  readonly author?: { readonly login: string } | undefined
  readonly record: R
}

export type RequestComment = RecordedComment<RequestRecord>
export type SkipComment = RecordedComment<SkipRecord>

/** How far the request came. */
const REACH: Readonly<Record<StateName, number>> = {
  idle: 0,
  sending: 1,
  unknown: 1,
  notSent: 1,
  running: 2,
  reported: 3,
}

type Reached = Pick<RequestRecord, 'state' | 'round'>

/** How much further the first one came. A later round came further, because it asks again for what a job failed at. */
const distance = (a: Reached, b: Reached): number => a.round - b.round || REACH[a.state] - REACH[b.state]

type Dated = Pick<RecordedComment, 'id' | 'record'>

/** Of two equally new records, the older comment comes first: a bot that repeats a comment posts its copy later. */
export const newestFirst = (a: Dated, b: Dated): number =>
  b.record.writtenAt - a.record.writtenAt || a.id - b.id

/**
 * Which of several records of a request counts: of those of the last round, the one that came furthest, and of equals
 * the newest.
 */
export const recordThatCounts = <C extends Pick<RequestComment, 'id' | 'record'>>(
  comments: readonly C[],
): C | undefined => comments.toSorted((a, b) => distance(b.record, a.record) || newestFirst(a, b))[0]

/** Whether the record that the runner kept for the post step counts, as it came further, or as far and is newer. */
export const keptCounts = (kept: RequestRecord, shown: RequestRecord | undefined): boolean =>
  shown === undefined || (distance(kept, shown) || kept.writtenAt - shown.writtenAt) > 0

/** The other comments that the runs of a request left. The copies that another bot posts are not the action's to delete. */
export const leftOverOf = <C extends Pick<RequestComment, 'id' | 'author'>>(
  own: readonly C[],
  counts: Pick<RequestComment, 'id' | 'author'>,
): readonly C[] => own.filter(({ id, author }) => id !== counts.id && author?.login === counts.author?.login)

/** Whether another process brought the request further than this one knows, so that this one goes on from there. */
export const cameFurther = (theirs: Reached, mine: Reached): boolean => distance(theirs, mine) > 0

/** A process that comes to the end of a request. */
export interface Teller extends Reached {
  /** What it would say. */
  readonly outcome: Outcome
  /** It knows more than the record says, for example because it sent the request or followed its job. */
  readonly knowsMore: boolean
  /** It adds to a result that the thread shows: checks or preview, or that nobody follows the checks any more. */
  readonly addsToResult: boolean
}

/**
 * Whether the process may say how the request ended where the thread has the words of another run or attempt
 * (contract 5.2, 6.2): a result stays, and a process that sent nothing takes back nothing that was sent.
 */
export function mayTell(mine: Teller, theirs: (Reached & Pick<RequestState, 'ending'>) | undefined): boolean {
  if (theirs === undefined) return true
  const further = distance(mine, theirs)
  if (further !== 0) return further > 0
  if (theirs.state === 'reported') return mine.addsToResult
  if (mine.knowsMore) return true
  // A run that asks nothing on purpose, such as a dry run, knows nothing of what an earlier attempt asked.
  if (mine.outcome === 'skipped') return false
  // The error of this run says nothing about a job that an earlier run left at work.
  const speaksOfJob = theirs.state !== 'running' || mine.outcome !== 'error'
  return theirs.ending === undefined && speaksOfJob
}

/**
 * Whether the thread has the words of another run or attempt, and they stay. The plan asks this, and the reporter asks
 * it again as the thread changes.
 * @param hasTold this process wrote the comment last: it rewrites its own words
 */
export const areTheirs = (mine: Teller, theirs: RequestRecord | undefined, hasTold = false): boolean =>
  !hasTold && !mayTell(mine, theirs)
