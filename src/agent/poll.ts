import { sleepUnlessCancelled } from '../cancellation.ts'
import type { RetryDeps } from '../http/retry.ts'
import { isKnownStatus, isTerminal } from '../request/outcome.ts'
import { clock } from '../text.ts'
import { type AgentClient, readJob, type WaitOptions } from './client.ts'
import type { Job } from './job.ts'

export interface PollRequest extends WaitOptions {
  /** As the service answered to create, message, or a first read. */
  readonly job: Job
  /** Monotonic time, in ms, of the message that the job works on; undefined for a new job. */
  readonly messagedAt: number | undefined
  readonly onJob: (job: Job) => void | Promise<void>
}

/**
 * Reads the job until it ends, or until the deadline.
 * @returns the job as last read; `timedOut` is set when the deadline came first, and says why if that was early
 * @throws {ServiceError} when the service says that reading on is of no use
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function pollJob(
  deps: RetryDeps,
  client: AgentClient,
  request: PollRequest,
): Promise<{ readonly job: Job; readonly timedOut?: string }> {
  const { deadline, pollMs, messagedAt } = request
  const { log, pause, untilNextRead } = progressLog(deps, request, isKnownStatus)
  let { job } = request
  let turnBegan = messagedAt === undefined || job.status === 'active'
  // After a message, a terminal status can belong to the last turn for as long as two of the longest pauses (4.8).
  const settled = () => messagedAt !== undefined && deps.monotonic() - messagedAt >= 2 * pollMs

  log(job.status)
  while (!(isTerminal(job.status) && (turnBegan || settled()))) {
    await untilNextRead()
    const result = await readJob(deps, client, job.id, { deadline, pollMs, pause })
    if ('timedOut' in result) return { job, timedOut: result.timedOut }
    job = result.job
    turnBegan ||= job.status === 'active'
    await request.onJob(job)
    log(job.status)
  }
  return { job }
}

/**
 * Pause before the next read, in ms: 2 s and a tenth of the time already waited, at most `longestMs`, varied by a tenth
 * at random (contract 4.6).
 */
export function pauseMs(waitedMs: number, longestMs: number, random: () => number): number {
  const pause = Math.min(longestMs, 2000 + waitedMs * 0.1)
  return Math.min(longestMs, pause * (0.9 + 0.2 * random()))
}

const LOG_EVERY_MS = 60_000

/**
 * Tells the log what is waited for, at each change and once a minute (contract 2.5).
 * @param label before each status: what it is the status of
 */
export function progressLog(
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
  /** Waits until the given monotonic time. */
  const pause = async (until: number): Promise<void> => {
    for (let now = deps.monotonic(); now < until; now = deps.monotonic()) {
      if (now >= lastLine + LOG_EVERY_MS) line()
      await sleepUnlessCancelled(deps, Math.min(until, lastLine + LOG_EVERY_MS) - now)
    }
    if (deps.monotonic() >= lastLine + LOG_EVERY_MS) line()
  }
  return {
    /** A line if the status changed. */
    log(status: string): void {
      if (status === shown) return
      shown = status
      line(isKnown(shown) ? '' : ' (this version does not know the status, and keeps waiting)')
    },
    pause,
    async untilNextRead(): Promise<void> {
      const now = deps.monotonic()
      await pause(Math.min(deadline, now + pauseMs(now - from, pollMs, deps.random)))
    },
  }
}
