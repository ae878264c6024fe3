import pLimit from 'p-limit'
import { ifKnown, JOBS_AT_A_TIME } from '../agent/agent-client.ts'
import { CAUSES } from '../messages/notes.ts'
import type { Report } from '../messages/phrases.ts'
import type { Job } from '../request/job.ts'
import { askedAt } from '../request/lease.ts'
import { type Ending, ending, endingOf } from '../request/outcome.ts'
import { isRequestRecord } from '../request/record.ts'
import { remembers, transition } from '../request/states.ts'
import { hasEnded, turnOf } from '../request/turn.ts'
import { adoptFound } from '../run/adopt.ts'
import { asSweep } from '../run/callers.ts'
import { settle } from '../run/settle.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { trustedRecords } from '../thread/trusted-records.ts'
import { type FoundComment, type KnownRequest, type OpenRequest, type Work, workIn } from './work.ts'

/**
 * What a sweep takes of the repository.
 * @param since in ms since the epoch: older comments are not read
 * @throws {ForgeError} where GitHub does not answer, or refuses
 */
export async function findWork({ forge, scope }: Session, since: number): Promise<Work> {
  const threads = new Map<number, Thread>()
  const byKey = new Map<string, FoundComment[]>()
  for await (const comments of forge.listRepositoryComments(new Date(since).toISOString())) {
    const recorded = await trustedRecords(forge, comments, ({ thread }) => ({ ...scope, thread }))
    for (const { body, record, thread: number, ...comment } of recorded) {
      if (!isRequestRecord(record)) continue
      const thread = threads.get(number) ?? new Thread(number)
      threads.set(number, thread)
      const key = `${number}:${record.key}`
      // Without the texts, which can be long.
      const asked = { ...comment, thread, record, askedAt: askedAt(comment, record) }
      byKey.set(key, [...(byKey.get(key) ?? []), asked])
    }
  }
  return workIn(byKey.values(), forge.clock())
}

export type Collected = { readonly request: OpenRequest } & (
  | { readonly kind: 'finished'; readonly report: Report }
  | { readonly kind: 'active'; readonly job: Job }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Another run took it up, or reported it, since the sweep began. */
  | { readonly kind: 'taken' }
)

/** What is done for one request may change what another one of its thread left, so these take their turns. */
function byThread<R extends KnownRequest>(requests: readonly R[]): R[][] {
  const threads = new Map<Thread, R[]>()
  for (const request of requests)
    threads.set(request.thread, [...(threads.get(request.thread) ?? []), request])
  return [...threads.values()]
}

/** What the service says of a job. */
interface Reading {
  /** Undefined where the service no longer knows it. */
  readonly job: Job | undefined
  /** When it was read, on the forge's clock, in ms since the epoch. */
  readonly at: number
}

/**
 * Reads each job once, for all the requests that it serves, and reports those that ended. A thread gets its reports in
 * the order of its requests, so that the latest result stands last.
 */
export async function sweep(
  session: Session,
  requests: readonly OpenRequest[],
): Promise<readonly Collected[]> {
  const { client, forge } = session
  const [reads, threads] = [pLimit(JOBS_AT_A_TIME), pLimit(JOBS_AT_A_TIME)]
  const readings = new Map<string, Promise<Reading>>()
  const readOnce = (id: string): Promise<Reading> => {
    // Without a second try but for a job that is missing (4.4): what fails is left to the next sweep.
    const reading =
      readings.get(id) ??
      reads(async () => ({ job: await ifKnown(client.read(id, { isKnown: true })), at: forge.clock() }))
    readings.set(id, reading)
    return reading
  }
  // Each request that waits for it reports why it failed, and may come to that late.
  for (const { record } of requests) readOnce(record.job.id).catch(() => undefined)
  const collected = await threads.map(byThread(requests), async (inThread) => {
    const done: Collected[] = []
    for (const request of inThread) {
      try {
        done.push(await collectOne(session, request, await readOnce(request.record.job.id)))
      } catch (error) {
        // One job's trouble does not stop the others (contract 8.3).
        done.push({ kind: 'failed', request, error })
      }
    }
    return done
  })
  return collected.flat()
}

/** @throws {ForgeError} where GitHub does not take its result */
async function collectOne(session: Session, known: OpenRequest, { job, at }: Reading): Promise<Collected> {
  const { commentMode } = session
  const { record, updatedAt } = known
  // The runner's clock dates message and record, and the forge tells how long before the reading the record was written.
  const now = record.writtenAt + at - updatedAt
  const mayWrite = commentMode !== 'off'
  // Without comments, no record can say since when a job is at rest: one reading of an end has to do.
  const turn = turnOf({ ...record, wasBusy: record.wasBusy && mayWrite }, now, record.writtenAt)
  if (job === undefined || hasEnded(job, turn)) {
    const end = job === undefined ? ending('error', 'job-not-found', CAUSES.jobGone) : endingOf(job)
    return await reportEnd(session, known, job, end)
  }
  const isKnown = remembers(record, transition(record, { type: 'read', job }))
  if (mayWrite && (known.hasLeftOver || !isKnown)) {
    const request = await adoptFound(session, known)
    if (request !== undefined) {
      request.apply({ type: 'read', job })
      await settle(session, request, asSweep(session.deps))
    }
  }
  return { kind: 'active', request: known, job }
}

/** @param job undefined where the service no longer knows it @throws {ForgeError} where GitHub does not take its result */
async function reportEnd(
  session: Session,
  known: OpenRequest,
  job: Job | undefined,
  end: Ending,
): Promise<Collected> {
  const request = await adoptFound(session, known)
  if (request === undefined) return { kind: 'taken', request: known }
  if (job !== undefined) request.apply({ type: 'read', job })
  const settled = await settle(session, request, asSweep(session.deps), { kind: 'recorded', end })
  if (settled === undefined || settled.isTheirs) return { kind: 'taken', request: known }
  if (settled.failure !== undefined) throw settled.failure
  return { kind: 'finished', request: known, report: settled.report }
}

/**
 * Does what runs that were killed, or that GitHub did not answer, left open: what follows an end, the comments that it
 * replaces, and a request of which it is not known whether it went out.
 */
export async function finishLeftOver(session: Session, requests: readonly KnownRequest[]): Promise<void> {
  await pLimit(JOBS_AT_A_TIME).map(byThread(requests), async (inThread) => {
    for (const known of inThread) {
      try {
        const request = await adoptFound(session, known)
        const caller = asSweep(session.deps)
        if (request !== undefined) await settle(session, request, caller)
      } catch (error) {
        session.warnings.add(['thread', known.thread.number], error)
      }
    }
  })
}
