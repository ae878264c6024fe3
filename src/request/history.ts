import type { Job } from './job.ts'
import {
  newestFirst,
  type RecordedComment,
  type RequestComment,
  recordThatCounts,
  type SkipComment,
} from './precedence.ts'
import { type ActionRecord, isRequestRecord, type RequestRecord } from './record.ts'
import { isCompleted } from './states.ts'

export type RequestId = Pick<RequestRecord, 'key' | 'origin' | 'run'>

export type JobRecord = Extract<ActionRecord, { readonly job: Job }>

/** What the records of a thread tell about its job and about one request. */
export interface History {
  /** The record of this very request that counts. */
  readonly own: RequestComment | undefined
  readonly ownComments: readonly RequestComment[]
  /** The record that counts of each other request, the latest request first. */
  readonly others: readonly RequestComment[]
  /** The comment of the last-asked request that knows a job, whenever it was written. That job is to be continued. */
  readonly jobComment: RecordedComment | undefined
  /** The newest first. */
  readonly refusals: readonly RecordedComment[]
  /** That the changes need no documentation, the newest first. */
  readonly skips: readonly SkipComment[]
  readonly prLinks: ReadonlySet<string>
  /** Of every comment that knows a job. */
  readonly jobRecords: readonly JobRecord[]
  /** Newest merge that a completed request covered, in ms since the epoch; 0 for none (3.10). */
  readonly coveredUntil: number
  readonly covered: ReadonlySet<number>
  /** On a pull request: the thread that asked for it, by the job. */
  readonly askedIn: ReadonlyMap<string, number>
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
  const completed = reported.filter(isCompleted)
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
    skips: all.filter((comment): comment is SkipComment => comment.record.state === 'docs-skipped'),
    prLinks: new Set(all.map(({ record }) => ('job' in record ? record.job.prLink : ''))),
    jobRecords: all.flatMap(({ record }) => ('job' in record ? [record] : [])),
    coveredUntil: Math.max(0, ...completed.map(({ coversUntil }) => coversUntil)),
    covered: new Set(completed.flatMap(({ merged }) => merged)),
    askedIn: new Map(
      all.flatMap(({ record }) =>
        record.state === 'link' && record.thread !== undefined
          ? [[record.job.id, record.thread] as const]
          : [],
      ),
    ),
    linkedFrom: new Set(reported.flatMap(({ isLinked, job }) => (isLinked ? [job.prLink] : []))),
  }
}

/**
 * The key of the request. A re-run can compute another prompt, and with that another key: its record is then the only one
 * that an earlier attempt of this run and step left (contract 5.2). Two calls of one reusable workflow are two requests.
 */
function ownKey(records: readonly RequestRecord[], { key, origin, run }: RequestId): string {
  if (origin === '' || records.some((record) => record.key === key)) return key
  const earlier = records.filter((one) => one.origin === origin && isOfOtherAttempt(one, run))
  const [only = key, ...more] = new Set(earlier.map((record) => record.key))
  return more.length === 0 ? only : key
}

/**
 * Whether an earlier attempt of this run wrote the record, or another run did: one that took the request up since, as
 * the run of a rebase does (contract 3.13).
 * @param run as records name it
 */
export function isOfOtherAttempt(record: Pick<RequestRecord, 'run'>, run: string): boolean {
  const [[theirs, earlier], [mine, attempt]] = [record.run.split('.'), run.split('.')]
  return theirs !== mine || Number(earlier) < Number(attempt)
}

export const EMPTY_HISTORY: History = historyOf([], { key: '', origin: '', run: '' })
