import pLimit from 'p-limit'
import { isRefused } from '../errors.ts'
import type { PullRequest } from '../event/objects.ts'
import type { PathFilter } from '../inputs/paths.ts'
import type { RequestId } from '../request/reading.ts'
import { isAtWork } from '../request/record.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { codeOf, isSameCode } from './code.ts'

/**
 * Those of the merged pull requests whose own threads have not decided their documentation.
 * @throws {GitHubError} where GitHub does not answer
 */
export async function undecided(
  session: Session,
  id: RequestId,
  pulls: readonly PullRequest[],
  paths: PathFilter | undefined,
): Promise<readonly PullRequest[]> {
  const decided = await pLimit(8).map(pulls, async (pull) => await isDecided(session, id, pull, paths))
  return pulls.filter((_, at) => decided[at] !== true)
}

/** As the newest request of its thread knows: a skip, or the agent has what was merged. */
async function isDecided(
  session: Session,
  id: RequestId,
  { number, headSha }: PullRequest,
  paths: PathFilter | undefined,
): Promise<boolean> {
  const thread = new Thread(number)
  try {
    await thread.read(session)
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
  const { own, memory, others } = thread.readingFor(id)
  const known = memory.latest
  // A re-run of this very request goes on with it.
  if (own !== undefined) return false
  if (known.skip !== undefined) return true
  if (known.code.length === 0) return false
  const { digest } = await codeOf(session, number, paths).catch(() => ({ digest: '' }))
  const isOfNow = (head: Parameters<typeof isSameCode>[0]) => isSameCode(head, { sha: headSha, digest })
  if (!known.code.some(isOfNow)) return false
  // A job that failed may not be reported yet.
  const working = others.find(({ record }) => isAtWork(record) && isOfNow(record.head))
  if (working === undefined || working.record.state !== 'running') return true
  const job = await session.client.read(working.record.job.id).catch(() => undefined)
  return job?.status !== 'failed'
}
