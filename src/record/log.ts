import {
  byRequest,
  countedIn,
  type Facts,
  fold,
  type Log,
  newestFirst,
  type RecordedComment,
  type RequestComment,
} from './fold.ts'
import type { RequestIdentity, RequestRecord } from './record.ts'
import { areEffectsDone, isUnfinished, jobOf } from './states.ts'

export type RequestId = Pick<RequestIdentity, 'requestDigest' | 'attemptsDigest' | 'attempt'>

/**
 * The log of a thread as one request reads it. Suppose that carol's request of the example in `fold.ts` was in doubt (`closed`, comment 13),
 * and a re-run asks it again (`sending`, comment 15). For the re-run, 15 is `current`, 13 is `replaced`, and 11, 12, 14 are `others`.
 */
export interface ThreadRecords {
  /** The comment of this very request that counts. */
  readonly current: RequestComment | undefined
  /** The other comments of this request, which `current` has replaced. */
  readonly replaced: readonly RequestComment[]
  /** All other records that count, the latest request first, also of another run that asks for the same. */
  readonly others: readonly RequestComment[]
  readonly refusal: RecordedComment | undefined
  /** Where the agent's pull request was asked for, if this is its thread. */
  readonly askingThread: number | undefined
  readonly facts: Facts
  /** When the latest of the other requests was asked. */
  readonly othersAskedAt: number
}

export function recordsOf(log: Log, id: RequestId): ThreadRecords {
  const counting = countedIn(log)
  const requests = byRequest(log)
  const digest = currentDigest([...requests.values()].flat(), id)
  const ofDigest = requests.get(digest) ?? []
  const current = currentOf(ofDigest, counting, id)
  const others = counting.filter((comment) => comment !== current)
  const sorted = log.toSorted(newestFirst)
  const backlinks = sorted.filter(({ record }) => record.state === 'backlink')
  return {
    current,
    replaced: current === undefined ? [] : replacedBy(current, ofDigest, counting),
    others,
    refusal: sorted.find(({ record }) => record.state === 'refusal'),
    askingThread: backlinks.flatMap(({ record }) => ('thread' in record ? (record.thread ?? []) : []))[0],
    facts: fold(log),
    othersAskedAt: Math.max(0, ...[...others, ...backlinks].map(({ record }) => record.requestedAt)),
  }
}

/** The record of this attempt, whatever another run has by now; else one with a job, before one without. */
function currentOf(
  ofDigest: readonly RequestComment[],
  counting: readonly RequestComment[],
  { attempt }: RequestId,
): RequestComment | undefined {
  const mine = ofDigest.find(({ record }) => record.attempt === attempt)
  if (mine !== undefined) return mine
  const count = ofDigest.filter((comment) => counting.includes(comment))
  return count.find(({ record }) => jobOf(record) !== undefined) ?? count[0]
}

/**
 * Comments of a request that no longer count. A copy that another bot posts is not the action's to delete; a job that is known
 * from nowhere else stays known.
 */
const replacedBy = (
  current: RequestComment,
  ofDigest: readonly RequestComment[],
  counting: readonly RequestComment[],
): readonly RequestComment[] =>
  ofDigest.filter(
    (one) =>
      !counting.includes(one) &&
      one.author?.login === current.author?.login &&
      (jobOf(one.record) === undefined || jobOf(current.record) !== undefined),
  )

/**
 * The digest of the request. A re-run can compute another prompt, and with that another digest: its record is then the only one
 * that an earlier attempt of this run and step left.
 */
function currentDigest(
  requests: readonly RequestComment[],
  { requestDigest, attemptsDigest, attempt }: RequestId,
): string {
  if (attemptsDigest === '' || requests.some(({ record }) => record.requestDigest === requestDigest))
    return requestDigest
  const ofEarlier = requests.filter(
    ({ record }) => record.attemptsDigest === attemptsDigest && isOfEarlierAttempt(record, attempt),
  )
  const [only = requestDigest, ...more] = new Set(ofEarlier.map(({ record }) => record.requestDigest))
  return more.length === 0 ? only : requestDigest
}

/** Another run of the same changes may have written it last. @param attempt as records name it */
function isOfEarlierAttempt(record: Pick<RequestRecord, 'attempt'>, attempt: string): boolean {
  const [[theirs, earlier], [mine, now]] = [record.attempt.split('.'), attempt.split('.')]
  return theirs !== mine || Number(earlier) < Number(now)
}

// How long a run holds its request, by which others leave it alone.

/** For so long, a request that goes out keeps the others of its thread waiting: by then its answer came, or never will. */
export const SENDING_MS = 180_000

/** For so long after its deadline, a run can still say how the request ended. */
export const REPORTING_MS = 60_000

/**
 * A run may still work on the request, or say how it ended: what goes out is held for three minutes, and everything else until the
 * deadline of its run, and a minute more. The run, or its post step, releases it with a record in which `leaseMs` is 0.
 * @param updatedAt of its comment, on GitHub's clock, like `now`
 */
export function isLeased({ state, leaseMs }: RequestRecord, updatedAt: number, now: number): boolean {
  if (leaseMs === 0) return false
  return updatedAt + (state === 'sending' ? SENDING_MS : leaseMs + REPORTING_MS) > now
}

/**
 * A time on GitHub's clock, in ms since the epoch, at which the request was asked first, or a little earlier. The clocks of
 * runners and of the service can be hours apart from it.
 */
export const askedAt = (
  { createdAt, updatedAt }: { readonly createdAt: number; readonly updatedAt: number },
  record: Pick<RequestRecord, 'writtenAt' | 'requestedAt'>,
): number => Math.min(createdAt, updatedAt - Math.max(0, record.writtenAt - record.requestedAt))

/** Of a log, what may have been asked by then: what came later has nothing to do with what was read then. @param at on GitHub's clock */
export const askedUntil = (log: Log, at: number): Log =>
  log.filter((comment) => askedAt(comment, comment.record) <= at + CLOCK_MS)

/** GitHub dates in whole seconds. */
const CLOCK_MS = 2000

/** The requests of a thread that no run holds, and in which something is left to do. @param now on GitHub's clock */
export function openIn<C extends RecordedComment>(
  log: readonly C[],
  now: number,
): readonly (C & RequestComment)[] {
  const requests = byRequest(log)
  const counting = countedIn(log)
  return counting.filter((comment) => {
    const { record, updatedAt } = comment
    if (isLeased(record, updatedAt, now)) return false
    const replaced = replacedBy(comment, requests.get(record.requestDigest) ?? [], counting)
    const isQuiet = updatedAt + REPORTING_MS <= now
    return isUnfinished(record) || (isQuiet && (replaced.length > 0 || !areEffectsDone(record)))
  })
}
