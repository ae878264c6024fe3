import { type Job, jobWithId } from './job.ts'
import { type ChangesVerdict, EMPTY_MEMORY, type Growing, type Latest, type Memory, union } from './memory.ts'
import { failsStatus } from './outcome.ts'
import {
  type ActionRecord,
  hasFailed,
  isCompleted,
  isFollowed,
  isRequestRecord,
  jobOf,
  type RequestIdentity,
  type RequestRecord,
  type RequestState,
  saysSkip,
} from './record.ts'
import { digestOfText } from './request-key.ts'

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
  const links = all.filter(({ record }) => record.state === 'link')
  const asked = [...newest, ...links].toSorted(latestRequestFirst)
  return {
    own,
    // A copy that another bot posts is not the action's to delete.
    leftOver: requests.filter(
      (one) => one !== own && one.record.key === own?.record.key && one.author?.login === own.author?.login,
    ),
    others: newest.filter((comment) => comment !== own).toSorted(latestRequestFirst),
    refusal: all.find(({ record }) => record.state === 'refusal'),
    askedIn: all.flatMap(({ record }) => (record.state === 'link' ? (record.thread ?? []) : []))[0],
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
 * The newest request that the agent answered tells `latest`: by what it remembers, and by its own state. Newer requests add only
 * what they say themselves, because they may have read the thread before that one had its job.
 *
 * Of A (`reported`, job 1), B (`notSent`) and C (`sending`), asked in this order, A decides: the thread goes on with job 1, also
 * where B and C remember none. Where none is answered, C remembers what was before them all.
 *
 * @param asked the latest request first @param first what the thread knew before its first comment
 */
function memoryOf(asked: readonly RecordedComment[], first: Memory): Memory {
  const remembers = ({ record }: RecordedComment) => record.memory !== undefined
  const answered = asked.findIndex((one) => remembers(one) && hasAnswer(one.record))
  const decisive = answered < 0 ? asked.findIndex(remembers) : answered
  const latest = asked
    .slice(0, decisive < 0 ? asked.length : decisive + 1)
    .reduceRight((known, comment, index) => latestIn(comment, known, index === decisive), first.latest)
  // A re-run of an earlier request may have made another job since, or the first one.
  const later = asked.filter(
    (one) => latest.job === undefined || goesOnFrom(one, latest.job.id, asked[decisive]),
  )
  const job = later.flatMap((comment) => latestIn(comment, first.latest, true).job ?? [])[0] ?? latest.job
  return {
    latest: { ...latest, job },
    grows: union([
      ...asked.flatMap(({ record }) => (isRequestRecord(record) ? growthOf(record) : [])),
      ...asked.flatMap(({ record }) => record.memory?.grows ?? []),
      first.grows,
    ]),
  }
}

/** A request that knew this job as the thread's, went to another one, and was written after the newest request. */
const goesOnFrom = (
  { record }: RecordedComment,
  jobId: string,
  newest: RecordedComment | undefined,
): boolean =>
  newest !== undefined &&
  record.writtenAt > newest.record.writtenAt &&
  record.memory?.latest.job?.id === jobId &&
  (jobOf(record)?.id ?? jobId) !== jobId

/** The agent answered it, or it leads to a job. */
const hasAnswer = ({ state }: ActionRecord): boolean => state !== 'sending' && state !== 'notSent'

/** @param isFirst its memory tells what was before it */
function latestIn({ record, url }: RecordedComment, before: Latest, isFirst: boolean): Latest {
  const { memory } = record
  const isOwn = memory !== undefined && (isFirst || hasAnswer(record))
  const skipped = memory && saysSkip(record) ? { skip: memory.latest.skip } : {}
  const known = isOwn ? memory.latest : { ...before, ...skipped }
  // The comment that says a skip cannot know its own address.
  const skip = known.skip && { ...known.skip, url: known.skip.url || url }
  if (isRequestRecord(record)) return latestAfter({ ...known, skip }, record, record, memory?.latest.job)
  return record.state === 'link' ? { ...known, skip, job: record.job } : known
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

/** @param run as records name it */
function isOfEarlierAttempt(record: Pick<RequestRecord, 'run'>, run: string): boolean {
  const [[theirs, earlier], [mine, attempt]] = [record.run.split('.'), run.split('.')]
  return theirs !== mine || Number(earlier) < Number(attempt)
}

/** What the newest request makes of what the thread knew when it was asked. @param intended the job that it was to go to */
export function latestAfter(
  latest: Latest,
  { head, commitStatus }: Pick<RequestIdentity, 'head' | 'commitStatus'>,
  state: RequestState,
  intended?: Job,
): Latest {
  switch (state.state) {
    // Nothing was asked, so what was known before stays.
    case 'idle':
      return latest
    case 'notSent': {
      // What a person asked after a skip has decided the status, and no event makes that green again.
      const isDecided = commitStatus.name !== '' && head.step === '' && failsStatus(state.ending)
      return isDecided ? { ...latest, skip: undefined } : latest
    }
    // Perhaps nothing was asked.
    case 'sending':
      return state.jobId === '' || state.jobId === intended?.id
        ? latest
        : { ...latest, job: withLinkOf(latest.job, jobWithId(state.jobId)) }
    case 'running':
    case 'reported':
      return {
        job: withLinkOf(latest.job, state.job),
        code: codeAfter(latest.code, head, state),
        skip: undefined,
      }
  }
}

/** Where a job worked on two requests at once, perhaps only the other one learned of its pull request. */
const withLinkOf = (known: Job | undefined, job: Job): Job =>
  job.prLink === '' && known?.id === job.id ? { ...job, prLink: known.prLink } : job

/** What failed goes to the agent once more, and whole. */
function codeAfter(code: Latest['code'], head: RequestIdentity['head'], state: RequestState): Latest['code'] {
  if (head.sha === '') return code
  const others = code.filter(({ step }) => step !== head.step)
  return hasFailed(state) ? others : [...others, { ...head }]
}

/** What a request adds to what only grows. */
export function growthOf(record: RequestRecord): Growing {
  const { key, coversUntil, merged, writtenAt } = record
  const checks = record.state === 'reported' ? record.checks : undefined
  const hasEnded = record.state === 'reported' || record.state === 'notSent'
  return {
    ...EMPTY_MEMORY.grows,
    sentFor: checks?.sentFor ?? [],
    hadChecks: checks?.hadAny === true ? (jobOf(record)?.prLink ?? '') : '',
    verdicts: verdictsOf(record),
    covered: isCompleted(record) ? { until: coversUntil, merged: [...merged] } : EMPTY_MEMORY.grows.covered,
    ended: hasEnded ? [{ key, writtenAt }] : [],
    // What is about to go out, a request or a fix, may still be taken back, and its comment stays until then.
    asks: record.state === 'sending' || isFollowed(record) ? [] : [...record.asks],
  }
}

function verdictsOf(record: RequestRecord): ChangesVerdict[] {
  const { key, requestedAt, head, commitStatus } = record
  const { digest } = head
  const isDecided = record.state === 'reported' || (record.state === 'notSent' && failsStatus(record.ending))
  if (!isDecided || digest === '') return []
  const { outcome, reason } = record.ending
  const checks = record.state === 'reported' ? record.checks?.status : undefined
  return [{ key, digest, requestedAt, status: digestOfText(commitStatus.name), outcome, reason, checks }]
}
