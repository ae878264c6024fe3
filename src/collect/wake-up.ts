import pLimit from 'p-limit'
import { pauseMs } from '../agent/poll.ts'
import { sleepUnlessCancelled, throwIfCancelled } from '../cancellation.ts'
import type { Trigger } from '../event/trigger.ts'
import { DEFAULT_POLL_MS } from '../inputs.ts'
import { samePullRequest } from '../link.ts'
import { hasEnded, type OpenRequest } from './open-requests.ts'
import { AT_A_TIME, type Sweep } from './sweep.ts'

/** The pull request that wakes a sweep, with the open requests that it may answer. */
interface WakeUp {
  readonly url: string
  readonly requests: readonly OpenRequest[]
}

const ACTIONS = ['opened', 'synchronize']

/**
 * The requests to look at first (contract 8.4): those whose job has this pull request. A job names its pull request
 * only once it ends, so for one that a bot opened it may be any whose job has none yet.
 * @returns undefined for every other event: those get an ordinary sweep
 */
export function wakeUpOf(
  { event, action, subject }: Trigger,
  requests: readonly OpenRequest[],
  serverUrl: string,
): WakeUp | undefined {
  if (event !== 'pull_request' || !ACTIONS.includes(action) || subject === undefined) return undefined
  const { url, author } = subject
  const named = requests.filter(({ record }) => samePullRequest(record.job.prLink, url, serverUrl))
  const unnamed = author?.bot === true ? requests.filter(({ record }) => record.job.prLink === '') : []
  const candidates = named.length > 0 ? named : unnamed
  return candidates.length === 0 ? undefined : { url, requests: candidates }
}

/**
 * Waits until the job of the pull request ends, all of them have ended, or the time is up; the sweep then knows the
 * jobs that ended. A read that fails says nothing: the sweep reads that job again.
 * @param waitMs 0 does not wait
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function waitForWaker(all: Sweep, { url, requests }: WakeUp, waitMs: number): Promise<void> {
  if (waitMs === 0) return
  const { deps, client, context, ended } = all
  const from = deps.monotonic()
  const deadline = from + waitMs
  deps.core.info(`Woken by ${url}: waiting for the end of its job`)
  for (;;) {
    const open = requests.filter(({ record }) => !ended.has(record.job.id))
    await pLimit(AT_A_TIME).map(open, async (request) => {
      const { id } = request.record.job
      const result = await client.read(id, deadline - deps.monotonic(), deps.cancellation.requested)
      if ('job' in result && hasEnded(result.job, request, deps.now())) ended.set(id, result.job)
    })
    throwIfCancelled(deps.cancellation)
    const links = [...ended.values()].map(({ prLink }) => prLink)
    const isThere = links.some((link) => samePullRequest(link, url, context.serverUrl))
    const left = deadline - deps.monotonic()
    if (isThere || requests.every(({ record }) => ended.has(record.job.id)) || left <= 0) return
    await sleepUnlessCancelled(
      deps,
      Math.min(left, pauseMs(deps.monotonic() - from, DEFAULT_POLL_MS, deps.random)),
    )
    // What a last read at the deadline would tell, the sweep reads.
    if (deps.monotonic() >= deadline) return
  }
}
