import { type Cancellation, sleepUnlessCancelled } from '../cancellation.ts'
import { Cancelled } from '../errors.ts'
import type { ServiceDeps } from '../http/service.ts'
import { ServiceError } from '../http/service-error.ts'
import { clock, duration } from '../text.ts'
import type { AgentClient, JobResult } from './client.ts'
import { explainFailure } from '../http/explain.ts'
import { isKnownStatus, isTerminal, type Job } from './job.ts'
import { pauseMs } from './pause.ts'
import { backoffMs, isUnreadable, UNREADABLE_TRIES, verdictOf } from '../http/retry.ts'

export interface FollowDeps extends ServiceDeps {
  random(): number
  log(line: string): void
  readonly cancellation: Cancellation
}

export interface FollowRequest {
  /** As the service answered to create, message, or a first read. */
  readonly job: Job
  /** When the job was sent a message, in ms since the epoch; undefined for a new job. */
  readonly messagedAt?: number
  /** In ms since the epoch; nothing is asked later. */
  readonly deadline: number
  /** The longest pause between two reads. */
  readonly pollMs: number
  /** When the step began, for the times in the log. */
  readonly startedAt: number
  /** Called with every job that is read. */
  readonly onJob: (job: Job) => void
}

/** `timedOut` names why it ended before the deadline, if it did. */
export type Followed = { readonly job: Job } | { readonly job: Job; readonly timedOut: string }

/** The log shows at least one line a minute (contract 2.5). */
const LOG_EVERY_MS = 60_000

/**
 * Reads the job until it ends, or until the deadline.
 * @throws {ServiceError} when the service says that reading on is of no use
 * @throws {Cancelled} as soon as the run is told to stop
 */
export async function follow(
  deps: FollowDeps,
  client: AgentClient,
  request: FollowRequest,
): Promise<Followed> {
  const { deadline, pollMs, messagedAt } = request
  const from = deps.now()
  const log = progress(deps, request.startedAt)
  let { job } = request
  let turnBegan = messagedAt === undefined || job.status === 'active'
  let failures = 0
  let unreadable = 0
  const ended = () => isTerminal(job.status) && (turnBegan || settled(messagedAt, pollMs, deps.now()))

  log.status(job)
  while (!ended()) {
    const growing = failures === 0 ? 0 : Math.min(pollMs, backoffMs(failures, deps.random))
    const pause = Math.max(growing, pauseMs(deps.now() - from, pollMs, deps.random))
    const answer = await nextAnswer(deps, client, job, log, Math.min(deps.now() + pause, deadline), deadline)
    if (answer === 'deadline') return { job, timedOut: '' }
    if ('job' in answer) {
      failures = unreadable = 0
      job = answer.job
      turnBegan ||= job.status === 'active'
      request.onJob(job)
      log.status(job)
      continue
    }
    const { failure } = answer
    const error = new ServiceError(failure, explainFailure('read', failure, client.access, job.id))
    failures++
    unreadable = isUnreadable(failure) ? unreadable + 1 : 0
    if (verdictOf('read', failure) === 'end' || unreadable >= UNREADABLE_TRIES) throw error
    deps.log(`${error.message} The job goes on; reading it again.`)
    const wait = failure.kind === 'status' ? (failure.retryAfterMs ?? 0) : 0
    if (deps.now() + wait > deadline) {
      return { job, timedOut: `The service asks to come back in ${duration(wait)}.` }
    }
    await log.pause(deps.now() + wait)
  }
  return { job }
}

/** After a message a terminal status may be the last turn's, for as long as two of the longest pauses (4.8). */
function settled(messagedAt: number | undefined, pollMs: number, now: number): boolean {
  return messagedAt === undefined || now - messagedAt >= 2 * pollMs
}

/** Pauses until `at`, then reads once, within what is left of the time. */
async function nextAnswer(
  deps: FollowDeps,
  client: AgentClient,
  job: Job,
  log: Progress,
  at: number,
  deadline: number,
): Promise<JobResult | 'deadline'> {
  await log.pause(at)
  const left = deadline - deps.now()
  if (left <= 0) return 'deadline'
  const answer = await client.read(job.id, left, deps.cancellation.requested)
  if (deps.cancellation.requested.aborted) throw new Cancelled()
  return answer
}

interface Progress {
  /** A line if the status is another than last time. */
  status(job: Job): void
  /** Waits until `at` (ms since the epoch), with a line a minute. */
  pause(at: number): Promise<void>
}

function progress(deps: FollowDeps, startedAt: number): Progress {
  let shown: string | undefined
  let lastLine = deps.now()
  const line = (note = '') => {
    lastLine = deps.now()
    deps.log(`  ${clock(deps.now() - startedAt).padStart(5)}  ${shown}${note}`)
  }
  return {
    status(job) {
      if (job.status === shown) return
      shown = job.status
      line(isKnownStatus(shown) ? '' : ' (a status that this action does not know; waiting on)')
    },
    async pause(at) {
      for (;;) {
        const now = deps.now()
        const nextLine = lastLine + LOG_EVERY_MS
        if (now >= at && now < nextLine) return
        if (now >= nextLine) line()
        else await sleepUnlessCancelled(deps, Math.min(at, nextLine) - now)
      }
    },
  }
}
