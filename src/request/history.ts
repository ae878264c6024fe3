import { isDone } from './outcome.ts'
import {
  type ActionRecord,
  isRequestRecord,
  type Part,
  type RequestRecord,
  type StateName,
} from './record.ts'

/** A comment that ends in a record. */
export interface RecordedComment<R extends ActionRecord = ActionRecord> {
  readonly id: number
  readonly url: string
  readonly body: string
  readonly author?: { readonly login: string } | undefined
  readonly record: R
}

export type RequestComment = RecordedComment<RequestRecord>

/** How far the request came. */
const REACH: Readonly<Record<StateName, number>> = {
  idle: 0,
  sending: 1,
  unknown: 1,
  notSent: 1,
  running: 2,
  reported: 3,
}

type Dated = Pick<RecordedComment, 'id' | 'record'>

/** A copy is as new as its original and is posted later: of equals, the older comment counts. */
const newestFirst = (a: Dated, b: Dated): number => b.record.writtenAt - a.record.writtenAt || a.id - b.id

/**
 * Which of several records of a request counts: the one that says that it came furthest, and of equals the newest. A
 * record that the runner keeps for the post step counts like one of a comment.
 */
export const recordThatCounts = <C extends Pick<RequestComment, 'id' | 'record'>>(
  comments: readonly C[],
): C | undefined =>
  comments.toSorted((a, b) => REACH[b.record.state] - REACH[a.record.state] || newestFirst(a, b))[0]

/** What the runs of a request left beside the comment that counts. Another bot may repeat it with its record. */
export const leftOverOf = <C extends Pick<RequestComment, 'id' | 'author'>>(
  own: readonly C[],
  counts: Pick<RequestComment, 'id' | 'author'>,
): readonly C[] => own.filter(({ id, author }) => id !== counts.id && author?.login === counts.author?.login)

/** What is open until the checks of the pull request have ended. */
export const WITH_CHECKS: readonly Part[] = ['status', 'checks']

/**
 * What still follows the result. Once the comment that it replaces is gone, only what waits for the checks of the pull
 * request may be open: a result whose words stay true needs no further write.
 */
export function stillOpen(
  record: RequestRecord,
  own: readonly Pick<RecordedComment, 'id'>[],
): readonly Part[] {
  if (record.state !== 'reported') return []
  const { openParts, replacedId } = record
  const isReplacedGone = replacedId !== 0 && !own.some(({ id }) => id === replacedId)
  if (!isReplacedGone) return openParts
  return openParts.includes('checks') ? openParts.filter((part) => WITH_CHECKS.includes(part)) : []
}

export type RequestId = Pick<RequestRecord, 'key' | 'origin' | 'run'>

/** What the records of a thread tell about its job and about one request. */
export interface History {
  /** The record of this very request that counts. */
  readonly own: RequestComment | undefined
  readonly ownComments: readonly RequestComment[]
  /** Of each other request the record that counts, the latest request first. */
  readonly others: readonly RequestComment[]
  /** Of the latest request that knows a job, however late its record was written: the one to continue. */
  readonly jobComment: RecordedComment | undefined
  /** The newest first. */
  readonly refusals: readonly RecordedComment[]
  readonly prLinks: ReadonlySet<string>
  /** The newest `writtenAt`; the next record must be newer, whatever the clock says. */
  readonly newest: number
  /** Newest merge that a completed request covered, in ms since the epoch; 0 for none (3.10). */
  readonly coveredUntil: number
  readonly covered: ReadonlySet<number>
  /** Links to pull requests on which a comment leads back to this thread. */
  readonly linkedFrom: ReadonlySet<string>
}

export function historyOf(comments: readonly RecordedComment[], request: RequestId): History {
  const all = comments.toSorted(newestFirst)
  const requests = all.filter((comment): comment is RequestComment => isRequestRecord(comment.record))
  const key = ownKey(
    requests.map(({ record }) => record),
    request,
  )
  const byKey = new Map<string, RequestComment[]>()
  for (const comment of requests) {
    const known = byKey.get(comment.record.key)
    if (known === undefined) byKey.set(comment.record.key, [comment])
    else known.push(comment)
  }
  const ownComments = byKey.get(key) ?? []
  const reported = requests.flatMap(({ record }) => (record.state === 'reported' ? [record] : []))
  // What becomes of the checks of a pull request changes nothing of it (4.12).
  const completed = reported.filter(({ checks, job }) => checks !== undefined || isDone(job))
  return {
    own: recordThatCounts(ownComments),
    ownComments,
    others: [...byKey]
      .flatMap(([other, comments]) => (other === key ? [] : (recordThatCounts(comments) ?? [])))
      .toSorted((a, b) => b.record.requestedAt - a.record.requestedAt),
    jobComment: all
      .filter(({ record }) => 'job' in record || ('jobId' in record && record.jobId !== ''))
      .toSorted((a, b) => b.record.requestedAt - a.record.requestedAt)[0],
    refusals: all.filter(({ record }) => record.state === 'refusal'),
    prLinks: new Set(all.map(({ record }) => ('job' in record ? record.job.prLink : ''))),
    newest: all[0]?.record.writtenAt ?? 0,
    coveredUntil: Math.max(0, ...completed.map(({ coversUntil }) => coversUntil)),
    covered: new Set(completed.flatMap(({ merged }) => merged)),
    linkedFrom: new Set(reported.flatMap(({ isLinked, job }) => (isLinked ? [job.prLink] : []))),
  }
}

/**
 * The key of the request. A re-run may have computed its prompt anew: its record is then the only one that an earlier
 * attempt of this run and step left (contract 5.2). Two calls of one reusable workflow are two requests.
 */
function ownKey(records: readonly RequestRecord[], { key, origin, run }: RequestId): string {
  if (origin === '' || records.some((record) => record.key === key)) return key
  const earlier = records.filter((one) => one.origin === origin && attemptOf(one.run) < attemptOf(run))
  const [only = key, ...more] = new Set(earlier.map((record) => record.key))
  return more.length === 0 ? only : key
}

const attemptOf = (run: string): number => Number(run.split('.')[1])

export const EMPTY_HISTORY: History = historyOf([], { key: '', origin: '', run: '' })
