import pLimit from 'p-limit'
import { ifKnown, JOBS_AT_A_TIME } from '../agent/agent-client.ts'
import type { RepositoryComment } from '../github/answers.ts'
import { DEFAULT_POLL_MS } from '../http/retry.ts'
import { countedIn, type RecordedComment } from '../record/fold.ts'
import type { Job } from '../record/job.ts'
import { askedAt, isLeased, openIn } from '../record/log.ts'
import { type Ending, ending, endingOf } from '../record/outcome.ts'
import { isRequestRecord, type RequestRecord, type Running } from '../record/record.ts'
import type { JobSnapshot, Report, RunEnding } from '../record/report.ts'
import { areChecksFollowed, jobOf } from '../record/states.ts'
import { afterReading, turnIsOver, turnOf } from '../record/turn.ts'
import { writeComment } from '../thread/comment.ts'
import { isNotKnown, lastChangeOf, readRecords } from '../thread/read-records.ts'
import { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { CAUSES } from '../words/notes.ts'
import type { SweepOutcome } from '../words/sweep-summary.ts'
import { conclude } from './conclude.ts'
import { lastKnownEnding } from './decide.ts'
import type { ConcludeOptions } from './result.ts'

/** A request that no run holds, and in which something is left to do. */
export interface OpenRequest<R extends RequestRecord = RequestRecord> extends RecordedComment<R> {
  readonly thread: Thread
  /** When it was asked first, or earlier, on GitHub's clock, in ms since the epoch. */
  readonly askedAt: number
  /** Requests to the same job in other threads. */
  readonly otherTurns?: readonly RequestRecord[]
}

export interface Work {
  /** Their jobs are to be read. */
  readonly running: readonly OpenRequest<RequestRecord & Running>[]
  /** Without an answer, with effects that are not done, or with a comment that a newer one replaced. */
  readonly unfinished: readonly OpenRequest[]
  /** The checks of their pull requests are to be followed. */
  readonly followed: readonly OpenRequest[]
  /** Nobody follows their checks any more, and how those ended is not known, or there were none. */
  readonly unsettled: readonly OpenRequest[]
  /** Threads of which it is not known what is left to do. */
  readonly notKnown: number
}

/**
 * What a sweep takes of the repository, the earliest request first.
 * @param since in ms since the epoch: older comments are not read
 * @throws {GitHubError} where GitHub does not answer, or refuses
 */
export async function findWork(session: Session, since: number): Promise<Work> {
  const { github } = session
  const threads = new Map<number, Thread>()
  const found: OpenRequest[] = []
  const unknown: RepositoryComment[] = []
  for await (const comments of github.listRepositoryComments(new Date(since).toISOString())) {
    const { recorded, unverified } = await readRecords(session, comments, ({ thread }) => thread)
    unknown.push(...unverified)
    for (const { record, thread: number, ...comment } of recorded) {
      if (!isRequestRecord(record)) continue
      const thread = threads.get(number) ?? new Thread(number)
      threads.set(number, thread)
      found.push({ ...comment, thread, record, askedAt: askedAt(comment, record) })
    }
  }
  const now = github.clock()
  const byThread = [...Map.groupBy(found, ({ thread }) => thread).values()]
  const open = byThread.flatMap((inThread) => openIn(inThread, now))
  const elsewhere = (one: OpenRequest) => {
    const id = jobOf(one.record)?.id
    const ofJob = found.filter(({ thread, record }) => thread !== one.thread && jobOf(record)?.id === id)
    return id === undefined ? [] : ofJob.map(({ record }) => record)
  }
  const withTurns = open.map((one): OpenRequest => ({ ...one, otherTurns: elsewhere(one) }))
  const ordered = withTurns.toSorted((a, b) => a.record.requestedAt - b.record.requestedAt)
  const unsettled = byThread
    .flatMap((inThread) => countedIn(inThread))
    .filter(({ record, updatedAt }) => isUnsettled(record) && !isLeased(record, updatedAt, now))
  const unverified = [...Map.groupBy(unknown, ({ thread }) => thread)].filter(([number, comments]) =>
    isNotKnown(
      lastChangeOf(comments),
      found.filter(({ thread }) => thread.number === number),
    ),
  )
  return {
    running: ordered.filter(isRunning),
    unfinished: ordered.filter((one) => !isRunning(one) && !areChecksFollowed(one.record)),
    followed: ordered.filter((one) => areChecksFollowed(one.record)),
    unsettled: unsettled.toSorted((a, b) => a.record.requestedAt - b.record.requestedAt),
    notKnown: unverified.length,
  }
}

const isUnsettled = (record: RequestRecord): boolean =>
  record.state === 'ended' &&
  record.settings.fixAttempts > 0 &&
  record.checks?.isWatched === false &&
  ['none', 'pending'].includes(record.checks.status)

export const isRunning = (one: OpenRequest): one is Work['running'][number] => one.record.state === 'running'

export type SweepResult = SweepOutcome & { readonly request: OpenRequest<RequestRecord & Running> }

/** Each thread's in the order of its requests. @param failed one request's trouble does not stop the others */
export async function inThreads<R extends OpenRequest, T>(
  requests: readonly R[],
  act: (request: R) => Promise<T>,
  failed: (request: R, error: unknown) => T,
): Promise<readonly T[]> {
  const threads = [...Map.groupBy(requests, ({ thread }) => thread).values()]
  const done = await pLimit(JOBS_AT_A_TIME).map(threads, async (inThread) => {
    const results: T[] = []
    for (const one of inThread) results.push(await act(one).catch((error: unknown) => failed(one, error)))
    return results
  })
  return done.flat()
}

/** Reads each job once, and reports those that ended. */
export async function endRunning(
  session: Session,
  requests: Work['running'],
): Promise<readonly SweepResult[]> {
  const { client, github } = session
  // Without a second try but for a job that is missing: what fails is left to the next sweep.
  const read = async (id: string) => ({
    job: await ifKnown(client.read(id, { isKnown: true })),
    at: github.clock(),
  })
  const readings = new Map<string, ReturnType<typeof read>>()
  const collect = async (request: Work['running'][number]): Promise<SweepResult> => {
    const { id } = request.record.job
    const reading = readings.get(id) ?? read(id)
    readings.set(id, reading)
    return await endOne(session, request, await reading)
  }
  return await inThreads(requests, collect, (request, error) => ({ kind: 'failed', request, error }))
}

/** Does what runs that were killed left. */
export async function endUnfinished(session: Session, requests: readonly OpenRequest[]): Promise<void> {
  await inThreads(
    requests,
    async (request) => {
      await concludeFound(session, request, { ending: lastKnownEnding(request.record) }, SWEEP)
    },
    ({ thread }, error) => session.warnings.add(['thread', thread.number], error),
  )
}

interface Reading extends Pick<JobSnapshot, 'job' | 'at'> {
  readonly log?: JobSnapshot['log']
  /** Where the job names no pull request yet. */
  readonly readsAgain?: boolean
  /** Ends another read of the job. */
  readonly signal?: AbortSignal
}

/** @throws {GitHubError} where GitHub does not take its result */
export async function endOne(
  session: Session,
  request: OpenRequest<RequestRecord & Running>,
  { job, at, log, signal, readsAgain = true }: Reading,
  concluder = SWEEP,
): Promise<SweepResult> {
  const { record, updatedAt } = request
  // The record dates its message by its own order, so the reading is dated by that, too: GitHub tells how much later it came.
  const messagedAt = record.messagedAt && Math.max(record.messagedAt, record.acceptedAt)
  const wasBusy = record.wasBusy && session.commentMode !== 'off'
  const now = record.writtenAt + at - updatedAt
  const turn = turnOf({ ...record, messagedAt, wasBusy }, record.writtenAt)
  const settling = session.client.lagOf(DEFAULT_POLL_MS)
  if (job !== undefined && !turnIsOver(afterReading(turn, job, now), now, settling)) {
    if (wasBusy && job.status !== record.job.status) await writeDown(session, request, job)
    return { kind: 'active', request, job }
  }
  const last = job && readsAgain ? await session.client.atItsEnd(job, DEFAULT_POLL_MS, signal) : job
  const end = last === undefined ? ending('error', 'job-not-found', CAUSES.jobGone) : endingOf(last)
  // What comes while the thread is read again is no reason to doubt what was read before.
  const readAt = last === job ? at : session.github.clock()
  const report = await concludeFound(session, request, { ending: end, job: last, log, readAt }, concluder)
  return report === undefined ? { kind: 'taken', request } : { kind: 'finished', request, report }
}

/** Between two turns, how long a job has been at rest counts from the first record that says so. */
async function writeDown(session: Session, found: OpenRequest, job: Job): Promise<void> {
  const run = await takeUp(session, found, job)
  if (run !== undefined) await writeComment(session, run, { kind: 'status comment', words: '' })
}

/** The author of the comment that this sweep replaced, and its own account, if they differ. */
export function accountsOf({
  thread,
  record,
  id,
  author,
}: OpenRequest): readonly [string, string] | undefined {
  const own = thread.recordsFor(record).current
  const isNew = own !== undefined && own.id !== id
  if (!isNew || author === undefined || own.author === undefined) return undefined
  return own.author.login === author.login ? undefined : [author.login, own.author.login]
}

export const SWEEP: ConcludeOptions = {
  role: 'sweep',
  timeoutMs: 0,
  minPermission: 'write',
  show: () => undefined,
}

/**
 * Takes a request up, as the thread has it now, right before its comment is written.
 * @returns undefined where another run was faster
 */
export async function takeUp(
  session: Session,
  { thread, record }: OpenRequest,
  job: Job | undefined,
): Promise<Run | undefined> {
  const mayWrite = session.commentMode !== 'off'
  if (mayWrite && (await thread.hasNewRecord(session, record, record.writtenAt))) return undefined
  const run = Run.fromRecord(record, thread, mayWrite)
  if (job !== undefined && run.state.state === 'running') run.noteJob(job)
  return run
}

/** @returns undefined where another run was faster @throws {GitHubError} where GitHub does not take it */
export async function concludeFound(
  session: Session,
  found: OpenRequest,
  end: { readonly ending: Ending; readonly job?: Job | undefined } & Pick<RunEnding, 'log' | 'readAt'>,
  concluder: ConcludeOptions,
): Promise<Report | undefined> {
  const run = await takeUp(session, found, end.job)
  const { otherTurns = [] } = found
  const concluded =
    run &&
    (await conclude(session, run, { ...end.ending, otherTurns, log: end.log, readAt: end.readAt }, concluder))
  if (run?.failure !== undefined) throw run.failure
  return concluded?.report
}
