import type { Trigger } from '../event/trigger.ts'
import { findOwner } from '../finish/pull-request-owner.ts'
import { DEFAULT_POLL_MS } from '../inputs.ts'
import { samePullRequest } from '../link.ts'
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
  const named = requests.filter(({ record }) => samePullRequest(record.job.prLink, url, context.serverUrl))
  const unnamed = requests.filter(({ record }) => record.job.prLink === '')
  const candidates = named.length > 0 ? named : unnamed
  if (candidates.length === 0 || waitMs === 0) return candidates
  deps.core.info(`Woken by ${url}: waiting for the end of its job`)
  const jobs = candidates.map(({ record }) => ({ id: record.job.id, requestedAt: record.requestedAt }))
  const waiting = { deadline: deps.monotonic() + waitMs, pollMs: DEFAULT_POLL_MS }
  await findOwner(session, url, jobs, waiting)
  return candidates
}
