import { sleepUnlessCancelled } from '../deps.ts'
import { type Late, type Read, type RetryDeps, retryRead } from '../http/retry.ts'
import { isLoopback } from '../link.ts'
import type { Job } from '../request/job.ts'
import { isKnownStatus, isTerminal } from '../request/outcome.ts'
import { clock } from '../text.ts'
import type { AgentClient } from './agent-client.ts'

export interface WaitOptions {
  /** On the monotonic clock, in ms, like `startedAt`; nothing is sent or read later. */
  readonly deadline: number
  /** The longest pause between two reads, in ms, unless the service asks for a longer one. */
  readonly pollMs: number
  readonly startedAt: number
}

export interface PollRequest extends WaitOptions {
  readonly job: Job
  /** On the monotonic clock, in ms; undefined for a new job. */
  readonly messagedAt: number | undefined
  readonly onJob: (job: Job) => void | Promise<void>
}

/** After a message, a terminal status younger than this can be the last turn's (contract 4.8). */
export const SETTLED_MS = 30_000

/**
 * @returns the job as last read; `timedOut` is set when the deadline came first: why, if early
 * @throws {ServiceError} when the service says that reading on is of no use
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function pollJob(
  deps: RetryDeps,
  client: AgentClient,
  request: PollRequest,
): Promise<{ readonly job: Job; readonly timedOut?: string }> {
  const { pollMs, messagedAt } = request
  const { log, readNext } = watch(deps, request, isKnownStatus)
  let { job } = request
  let turnBegan = messagedAt === undefined || job.status === 'active'
  const staleMs = isLoopback(client.access.baseUrl) ? 2 * pollMs : Math.max(2 * pollMs, SETTLED_MS)
  const settled = () => messagedAt !== undefined && deps.monotonic() - messagedAt >= staleMs

  log(job.status)
  while (!(isTerminal(job.status) && (turnBegan || settled()))) {
    const read = await readNext((leftMs, signal) => client.read(job.id, leftMs, signal))
    if ('timedOut' in read) return { job, timedOut: read.timedOut }
    job = read
    turnBegan ||= job.status === 'active'
    await request.onJob(job)
    log(job.status)
  }
  return { job }
}

/** In ms: 2 s and a tenth of the time already waited, varied by a tenth at random (contract 4.6). */
export function pauseMs(waitedMs: number, longestMs: number, random: () => number): number {
  const pause = Math.min(longestMs, 2000 + waitedMs * 0.1)
  return Math.min(longestMs, pause * (0.9 + 0.2 * random()))
}

const LOG_EVERY_MS = 60_000

/**
 * Reads something again and again, and logs its status at each change and once a minute (contract 2.5).
 * @param label before each status: what it is the status of
 */
export function watch(
  deps: RetryDeps,
  { deadline, pollMs, startedAt }: WaitOptions,
  isKnown: (status: string) => boolean,
  label = '',
) {
  const from = deps.monotonic()
  let shown: string | undefined
  let lastLine = from
  const line = (note = '') => {
    lastLine = deps.monotonic()
    deps.core.info(`  ${clock(lastLine - startedAt).padStart(5)}  ${label}${shown || 'no status'}${note}`)
  }
  const pause = async (until: number): Promise<void> => {
    for (let now = deps.monotonic(); now < until; now = deps.monotonic()) {
      if (now >= lastLine + LOG_EVERY_MS) line()
      await sleepUnlessCancelled(deps, Math.min(until, lastLine + LOG_EVERY_MS) - now)
    }
    if (deps.monotonic() >= lastLine + LOG_EVERY_MS) line()
  }
  return {
    log(status: string): void {
      if (status === shown) return
      shown = status
      line(isKnown(shown) ? '' : ' (this version does not know the status, and keeps waiting)')
    },
    /** At most until the deadline. */
    pauseUntil: (until: number): Promise<void> => pause(Math.min(deadline, until)),
    pauseMs: (waitedMs: number): number => pauseMs(waitedMs, pollMs, deps.random),
    /** After a pause, and again after faults that pass: see `retryRead`. */
    async readNext<T extends object>(read: Read<T>): Promise<T | Late> {
      const began = deps.monotonic()
      await pause(Math.min(deadline, began + pauseMs(began - from, pollMs, deps.random)))
      return await retryRead(deps, { deadline, pollMs, began, isKnown: true, pause }, read)
    },
  }
}
