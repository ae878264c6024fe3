import { isDone } from './outcome.ts'
import { currentRecord, newestFirst, type RecordedComment } from './precedence.ts'
import { isRequestRecord, type RequestRecord } from './record.ts'

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

const hasRequestRecord = (comment: RecordedComment): comment is RecordedComment<RequestRecord> =>
  isRequestRecord(comment.record)

const latestJob = (all: readonly RecordedComment[]): RecordedComment | undefined =>
  all
    .filter(({ record }) => 'job' in record || ('jobId' in record && record.jobId !== ''))
    .toSorted((a, b) => b.record.requestedAt - a.record.requestedAt)[0]

/** What becomes of the checks of a pull request changes nothing of it (4.12). */
const isCompleted = ({ record }: RecordedComment<RequestRecord>): boolean =>
  record.state === 'reported' && (record.checks !== undefined || isDone(record.job))

export const EMPTY_HISTORY: History = historyOf([], { key: '', origin: '' })
