import type { ChecksStatus } from '../record/check-results.ts'
import { type Ending, ending, endingOf, endsJob, isTerminal } from '../record/outcome.ts'
import type { RequestRecord, Running } from '../record/record.ts'
import { type Ended, isEndUncertain, isInDoubt } from '../record/states.ts'

// A job works on one request after the other, and tells how the last of them ended. Of an earlier one it tells that it is over, and
// which pull request the job has.

type TurnRecord = RequestRecord & (Running | Ended)

const isTurnOf =
  (jobId: string) =>
  (record: RequestRecord): record is TurnRecord =>
    (record.state === 'running' || record.state === 'ended') && record.job.id === jobId

/** The request went out to the job, and it is not known whether it arrived. */
const mayBeTurnOf = (jobId: string, record: RequestRecord): boolean =>
  isInDoubt(record) && 'to' in record && record.to?.id === jobId

/** Requests that the job got, or may have got, after this one. */
export const laterTurns = (
  { job, acceptedAt }: Pick<TurnRecord, 'job' | 'acceptedAt'>,
  others: readonly RequestRecord[],
): readonly RequestRecord[] =>
  others.filter((record) =>
    isTurnOf(job.id)(record)
      ? record.acceptedAt > acceptedAt
      : mayBeTurnOf(job.id, record) && record.writtenAt > acceptedAt,
  )

export interface TurnEnd {
  readonly ending: Ending
  /** Of the pull request that an earlier turn opened, as a later one read them. */
  readonly checks?: ChecksStatus | undefined
}

/**
 * How a turn ended whose job was read to its end. @param own its record, before that reading @param others records, also of later turns
 */
export function endOfTurn(own: TurnRecord, others: readonly RequestRecord[], end: Ending): TurnEnd {
  if (own.state !== 'running' || !endsJob(end)) return { ending: end }
  const turns = others.filter(isTurnOf(own.job.id)).toSorted((a, b) => a.acceptedAt - b.acceptedAt)
  const before = turns.findLast(({ acceptedAt }) => acceptedAt < own.acceptedAt)
  const later = laterTurns(own, others)
  if (later.length === 0) return { ending: end }
  // The job was read to the end of this turn before there was another one.
  if (own.messagedAt === 0 && isTerminal(own.job)) return { ending: endingOf(own.job) }
  const after = turns.filter(({ acceptedAt }) => acceptedAt > own.acceptedAt)
  const [next] = after
  if (next === undefined || !openedPullRequest(own, before, next))
    return { ending: ending('error', 'end-uncertain') }
  const read = after.findLast((turn) => turn.state === 'ended' && turn.checks !== undefined)
  const checks = read?.state === 'ended' && !read.checks?.isWatched ? read.checks?.status : undefined
  return { ending: ending('pull-request'), checks }
}

/**
 * The job had no pull request before the turn, and one before the next turn. The first tells the end of the turn before, if that
 * opened none; the second, the plan of the next message.
 */
function openedPullRequest(own: TurnRecord, before: TurnRecord | undefined, next: TurnRecord): boolean {
  const hadNone = own.messagedAt === 0 || (before !== undefined && openedNone(before))
  const isNamed = own.job.prLink !== '' && own.writtenAt <= next.acceptedAt
  return hadNone && (isNamed || next.headBefore !== '' || next.note.pullRequest === 'unreadable')
}

const openedNone = (turn: TurnRecord): boolean =>
  turn.state === 'ended' && !isEndUncertain(turn) && turn.job.prLink === ''
