import pLimit from 'p-limit'
import { ifKnown } from '../agent/agent-client.ts'
import { pauseMs, type WaitOptions } from '../agent/poll.ts'
import { sleepUnlessCancelled, throwIfCancelled } from '../cancellation.ts'
import { samePullRequest } from '../link.ts'
import { type Job, jobWithId } from '../request/job.ts'
import { isTerminal } from '../request/outcome.ts'
import type { Session } from '../thread/session.ts'

/** Jobs read at a time (contract 8.1). */
export const JOBS_AT_A_TIME = 8

interface Owner {
  /** The job of the pull request. */
  readonly owner: Job | undefined
  /** One that still works, or that cannot be read, so that it is not known; undefined where all have ended. */
  readonly working: Job | undefined
}

interface OwnerWait extends Pick<WaitOptions, 'deadline' | 'pollMs'> {
  /** Goes on until the job of the pull request ends, too. */
  readonly untilEnd?: boolean
}

/**
 * Reads the jobs until one of them names the pull request, all of them have ended, or time is up. A job that the service
 * no longer knows does not count.
 * @param options a deadline in the past reads each job once
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function findOwner(
  { deps, client, context }: Session,
  url: string,
  jobIds: readonly string[],
  { deadline, pollMs, untilEnd = false }: OwnerWait,
): Promise<Owner> {
  const from = deps.monotonic()
  let open = [...new Set(jobIds)]
  for (;;) {
    const read = await pLimit(JOBS_AT_A_TIME).map(open, (id) =>
      ifKnown(client.read(id, undefined, deps.cancellation.requested)).catch(() => jobWithId(id)),
    )
    throwIfCancelled(deps.cancellation)
    const known = read.flatMap((job) => job ?? [])
    const owner = known.find(({ prLink }) => samePullRequest(prLink, url, context.serverUrl))
    const working = known.filter(({ status }) => !isTerminal(status))
    const left = deadline - deps.monotonic()
    const isFound = owner !== undefined && (!untilEnd || isTerminal(owner.status))
    if (isFound || working.length === 0 || left <= 0) return { owner, working: working[0] }
    open = (owner === undefined ? working : [owner]).map(({ id }) => id)
    await sleepUnlessCancelled(deps, Math.min(left, pauseMs(deps.monotonic() - from, pollMs, deps.random)))
  }
}
