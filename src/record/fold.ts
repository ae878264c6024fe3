import { type AcceptedChanges, acceptedChangesIn, type SaidSkip, skipIn } from './changes-fold.ts'
import type { Job } from './job.ts'
import { type ActionRecord, isRequestRecord, type RequestRecord } from './record.ts'
import { runOf, wasAskedByPullRequestEvent } from './request-identity.ts'
import { isCompleted, isInDoubt, isWithAgent, jobOf } from './states.ts'

// Read this file first. The records in the action's comments are the log of a thread; each says how one request stands. What a
// thread knows is a fold over its log, and nothing else remembers anything. A log, by the numbers of its comments:
//
//   11  alice  ended    accepted at 10:01 by job j_1, which opened pull request 77
//   12  bob    closed   not sent: `daily-limit`
//   13  carol  running  accepted at 10:30 by j_1, which works
//   14  dave   sending  to j_1, written at 10:31; then the run was lost
//
// folds to
//
//   job      j_1 with pull request 77: the next request goes there, once 14 is answered, or given up
//   inDoubt  14, of dave: j_1 may have it. No event asks it again; a person may
//   …        what each feature finds in its own part of the records
//
// There are two orders. What the agent has goes by `acceptedAt`, which `running` writes once, later than all that its run has
// read. What people read goes by `requestedAt`. GitHub's ids of comments are the queue: see `queue.ts`.

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
export type Log = readonly RecordedComment[]

/** The records of its requests, without backlinks. */
export const requestsIn = (log: Log): readonly RequestRecord[] =>
  log.flatMap(({ record }) => (isRequestRecord(record) ? record : []))

/** What completed requests covered. */
export interface Covered {
  /** The newest of their merges, in ms since the epoch; 0 for none. */
  readonly until: number
  /** Numbers of the merged pull requests. */
  readonly merged: readonly number[]
}

/** What the log of a thread tells. */
export interface Facts {
  /** The job that accepted last, with its newest pull request. */
  readonly job: Job | undefined
  /** Requests that the agent may have, the latest first: they go out now, or it is not known what became of them. */
  readonly inDoubt: readonly RequestComment[]
  /** The code as each job has it, by the step that brought it; '' for commands. */
  readonly acceptedChanges: readonly AcceptedChanges[]
  /** In force: no request came after it. */
  readonly skip: SaidSkip | undefined
  readonly covered: Covered
  /** SHAs of commits whose failed checks went back to the agent. */
  readonly sentFor: readonly string[]
  /** Links to the agent's pull requests of which a head had a check. */
  readonly hadChecks: readonly string[]
  /** Links to the agent's pull requests that got reviewers and labels: what people take away stays away. */
  readonly reviewersSetOn: readonly string[]
}

export function fold(log: Log): Facts {
  const records = log.map(({ record }) => record)
  const counted = countedIn(log)
  const requests = counted.map(({ record }) => record)
  return {
    job: jobIn(records),
    inDoubt: inDoubtIn(counted),
    acceptedChanges: acceptedChangesIn(requests),
    skip: skipIn(counted),
    covered: coveredIn(requests),
    ...checksIn(requests),
    reviewersSetOn: records.flatMap(({ reviewersSetOn }) => reviewersSetOn),
  }
}

/** Of two equally new records, the older comment comes first: a bot that repeats a comment posts its copy later. */
export const newestFirst = (a: RecordedComment, b: RecordedComment): number =>
  b.record.writtenAt - a.record.writtenAt || a.id - b.id

const latestFirst = (a: RecordedComment, b: RecordedComment): number =>
  b.record.requestedAt - a.record.requestedAt

const isRequestComment = <C extends RecordedComment>(comment: C): comment is C & RequestComment =>
  isRequestRecord(comment.record)

/** The records of requests, by the request, the newest first. */
export const byRequest = <C extends RecordedComment>(log: readonly C[]) =>
  Map.groupBy(log.filter(isRequestComment).toSorted(newestFirst), ({ record }) => record.requestDigest)

/**
 * The records that count, the latest request first: of one request, the newest. A newest that names no job hides nothing that the
 * agent has, or may have: beside it, such records of other runs count, too.
 */
export const countedIn = <C extends RecordedComment>(log: readonly C[]): readonly (C & RequestComment)[] =>
  [...byRequest(log).values()]
    .flatMap(([newest, ...older]) => {
      if (newest === undefined || jobOf(newest.record) !== undefined) return newest ?? []
      const byRun = Map.groupBy(older, ({ record }) => runOf(record))
      byRun.delete(runOf(newest.record))
      const others = [...byRun.values()].flatMap(([newestOfRun]) => newestOfRun ?? [])
      return [newest, ...others.filter(({ record }) => isInDoubt(record) || isWithAgent(record))]
    })
    .toSorted(latestFirst)

function jobIn(records: readonly ActionRecord[]): Job | undefined {
  const accepted = records.flatMap((record) => {
    const job = jobOf(record)
    const { writtenAt } = record
    if (job !== undefined && 'acceptedAt' in record) return [{ job, at: record.acceptedAt, writtenAt }]
    // The request may have gone to that job, which counts where no job is known to have accepted one.
    return record.state === 'sending' && record.to ? [{ job: record.to, at: -1, writtenAt }] : []
  })
  const sorted = accepted.toSorted((a, b) => b.at - a.at || b.writtenAt - a.writtenAt)
  const job = sorted[0]?.job
  // Where a job worked on two requests at once, perhaps only the other one learned of its pull request.
  const { prLink = '' } = sorted.find((one) => one.job.id === job?.id && one.job.prLink !== '')?.job ?? {}
  return job && (job.prLink === '' ? { ...job, prLink } : job)
}

/**
 * The end of a later request decides what is in doubt about their job: what that had by then, it had worked on. So does, of changes, a
 * request about their merge that a person had asked again, in whichever workflow; a command asked for something else.
 */
function inDoubtIn(counted: readonly RequestComment[]): readonly RequestComment[] {
  const isOver = ({ record }: RequestComment) => {
    const to = 'to' in record ? record.to?.id : undefined
    const ends = (later: RequestRecord) =>
      later.state === 'ended' && later.job.id === to && later.requestedAt > record.requestedAt
    const isOfChanges = record.merged.length === 1 || wasAskedByPullRequestEvent(record)
    const asksAgain = (later: RequestRecord) =>
      isOfChanges &&
      'acceptedAt' in later &&
      later.acceptedAt > record.writtenAt &&
      later.merged.length === 1 &&
      later.head.sha !== '' &&
      later.head.sha === record.head.sha
    return counted.some((other) => (to !== undefined && ends(other.record)) || asksAgain(other.record))
  }
  return counted.filter((one) => isInDoubt(one.record) && !isOver(one))
}

/** What went back to the agent, and which of its pull requests have checks at all. */
function checksIn(requests: readonly RequestRecord[]) {
  const checks = requests.flatMap((record) =>
    'checks' in record && record.checks !== undefined ? [{ ...record.checks, link: record.job.prLink }] : [],
  )
  return {
    sentFor: checks.flatMap(({ sentFor }) => sentFor),
    hadChecks: checks.flatMap(({ hadAny, link }) => (hadAny ? link : [])),
  }
}

function coveredIn(requests: readonly RequestRecord[]): Covered {
  const completed = requests.filter(isCompleted)
  return {
    until: Math.max(0, ...completed.map(({ coversUntil }) => coversUntil)),
    merged: [...new Set(completed.flatMap(({ merged }) => merged))],
  }
}

/** What is known of a thread without records. */
export const NO_FACTS = fold([])
