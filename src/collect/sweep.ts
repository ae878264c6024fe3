import pLimit from 'p-limit'
import { ifKnown } from '../agent/agent-client.ts'
import type { Deps } from '../deps.ts'
import type { WaitOptions } from '../http/retry.ts'
import { DEFAULT_POLL_MS } from '../inputs/inputs.ts'
import type { Report } from '../messages/phrases.ts'
import { leftOverOf, type RequestComment, recordThatCounts, stillOpen } from '../request/history.ts'
import type { Job } from '../request/job.ts'
import { ending } from '../request/outcome.ts'
import { identityOf, isRequestRecord, type RequestRecord, type Running } from '../request/record.ts'
import { askedAt, JOBS_AT_A_TIME } from '../run/agent-pull-requests.ts'
import { endCommitStatus, verdictOn } from '../run/commit-status.ts'
import { finish, hasEnded } from '../run/finish.ts'
import { Request } from '../run/request.ts'
import { setReaction } from '../thread/reactions.ts'
import type { Session } from '../thread/session.ts'
import { trustedRecords } from '../thread/thread.ts'

/** A request in a thread of the repository, by the record that counts. */
interface KnownRequest<R extends RequestRecord = RequestRecord> {
  readonly thread: number
  readonly record: R
  /** When it was asked first, or earlier, on the forge's clock, in ms since the epoch. */
  readonly askedAt: number
  /** Of the comment with the record, on the same clock. */
  readonly updatedAt: number
  /** Something follows the result, or a comment is left that it replaces. */
  readonly hasLeftOver: boolean
}

/** A request whose job is known, and that no run waits for any more (contract 8.1). */
export type OpenRequest = KnownRequest<Extract<RequestRecord, Running>>

/**
 * A run reports for a while after its deadline, and does what follows its result. A list can show a record that it has
 * replaced since.
 */
const REPORTING_MS = 60_000

type FoundComment = Omit<KnownRequest, 'hasLeftOver'> & Pick<RequestComment, 'id' | 'author'>

/**
 * The requests that no run waits for any more, the earliest first.
 * @param since in ms since the epoch: older comments are not read
 * @throws {ForgeError} where GitHub does not answer, or refuses
 */
export async function findRequests(
  { forge, scope }: Session,
  since: number,
): Promise<readonly KnownRequest[]> {
  const byKey = new Map<string, FoundComment[]>()
  for await (const comments of forge.listRepositoryComments(new Date(since).toISOString())) {
    const recorded = await trustedRecords(forge, comments, ({ thread }) => ({ ...scope, thread }))
    for (const { body, record, ...comment } of recorded) {
      if (!isRequestRecord(record)) continue
      const key = `${comment.thread}:${record.key}`
      // Without the texts, which can be long.
      const asked = { ...comment, record, askedAt: askedAt(comment, record) }
      byKey.set(key, [...(byKey.get(key) ?? []), asked])
    }
  }
  const now = forge.clock()
  return [...byKey.values()]
    .flatMap((comments) => {
      const counts = recordThatCounts(comments)
      if (counts === undefined) return []
      // What the runner's clock says of its deadline counts from when the forge got it.
      const { waitsMs, state } = counts.record
      const isAtWork = waitsMs > 0 || state === 'reported'
      if (isAtWork && counts.updatedAt + waitsMs + REPORTING_MS > now) return []
      const hasLeftOver =
        leftOverOf(comments, counts).length > 0 || stillOpen(counts.record, comments).length > 0
      return [{ ...counts, hasLeftOver }]
    })
    .toSorted((a, b) => a.record.requestedAt - b.record.requestedAt)
}

export type Collected = { readonly request: OpenRequest } & (
  | { readonly kind: 'finished'; readonly report: Report }
  | { readonly kind: 'active'; readonly job: Job }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Another run took it up, or reported it, since the sweep began. */
  | { readonly kind: 'taken' }
)

/** A job, undefined where the service no longer knows it. */
type Reading = Promise<Job | undefined>

/**
 * Reads each job once, for all the requests that it serves, and reports those that ended. A thread gets its reports in
 * the order of its requests, so that the last one is the one to continue.
 */
export async function sweep(
  session: Session,
  requests: readonly OpenRequest[],
): Promise<readonly Collected[]> {
  const [reads, threads] = [pLimit(JOBS_AT_A_TIME), pLimit(JOBS_AT_A_TIME)]
  const readings = new Map<string, Reading>()
  const byThread = new Map<number, OpenRequest[]>()
  for (const request of requests) {
    const { id } = request.record.job
    // Without a second try but for a job that is missing (4.4): what fails is left to the next sweep.
    const reading = readings.get(id) ?? reads(() => ifKnown(session.client.read(id, { isKnown: true })))
    // Each request that waits for it reports why it failed, and may come to that late.
    reading.catch(() => undefined)
    readings.set(id, reading)
    byThread.set(request.thread, [...(byThread.get(request.thread) ?? []), request])
  }
  const collected = await threads.map(byThread.values(), async (inThread) => {
    const done: Collected[] = []
    for (const request of inThread) {
      const reading = readings.get(request.record.job.id)
      try {
        done.push(await collectOne(session, request, reading))
      } catch (error) {
        // One job's trouble does not stop the others (contract 8.3).
        done.push({ kind: 'failed', request, error })
      }
    }
    return done
  })
  return collected.flat()
}

/** @throws where the job cannot be read, or GitHub does not take its result */
async function collectOne(
  session: Session,
  known: OpenRequest,
  reading: Reading | undefined,
): Promise<Collected> {
  const { deps, forge, commentMode } = session
  const { record, updatedAt } = known
  const job = await reading
  // The runner's clock says how long before the record the message was, and the forge how long ago that is.
  const sinceMessage = forge.clock() - updatedAt + Math.max(0, record.writtenAt - record.messagedAt)
  // Without comments nothing remembers that a job was reported, so it changes nothing (contract 8.2).
  const isGranted = commentMode !== 'off'
  if (job !== undefined && !hasEnded(job, record, sinceMessage)) {
    if (isGranted && known.hasLeftOver) {
      const request = await takeUp(session, known, true)
      await request?.thread?.keepOne(session, request.identity)
    }
    return { kind: 'active', request: known, job }
  }
  const request = await takeUp(session, known, isGranted)
  if (request === undefined) return { kind: 'taken', request: known }
  const result = await finish(session, request, {
    job: { look: async () => job },
    pullRequestWait: isGranted ? () => previewTime(deps) : undefined,
    ifNotEnded: (error) => {
      throw error
    },
    isRepeated: true,
    show: () => undefined,
  })
  if (result === undefined || (isGranted && (result.failure !== undefined || result.standing === 'theirs')))
    throw new Error(`GitHub did not take the result of #${known.thread}.`)
  return { kind: 'finished', request: known, report: result.report }
}

/** No job's preview holds up a sweep for longer than this (contract 8.1). */
const PREVIEW_MS = 60_000

const previewTime = ({ monotonic }: Deps): WaitOptions => ({
  deadline: monotonic() + PREVIEW_MS,
  pollMs: DEFAULT_POLL_MS,
  startedAt: monotonic(),
})

/** How far the clocks of a runner and of the forge may be apart. */
const CLOCK_SKEW_MS = 300_000

/**
 * Goes on from the record of the request, as a re-run does.
 * @returns undefined where another run was faster: right before the report the thread is read again (contract 8.2)
 */
async function takeUp(
  session: Session,
  { thread, record, updatedAt }: KnownRequest,
  isGranted: boolean,
): Promise<Request | undefined> {
  const request = new Request(identityOf(record))
  request.isGranted = isGranted
  request.useThread(thread)
  // The runner's clock may have been far ahead when it wrote the record.
  const since = Math.min(record.requestedAt, updatedAt) - CLOCK_SKEW_MS
  if (isGranted) await request.thread?.read(session, since)
  const own = request.history?.own
  if (isGranted && own?.record.writtenAt !== record.writtenAt) return undefined
  request.goOnFrom(record, own?.body)
  return request
}

/** Such a record lists nothing as open, so only the commit status itself tells whether a run could end it (4.13). */
export const mayBePending = ({ state, commitStatus }: RequestRecord): boolean =>
  commitStatus.name !== '' && (state === 'unknown' || state === 'notSent')

/**
 * Does what runs that were killed, or that GitHub did not answer, left open: what follows a result, the comments that it
 * replaces, and a request of which it is not known whether it went out.
 */
export async function finishLeftOver(session: Session, requests: readonly KnownRequest[]): Promise<void> {
  await pLimit(JOBS_AT_A_TIME).map(requests, async (known) => {
    const { record, hasLeftOver } = known
    const { name, sha } = record.commitStatus
    try {
      if (mayBePending(record) && !hasLeftOver) {
        const statuses = await session.forge.commitStatuses(session.forge.repository, sha)
        if (!statuses.some(({ context, state }) => context === name && state === 'pending')) return
      }
      const request = await takeUp(session, known, true)
      if (request === undefined) return
      const { state } = request
      if (state.state === 'sending') request.apply({ type: 'tell' })
      if (state.state === 'reported' || state.state === 'sending') {
        await finish(session, request, {
          job: { look: async () => undefined },
          ifNotEnded: () => undefined,
          isRepeated: true,
          show: () => undefined,
        })
      } else {
        // What ended without its job reported ended as an error does.
        const reason = state.state === 'unknown' ? 'creation-uncertain' : ''
        const verdict =
          state.state === 'idle'
            ? undefined
            : verdictOn(request, { ...ending('error', reason), job: undefined })
        await Promise.all([
          setReaction(session, record.comment, 'confused', undefined),
          endCommitStatus(session, request, verdict),
        ])
        await request.thread?.keepOne(session, request.identity)
      }
    } catch (error) {
      session.warnings.add(['thread', known.thread], error)
    }
  })
}
