import type { Trigger } from '../event/trigger.ts'
import { DEFAULT_POLL_MS } from '../inputs.ts'
import { asTime } from '../json.ts'
import { samePullRequest } from '../link.ts'
import type { Job } from '../request/job.ts'
import { findOwner } from '../run/pull-request-owner.ts'
import type { Session } from '../thread/session.ts'
import type { OpenRequest } from './open-requests.ts'

const ACTIONS = ['opened', 'synchronize']

/**
 * The requests whose job may have opened the pull request that wakes a sweep (contract 8.4), once that job ended or the
 * time is up. A job names its pull request only later, so those without one are read to tell.
 * @param waitMs 0 does not wait
 * @returns none for every other event: those get an ordinary sweep
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function waitForWaker(
  session: Session,
  { event, action, subject }: Trigger,
  requests: readonly OpenRequest[],
  waitMs: number,
): Promise<readonly OpenRequest[]> {
  if (event !== 'pull_request' || !ACTIONS.includes(action) || subject === undefined) return []
  const { deps, context } = session
  const { url } = subject
  // A bot that brings its old pull requests up to date is not the agent.
  const createdAt = action === 'synchronize' ? subject.createdAt : 0
  const named = requests.filter(({ record }) => samePullRequest(record.job.prLink, url, context.serverUrl))
  const unnamed = requests.filter(
    ({ record }) => record.job.prLink === '' && mayHaveOpened(record.job, createdAt),
  )
  const known = named.length > 0 ? named : unnamed
  const read = async (ms: number) => {
    const jobs = known.map(({ record }) => record.job.id)
    const waiting = { deadline: deps.monotonic() + ms, pollMs: DEFAULT_POLL_MS, untilEnd: true }
    return await findOwner(session, url, jobs, waiting)
  }
  // The agent may work under a person's name: one read tells whether a job has opened what a person did.
  const isAgents = named.length > 0 || subject.author?.bot === true
  if (known.length === 0 || (!isAgents && (await read(0)).owner === undefined)) return []
  if (waitMs > 0) {
    const whose = named.length > 0 ? 'its job' : 'the jobs that may have opened it'
    deps.core.info(`Woken by ${url}: waiting for the end of ${whose}`)
    await read(waitMs)
  }
  return known
}

/** @param createdAt in ms since the epoch; 0 where it does not matter */
const mayHaveOpened = (job: Job, createdAt: number): boolean =>
  createdAt === 0 || asTime(job.createdAt) <= createdAt + CLOCK_SKEW_MS

/** How far the clocks of the service and of the forge may be apart. */
const CLOCK_SKEW_MS = 10_000
