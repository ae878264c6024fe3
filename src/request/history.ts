import { isDone } from './outcome.ts'
import { type ActionRecord, isRequestRecord, type RequestRecord } from './record.ts'
import { jobOf } from './states.ts'

export interface RecordedComment<R extends ActionRecord = ActionRecord> {
  readonly id: number
  readonly url: string
  readonly body: string
  readonly author?: { readonly login: string } | undefined
  readonly record: R
}

export type Authored = Pick<RecordedComment, 'id' | 'author'>
type OwnComment = Pick<RecordedComment<RequestRecord>, 'id' | 'author' | 'record'>

/** What the records of a thread tell about its job and about one request. */
export interface History {
  /** What earlier attempts left of this very request: the record that counts. */
  readonly own: RecordedComment<RequestRecord> | undefined
  readonly ownComments: readonly RecordedComment<RequestRecord>[]
  /** Of the latest request that knows a job, however late its record was written: the one to continue. */
  readonly job: RecordedComment | undefined
  /** The newest first. */
  readonly refusals: readonly RecordedComment[]
  readonly prLinks: ReadonlySet<string>
  /** The newest `writtenAt`; the next record must be newer, whatever the clock says. */
  readonly newest: number
  /** Newest merge that a completed request covered, in ms since the epoch; 0 for none (3.10). */
  readonly coveredUntil: number
  readonly covered: ReadonlySet<number>
  /** SHAs of the commits whose failures another request of this thread may have sent back (4.12). */
  readonly sentByOthers: ReadonlySet<string>
}

export type RequestId = Pick<RequestRecord, 'key' | 'origin'>

export function historyOf(comments: readonly RecordedComment[], request: RequestId): History {
  const all = newestFirst(comments)
  const requests = all.filter(hasRequestRecord)
  const completed = requests.filter(isCompleted)
  const key = ownKey(requests, request)
  const ownComments = requests.filter(({ record }) => record.key === key)
  return {
    own: currentRecord(ownComments),
    ownComments,
    job: latestJob(all),
    refusals: all.filter(({ record }) => record.state === 'refusal'),
    prLinks: new Set(all.map(({ record }) => ('job' in record ? record.job.prLink : ''))),
    newest: all[0]?.record.writtenAt ?? 0,
    coveredUntil: Math.max(0, ...completed.map(({ record }) => record.coversUntil)),
    covered: new Set(completed.flatMap(({ record }) => record.merged ?? [])),
    sentByOthers: new Set(
      requests.flatMap(({ record }) =>
        record.key !== key && 'checks' in record ? (record.checks?.sentFor ?? []) : [],
      ),
    ),
  }
}

/** The key of the request, or the one key of its run and step: a re-run may have computed its prompt anew. */
function ownKey(requests: readonly RecordedComment<RequestRecord>[], { key, origin }: RequestId): string {
  const records = requests.map(({ record }) => record)
  if (origin === '' || records.some((record) => record.key === key)) return key
  const keys = new Set(records.filter((record) => record.origin === origin).map((record) => record.key))
  const [only = key] = keys
  return keys.size === 1 ? only : key
}

/** A copy is as new as its original and is posted later: of equals, the older comment counts. */
const newestFirst = <C extends Pick<RecordedComment, 'id' | 'record'>>(
  comments: readonly C[],
): readonly C[] => comments.toSorted((a, b) => b.record.writtenAt - a.record.writtenAt || a.id - b.id)

const hasRequestRecord = (comment: RecordedComment): comment is RecordedComment<RequestRecord> =>
  isRequestRecord(comment.record)

const latestJob = (all: readonly RecordedComment[]): RecordedComment | undefined =>
  all
    .filter(({ record }) => 'job' in record || ('jobId' in record && record.jobId !== ''))
    .toSorted((a, b) => b.record.requestedAt - a.record.requestedAt)[0]

/** What becomes of the checks of a pull request changes nothing of it (4.12). */
const isCompleted = ({ record }: RecordedComment<RequestRecord>): boolean =>
  record.state === 'reported' && (record.checks !== undefined || isDone(record.job))

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

export const EMPTY_HISTORY: History = historyOf([], { key: '', origin: '' })
