import { sleepUnlessCancelled } from '../cancellation.ts'
import { isKnownStatus, isTerminal } from '../request/outcome.ts'
import { clock } from '../text.ts'
import { type AgentClient, type AgentDeps, readJob } from './client.ts'
import type { Job } from './job.ts'

export interface PollRequest {
  /** As the service answered to create, message, or a first read. */
  readonly job: Job
  /** Monotonic time, in ms, of the message that the job works on; undefined for a new job. */
  readonly messagedAt: number | undefined
  /** Monotonic time, in ms; no read starts later. */
  readonly deadline: number
  /** The longest pause between two reads, in ms. */
  readonly pollMs: number
  /** Monotonic start of the step, for the times in the log. */
  readonly startedAt: number
  /** Called with every job that is read. */
  readonly onJob: (job: Job) => void | Promise<void>
}

/** The job as last read; `timedOut` is set when the deadline came first, and says why if that was early. */
export interface PollResult {
  readonly job: Job
  readonly timedOut?: string
}

/**
 * Reads the job until it ends, or until the deadline.
 * @throws {ServiceError} when the service says that reading on is of no use
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function pollJob(
  deps: AgentDeps,
  client: AgentClient,
  request: PollRequest,
): Promise<PollResult> {
  const { deadline, pollMs, messagedAt } = request
  const from = deps.monotonic()
  const { log, pause } = progressLog(deps, { startedAt: request.startedAt, isKnown: isKnownStatus })
  let { job } = request
  let turnBegan = messagedAt === undefined || job.status === 'active'
  // After a message, a terminal status can belong to the last turn for as long as two of the longest pauses (4.8).
  const settled = () => messagedAt !== undefined && deps.monotonic() - messagedAt >= 2 * pollMs

  log(job.status)
  while (!(isTerminal(job.status) && (turnBegan || settled()))) {
    const next = deps.monotonic() + pauseMs(deps.monotonic() - from, pollMs, deps.random)
    await pause(Math.min(deadline, next))
    const result = await readJob(deps, client, { jobId: job.id, deadline, pollMs, pause })
    if ('timedOut' in result) return { job, timedOut: result.timedOut }
    job = result.job
    turnBegan ||= job.status === 'active'
    await request.onJob(job)
    log(job.status)
  }
  return { job }
}

/** The first pause, and how it grows with the time waited (contract 4.6). */
const FIRST_MS = 2000
const GROWTH = 0.1
const SPREAD = 0.1

/**
 * Pause before the next read, in ms: 2 s and a tenth of the time already waited, at most `longestMs`, varied by a tenth
 * at random.
 */
export function pauseMs(waitedMs: number, longestMs: number, random: () => number): number {
  const pause = Math.min(longestMs, FIRST_MS + waitedMs * GROWTH)
  return Math.min(longestMs, pause * (1 - SPREAD + 2 * SPREAD * random()))
}

export interface ProgressLog {
  /** A line if the status changed. */
  log(status: string): void
  /** Waits until `at` (monotonic ms), with a line a minute (contract 2.5). */
  pause(at: number): Promise<void>
}

export interface ProgressOptions {
  /** Monotonic start of the step, for the times in the log. */
  readonly startedAt: number
  readonly isKnown: (status: string) => boolean
  /** Before each status: what it is the status of. */
  readonly label?: string
}

const LOG_EVERY_MS = 60_000

export function progressLog(deps: AgentDeps, options: ProgressOptions): ProgressLog {
  const { startedAt, isKnown, label = '' } = options
  let shown: string | undefined
  let lastLine = deps.monotonic()
  const line = (note = '') => {
    lastLine = deps.monotonic()
    deps.core.info(`  ${clock(lastLine - startedAt).padStart(5)}  ${label}${shown || 'no status'}${note}`)
  }
  return {
    log(status) {
      if (status === shown) return
      shown = status
      line(isKnown(shown) ? '' : ' (this version does not know the status, and keeps waiting)')
    },
    async pause(at) {
      for (let now = deps.monotonic(); now < at; now = deps.monotonic()) {
        if (now >= lastLine + LOG_EVERY_MS) line()
        await sleepUnlessCancelled(deps, Math.min(at, lastLine + LOG_EVERY_MS) - now)
      }
      if (deps.monotonic() >= lastLine + LOG_EVERY_MS) line()
    },
  }
}
