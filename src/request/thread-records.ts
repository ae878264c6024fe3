import { EMPTY_MEMORY, type Memory, union } from './memory.ts'
import { type ActionRecord, isRequestRecord, type RequestIdentity, type RequestRecord } from './record.ts'
import { memoryOf } from './thread-memory.ts'

/** A comment that ends in a record. Its times are in ms since the epoch, on GitHub's clock. */
export interface RecordedComment<R extends ActionRecord = ActionRecord> {
  readonly id: number
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
  readonly memory: Memory
  /** What the other requests know, and what the thread knew when this one was asked. */
  readonly othersMemory: Memory
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

/** @param first what the thread knew before its first comment */
export function recordsOf(
  comments: readonly RecordedComment[],
  id: RequestId,
  first = EMPTY_MEMORY,
): ThreadRecords {
  const all = comments.toSorted(newestFirst)
  const requests = all.filter((comment): comment is RequestComment => isRequestRecord(comment.record))
  const counting = withoutRepeated(requests, comments)
  const byKey = Map.groupBy(counting, ({ record }) => record.key)
  const newest = [...byKey.values()].flatMap(([first]) => first ?? [])
  const key = ownKey(counting, id)
  const own = byKey.get(key)?.[0]
  const backlinks = all.filter(({ record }) => record.state === 'backlink')
  const asked = [...newest, ...backlinks].toSorted(latestRequestFirst)
  return {
    own,
    // A copy that another bot posts is not the action's to delete.
    leftOver: requests.filter(
      (one) => one !== own && one.record.key === own?.record.key && one.author?.login === own.author?.login,
    ),
    others: newest.filter((comment) => comment !== own).toSorted(latestRequestFirst),
    refusal: all.find(({ record }) => record.state === 'refusal'),
    askedIn: all.flatMap(({ record }) => (record.state === 'backlink' ? (record.thread ?? []) : []))[0],
    memory: memoryOf(asked, first),
    othersMemory: memoryOf(
      asked.filter((comment) => comment !== own),
      own?.record.memory ?? first,
    ),
    othersAskedAt: asked.find((comment) => comment !== own)?.record.requestedAt ?? 0,
  }
}

/** A record that is older than the end of its request counts for nothing: a newer one replaced it, and a bot may repeat it. */
function withoutRepeated(
  requests: readonly RequestComment[],
  comments: readonly RecordedComment[],
): readonly RequestComment[] {
  const { ended } = union(comments.flatMap(({ record }) => record.memory?.grows ?? []))
  const endedAt = new Map(ended.map(({ key, writtenAt }) => [key, writtenAt]))
  return requests.filter(({ record }) => record.writtenAt >= (endedAt.get(record.key) ?? 0))
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
