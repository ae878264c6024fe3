import { foldThread, type Known } from './fold.ts'
import { type ActionRecord, isRequestRecord, type RequestIdentity, type RequestRecord } from './record.ts'

/** A comment that ends in a record. Its times are in ms since the epoch, on GitHub's clock. */
export interface RecordedComment<R extends ActionRecord = ActionRecord> {
  readonly id: number
  readonly nodeId: string
  readonly url: string
  readonly body: string
  readonly author?: { readonly login: string } | undefined
  readonly createdAt: number
  readonly updatedAt: number
  readonly record: R
}
export type RequestComment = RecordedComment<RequestRecord>

export type RequestId = Pick<RequestIdentity, 'key' | 'origin' | 'run'>

/** What the records of a thread tell about one request, and about all. */
export interface ThreadRecords {
  /** The newest comment of this very request. */
  readonly own: RequestComment | undefined
  /** Its other comments, which a run that was cut off did not delete. */
  readonly leftOver: readonly RequestComment[]
  /** Of each other request the newest comment, the latest request first. */
  readonly others: readonly RequestComment[]
  readonly refusal: RecordedComment | undefined
  /** Where the agent's pull request was asked for, if this is its thread. */
  readonly askedIn: number | undefined
  readonly known: Known
  /** When the newest of the other requests was asked. */
  readonly othersAskedAt: number
}

/** Of two equally new records, the older comment comes first: a bot that repeats a comment posts its copy later. */
export const newestFirst = (
  a: Pick<RecordedComment, 'id' | 'record'>,
  b: Pick<RecordedComment, 'id' | 'record'>,
): number => b.record.writtenAt - a.record.writtenAt || a.id - b.id

const latestRequestFirst = (a: RecordedComment, b: RecordedComment): number =>
  b.record.requestedAt - a.record.requestedAt

/** @param first of the body of a tracking issue, which goes on with what another one knew */
export function recordsOf(
  comments: readonly RecordedComment[],
  id: RequestId,
  first?: ActionRecord,
): ThreadRecords {
  const all = comments.toSorted(newestFirst)
  const requests = all.filter((comment): comment is RequestComment => isRequestRecord(comment.record))
  // A newer record of a request knows all that its older ones knew.
  const byKey = Map.groupBy(requests, ({ record }) => record.key)
  const newest = [...byKey.values()].flatMap(([first]) => first ?? [])
  const own = byKey.get(ownKey(requests, id))?.[0]
  const backlinks = all.filter(({ record }) => record.state === 'backlink')
  const others = newest.filter((comment) => comment !== own).toSorted(latestRequestFirst)
  return {
    own,
    // A copy that another bot posts is not the action's to delete.
    leftOver: requests.filter(
      (one) => one !== own && one.record.key === own?.record.key && one.author?.login === own.author?.login,
    ),
    others,
    refusal: all.find(({ record }) => record.state === 'refusal'),
    askedIn: all.flatMap(({ record }) => (record.state === 'backlink' ? (record.thread ?? []) : []))[0],
    known: foldThread([
      ...newest,
      ...backlinks,
      ...(first === undefined ? [] : [{ url: '', record: first }]),
    ]),
    othersAskedAt: Math.max(0, ...[...others, ...backlinks].map(({ record }) => record.requestedAt)),
  }
}

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
