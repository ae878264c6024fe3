import {
  byRequest,
  countingOf,
  fold,
  type Known,
  type Log,
  newestFirst,
  type RecordedComment,
  type RequestComment,
} from './fold.ts'
import { type ActionRecord, jobOf, type RequestIdentity, type RequestRecord } from './record.ts'

export type RequestId = Pick<RequestIdentity, 'key' | 'origin' | 'run'>

/** The log of a thread as one request reads it. */
export interface ThreadRecords {
  /** The comment of this very request that counts. */
  readonly own: RequestComment | undefined
  /** Its other comments, which it has replaced. */
  readonly replaced: readonly RequestComment[]
  /** All others that count, the latest request first; of another run that asks for the same, too. */
  readonly others: readonly RequestComment[]
  readonly refusal: RecordedComment | undefined
  /** Where the agent's pull request was asked for, if this is its thread. */
  readonly askedIn: number | undefined
  readonly known: Known
  /** When the latest of the other requests was asked. */
  readonly othersAskedAt: number
}

/** @param first of the body of a tracking issue, which goes on with what another one knew */
export function recordsOf(log: Log, id: RequestId, first?: ActionRecord): ThreadRecords {
  const counting = countingOf(log)
  const requests = byRequest(log)
  const key = ownKey([...requests.values()].flat(), id)
  const ofKey = requests.get(key) ?? []
  const own = ownOf(ofKey, counting, id)
  const others = counting.filter((comment) => comment !== own)
  const sorted = log.toSorted(newestFirst)
  const backlinks = sorted.filter(({ record }) => record.state === 'backlink')
  return {
    own,
    replaced: ofKey.filter((one) => own !== undefined && !counting.includes(one) && isReplaced(one, own)),
    others,
    refusal: sorted.find(({ record }) => record.state === 'refusal'),
    askedIn: backlinks.flatMap(({ record }) => ('thread' in record ? (record.thread ?? []) : []))[0],
    known: fold(log, first),
    othersAskedAt: Math.max(0, ...[...others, ...backlinks].map(({ record }) => record.requestedAt)),
  }
}

/** What this attempt wrote, whatever another run has by now; else what has a job, before what has none. */
function ownOf(
  ofKey: readonly RequestComment[],
  counting: readonly RequestComment[],
  { run }: RequestId,
): RequestComment | undefined {
  const mine = ofKey.find(({ record }) => record.run === run)
  if (mine !== undefined) return mine
  const count = ofKey.filter((comment) => counting.includes(comment))
  return count.find(({ record }) => jobOf(record) !== undefined) ?? count[0]
}

/** A copy that another bot posts is not the action's to delete; a job that is known from nowhere else stays known. */
export const isReplaced = (one: RequestComment, own: RequestComment): boolean =>
  one.author?.login === own.author?.login &&
  (jobOf(one.record) === undefined || jobOf(own.record) !== undefined)

/**
 * The key of the request. A re-run can compute another prompt, and with that another key: its record is then the only one
 * that an earlier attempt of this run and step left.
 */
function ownKey(requests: readonly RequestComment[], { key, origin, run }: RequestId): string {
  if (origin === '' || requests.some(({ record }) => record.key === key)) return key
  const ofEarlier = requests.filter(
    ({ record }) => record.origin === origin && isOfEarlierAttempt(record, run),
  )
  const [only = key, ...more] = new Set(ofEarlier.map(({ record }) => record.key))
  return more.length === 0 ? only : key
}

/** Another run of the same changes may have written it last. @param run as records name it */
function isOfEarlierAttempt(record: Pick<RequestRecord, 'run'>, run: string): boolean {
  const [[theirs, earlier], [mine, attempt]] = [record.run.split('.'), run.split('.')]
  return theirs !== mine || Number(earlier) < Number(attempt)
}
