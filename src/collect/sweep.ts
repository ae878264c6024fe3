import pLimit from 'p-limit'
import { ifKnown } from '../agent/agent-client.ts'
import type { WaitOptions } from '../agent/poll.ts'
import type { Deps } from '../deps.ts'
import { finish } from '../finish/finish.ts'
import { hasEnded } from '../finish/follow.ts'
import { JOBS_AT_A_TIME } from '../finish/pull-request-owner.ts'
import { settleReaction } from '../finish/thread-result.ts'
import { DEFAULT_POLL_MS } from '../inputs.ts'
import { foldedPromptOf } from '../messages/comments.ts'
import type { Report } from '../messages/report.ts'
import type { Job } from '../request/job.ts'
import { ending } from '../request/outcome.ts'
import { identityOf } from '../request/record.ts'
import { AgentRequest } from '../step/agent-request.ts'
import type { Session } from '../thread/session.ts'
import type { KnownRequest, OpenRequest } from './open-requests.ts'

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
    const reading = readings.get(id) ?? reads(() => readOnce(session, id))
    // Each request that waits for it reports why it failed, and may come to that late.
    reading.catch(() => undefined)
    readings.set(id, reading)
    byThread.set(request.thread, [...(byThread.get(request.thread) ?? []), request])
  }
  const collected = await threads.map(byThread.values(), async (inThread) => {
    const done: Collected[] = []
    for (const request of inThread) {
      const reading = readings.get(request.record.job.id)
      const failed = (error: unknown): Collected => ({ kind: 'failed', request, error })
      // One job's trouble does not stop the others (contract 8.3).
      done.push(await collectOne(session, request, reading).catch(failed))
    }
    return done
  })
  return collected.flat()
}

/** Without a second try: what fails is left to the next sweep. */
const readOnce = ({ deps, client }: Session, jobId: string): Reading =>
  ifKnown(client.read(jobId, undefined, deps.cancellation.requested))

/** @throws where the job cannot be read, or GitHub does not take its result */
async function collectOne(
  session: Session,
  known: OpenRequest,
  reading: Reading | undefined,
): Promise<Collected> {
  const { deps, commentMode } = session
  const job = await reading
  if (job !== undefined && !hasEnded(job, known.record, deps.now())) {
    return { kind: 'active', request: known, job }
  }
  const request = openRequest(session, known)
  // Without comments nothing remembers that a job was reported, so it changes nothing (contract 8.2).
  request.isGranted = commentMode !== 'off'
  if (request.isGranted && !(await isCurrent(request, known))) return { kind: 'taken', request: known }
  const finished = await finish(request, {
    patience: { read: async () => job },
    waiting: request.isGranted ? () => previewTime(deps) : undefined,
    isRepeated: true,
    ifNotEnded: (error) => {
      throw error
    },
    show: () => undefined,
  })
  const isWritten = finished !== undefined && (finished.commentUrl !== '' || !request.isGranted)
  if (!isWritten || finished.isUnwritten)
    throw new Error(`GitHub did not take the result of #${known.thread}.`)
  return { kind: 'finished', request: known, report: finished.report }
}

/** No job's preview holds up a sweep for longer than this (contract 8.1). */
const PREVIEW_MS = 60_000

const previewTime = ({ monotonic }: Deps): WaitOptions => ({
  deadline: monotonic() + PREVIEW_MS,
  pollMs: DEFAULT_POLL_MS,
  startedAt: monotonic(),
})

/** Right before the report the thread is read again (contract 8.2): another run may have been faster. */
async function isCurrent(request: AgentRequest, { record, updatedAt }: OpenRequest): Promise<boolean> {
  // The runner's clock may have been far ahead when it wrote the record.
  const { own } = await request.thread.read(Math.min(record.requestedAt, updatedAt) - CLOCK_SKEW_MS)
  request.text = foldedPromptOf(own?.body ?? '')
  return own?.record.writtenAt === record.writtenAt
}

/** How far the clocks of a runner and of the forge may be apart. */
const CLOCK_SKEW_MS = 300_000

function openRequest(session: Session, { thread, record }: KnownRequest): AgentRequest {
  const request = new AgentRequest({ session, thread, identity: identityOf(record) })
  request.goOnFrom(record)
  return request
}

/** Finishes what a run began that was killed right after it wrote the result: the reaction, and the old comments. */
export async function tidyUp(session: Session, requests: readonly KnownRequest[]): Promise<void> {
  const untidy = requests.filter(({ replaced }) => replaced.length > 0)
  await pLimit(JOBS_AT_A_TIME).map(untidy, async (known) => {
    const request = openRequest(session, known)
    // What ended without its job reported ended as an error does.
    await settleReaction(request, known.record, ending('error'))
    await request.thread.delete(known.replaced)
  })
}
