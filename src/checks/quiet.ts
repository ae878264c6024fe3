import { mayNeverEnd, type ReadCheck } from './classify.ts'
import type { Head } from './read-head.ts'

/** Times of contract 4.12, in ms. */
export interface QuietTimes {
  /** Half a minute: if nothing changes for this long, the checks count as ended. */
  readonly quietMs: number
  /** A minute: the first check, GitHub's word on conflicts, and a push may take this long. */
  readonly minuteMs: number
  /** Five minutes: running checks, or a preview, hold failures back for no longer than this. */
  readonly holdMs: number
  /** Ten minutes: the run waits this long for a check that may never end. */
  readonly stalledMs: number
}

export const QUIET_TIMES: QuietTimes = {
  quietMs: 30_000,
  minuteMs: 60_000,
  holdMs: 300_000,
  stalledMs: 600_000,
}

/** The times on a loopback server, as multiples of the pause between two readings. */
export const quietTimesHere = (pollMs: number): QuietTimes => ({
  quietMs: 2 * pollMs,
  minuteMs: 4 * pollMs,
  holdMs: 20 * pollMs,
  stalledMs: 40 * pollMs,
})

/** What the readings of a head tell. On the monotonic clock, in ms. */
export interface Watched {
  readonly head: Head
  /** When its first reading ended. */
  readonly firstReadAt: number
  /** When the last reading began and, as `readAt`, ended: limits and outages draw a reading out. */
  readonly readFrom: number
  readonly readAt: number
  readonly changedAt: number
  /** When the last of its failures came; undefined where nothing fails. */
  readonly failedAt: number | undefined
}

interface Reading extends Pick<Watched, 'readFrom' | 'readAt'> {
  readonly head: Head
  /** The forge's clock at its end, in ms since the epoch. */
  readonly clock: number
}

/** GitHub's times are whole seconds: what it dates may have come up to a second later. */
const SECOND_MS = 1000

export function watched(before: Watched | undefined, { head, clock, ...read }: Reading): Watched {
  const { readAt } = read
  if (before === undefined || before.head.sha !== head.sha)
    return {
      head,
      ...read,
      firstReadAt: readAt,
      changedAt: readAt,
      failedAt: fails(head) ? readAt : undefined,
    }
  const { firstReadAt } = before
  const known = new Set(before.head.checks.map(contentOf))
  const changed = head.checks.filter((check) => !known.has(contentOf(check)))
  // The forge tells when a check began or ended: after the last reading, at the latest now.
  const dateOf = ({ since }: ReadCheck) =>
    since === 0 ? readAt : Math.min(readAt, Math.max(before.readAt, readAt - (clock - since - SECOND_MS)))
  const isDated = changed.length > 0 && untimedOf(head) === untimedOf(before.head)
  const isSame = stateOf(head) === stateOf(before.head)
  const changedAt = isSame ? before.changedAt : isDated ? Math.max(...changed.map(dateOf)) : readAt
  const failures = changed.filter(({ result }) => result === 'failed').map(dateOf)
  const hasNewConflict = head.conflictsWith !== '' && before.head.conflictsWith === ''
  const failedAt = Math.max(before.failedAt ?? 0, ...failures, hasNewConflict ? readAt : 0)
  return { head, ...read, firstReadAt, changedAt, failedAt: fails(head) ? failedAt : undefined }
}

const fails = ({ checks, conflictsWith }: Head): boolean =>
  conflictsWith !== '' || checks.some(({ result }) => result === 'failed')

const contentOf = ({ name, result, conclusion, run }: ReadCheck): string =>
  JSON.stringify([name, result, conclusion, run?.id, run?.status])

/** What counts as a change of the head. */
const stateOf = (head: Head): string =>
  JSON.stringify([head.checks.map(contentOf), untimedOf(head), head.hasRunning])

/** What changes without a time of its own. */
const untimedOf = ({ conflictsWith, isParked }: Head): string => JSON.stringify([conflictsWith, isParked])

/** What a run waits for beside the checks themselves. */
export interface Patience {
  readonly times: QuietTimes
  /** An earlier head of the pull request had checks, so this one is to get some. */
  readonly hadChecks: boolean
  /** Until `until`, the head `sha`, from before the message to the job, does not count. */
  readonly unmoved: { readonly sha: string; readonly until: number } | undefined
  /** When a failure came that goes back to the agent; undefined for none. */
  readonly goesBackSince: number | undefined
}

/**
 * How the waiting for the checks ends: all have ended; failures have to go back although something goes on; or what is
 * left may never end.
 */
export type QuietEnd = 'ended' | 'failing' | 'stalled'

/** @returns how it ends, or at the latest when the head has to be read again */
export function judge(
  { head, firstReadAt, readFrom, readAt, changedAt }: Watched,
  { times, hadChecks, unmoved, goesBackSince }: Patience,
): QuietEnd | { readonly readAgainBy: number } {
  const { checks, conflictsWith, isParked, isMergeabilityUnknown, hasRunning } = head
  const hasNone = checks.length === 0 && conflictsWith === '' && !isParked
  const firstMs = hasNone && hadChecks ? times.holdMs : hasNone || isMergeabilityUnknown ? times.minuteMs : 0
  const pushBy = unmoved?.sha === head.sha ? unmoved.until : 0
  const endsAt = Math.max(changedAt + times.quietMs, firstReadAt + firstMs, pushBy)
  if (!hasRunning && readFrom >= endsAt) return 'ended'
  const goesBackAt = goesBackSince === undefined ? Infinity : goesBackSince + times.holdMs
  if (readAt >= goesBackAt) return 'failing'
  const running = checks.filter(({ result }) => result === 'running')
  const isStuck = running.length > 0 && running.every(mayNeverEnd)
  const stalledAt = isStuck ? changedAt + times.stalledMs : Infinity
  if (readFrom >= stalledAt) return 'stalled'
  return { readAgainBy: Math.min(goesBackAt, stalledAt, hasRunning ? Infinity : endsAt) }
}
