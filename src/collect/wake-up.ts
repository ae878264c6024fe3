import type { Trigger } from '../event/trigger.ts'
import { DEFAULT_POLL_MS } from '../inputs/inputs.ts'
import { samePullRequest } from '../link.ts'
import { findOwner, showsAgent } from '../run/pull-request-owner.ts'
import type { Session } from '../thread/session.ts'
import type { OpenRequest } from './open-requests.ts'

const ACTIONS = ['opened', 'synchronize']

/**
 * The requests whose job may have opened the pull request that wakes a sweep (contract 8.4), once that job ended or the
 * time is up. A job names its pull request only at its end, so those that may have opened it are read to tell.
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
  const { url, createdAt } = subject
  const named = requests.filter(({ record }) => samePullRequest(record.job.prLink, url, context.serverUrl))
  // A bot that brings its old pull requests up to date is not the agent.
  const mayHaveOpened = requests.filter(({ askedAt }) => action === 'opened' || askedAt <= createdAt)
  const known = named.length > 0 ? named : mayHaveOpened
  const read = async (ms: number) => {
    const jobs = known.map(({ record }) => record.job.id)
    const startedAt = deps.monotonic()
    const waiting = { deadline: startedAt + ms, pollMs: DEFAULT_POLL_MS, startedAt, untilEnd: true }
    return await findOwner(session, url, jobs, waiting)
  }
  const isAgents = named.length > 0 || subject.author?.bot === true
  if (known.length === 0 || !(isAgents || (await showsAgent(session, subject, [])))) return []
  if (waitMs > 0) await read(waitMs)
  return known
}
