import pLimit from 'p-limit'
import type { AgentClient } from '../agent/client.ts'
import type { Job } from '../agent/job.ts'
import { pauseMs } from '../agent/poll.ts'
import { sleepUnlessCancelled, throwIfCancelled } from '../cancellation.ts'
import type { Deps } from '../deps.ts'
import { samePullRequest } from '../link.ts'
import type { Trigger } from '../trigger/event.ts'
import type { OpenRequest } from './open-requests.ts'
import { hasEnded } from './sweep.ts'

/** The pull request that wakes a sweep, with the open requests that it may answer. */
export interface WakeUp {
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

export interface WakeUpOptions {
  readonly client: AgentClient
  readonly serverUrl: string
  /** 0 does not wait. */
  readonly waitMs: number
}

/** The longest pause between two reads, in ms. */
const POLL_MS = 15_000
const AT_A_TIME = 8

/**
 * Waits until the job of the pull request ends, all of them have ended, or the time is up. A read that fails says
 * nothing: the sweep reads that job again.
 * @returns the jobs that ended, by their ids
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function waitForWaker(
  deps: Deps,
  { url, requests }: WakeUp,
  { client, serverUrl, waitMs }: WakeUpOptions,
): Promise<ReadonlyMap<string, Job>> {
  const ended = new Map<string, Job>()
  if (waitMs === 0) return ended
  const from = deps.monotonic()
  const deadline = from + waitMs
  const limit = pLimit(AT_A_TIME)
  const { requested } = deps.cancellation
  deps.core.info(`Woken by ${url}: waiting for the end of its job`)
  for (;;) {
    const open = requests.filter(({ record }) => !ended.has(record.job.id))
    await Promise.all(
      open.map(({ record }) =>
        limit(async () => {
          const result = await client.read(record.job.id, deadline - deps.monotonic(), requested)
          if ('job' in result && hasEnded(result.job, record, deps.now()))
            ended.set(record.job.id, result.job)
        }),
      ),
    )
    throwIfCancelled(deps.cancellation)
    const isThere = [...ended.values()].some(({ prLink }) => samePullRequest(prLink, url, serverUrl))
    const left = deadline - deps.monotonic()
    if (isThere || requests.every(({ record }) => ended.has(record.job.id)) || left <= 0) return ended
    await sleepUnlessCancelled(deps, Math.min(left, pauseMs(deps.monotonic() - from, POLL_MS, deps.random)))
    // What a last read at the deadline would tell, the sweep reads.
    if (deps.monotonic() >= deadline) return ended
  }
}
