import { sleepUnlessCancelled } from '../core/cancellation.ts'
import { isKnownStatus, isTerminal, type Job } from '../core/job.ts'
import { clock } from '../core/text.ts'
import type { AgentClient } from './client.ts'
import { pauseMs } from './pause.ts'
import { type ReadDeps, read } from './read.ts'

export interface FollowRequest {
  /** As the service answered to create, message, or a first read. */
  readonly job: Job
  /** When the job was sent a message, in ms since the epoch; undefined for a new job. */
  readonly messagedAt: number | undefined
  /** In ms since the epoch; nothing is asked later. */
  readonly deadline: number
  /** The longest pause between two reads. */
  readonly pollMs: number
  /** When the step began, for the times in the log. */
  readonly startedAt: number
  /** Called with every job that is read. */
  readonly onJob: (job: Job) => void
}

/** The job as last read; `timedOut` is set when the time was up first, and says why if that was early. */
export interface Followed {
  readonly job: Job
  readonly timedOut?: string
}

/** The log shows at least one line a minute (contract 2.5). */
const LOG_EVERY_MS = 60_000

/**
 * Reads the job until it ends, or until the deadline.
 * @throws {ServiceError} when the service says that reading on is of no use
 * @throws {Cancelled} as soon as the run is told to stop
 */
export async function follow(deps: ReadDeps, client: AgentClient, request: FollowRequest): Promise<Followed> {
  const { deadline, pollMs, messagedAt } = request
  const from = deps.now()
  const { log, pause } = progress(deps, request.startedAt)
  let { job } = request
  let turnBegan = messagedAt === undefined || job.status === 'active'
  // After a message, a terminal status may be the last turn's for as long as two of the longest pauses (4.8).
  const settled = () => messagedAt !== undefined && deps.now() - messagedAt >= 2 * pollMs

  log(job)
  while (!(isTerminal(job.status) && (turnBegan || settled()))) {
    await pause(Math.min(deadline, deps.now() + pauseMs(deps.now() - from, pollMs, deps.random)))
    const result = await read(deps, client, { jobId: job.id, deadline, pollMs, pause })
    if ('timedOut' in result) return { job, timedOut: result.timedOut }
    job = result.job
    turnBegan ||= job.status === 'active'
    request.onJob(job)
    log(job)
  }
  return { job }
}

interface Progress {
  /** A line if the status is another than last time. */
  log(job: Job): void
  /** Waits until `at` (ms since the epoch), with a line a minute. */
  pause(at: number): Promise<void>
}

function progress(deps: ReadDeps, startedAt: number): Progress {
  let shown: string | undefined
  let lastLine = deps.now()
  const line = (note = '') => {
    lastLine = deps.now()
    deps.log(`  ${clock(deps.now() - startedAt).padStart(5)}  ${shown || 'no status'}${note}`)
  }
  return {
    log(job) {
      if (job.status === shown) return
      shown = job.status
      line(isKnownStatus(shown) ? '' : ' (not a status that this action knows: waiting on)')
    },
    async pause(at) {
      for (let now = deps.now(); now < at; now = deps.now()) {
        if (now >= lastLine + LOG_EVERY_MS) line()
        await sleepUnlessCancelled(deps, Math.min(at, lastLine + LOG_EVERY_MS) - now)
      }
      if (deps.now() >= lastLine + LOG_EVERY_MS) line()
    },
  }
}
