import { type GitHubError, isGone, isRefused } from '../errors.ts'
import type { Session } from './session.ts'
import type { Thread } from './thread.ts'

/**
 * Reads the thread. Where GitHub does not show it, nothing is known.
 * @returns what GitHub says where it is gone @throws {GitHubError} where GitHub does not answer
 */
export async function readThread(
  session: Session,
  thread: Thread | undefined,
): Promise<GitHubError | undefined> {
  try {
    await thread?.read(session)
  } catch (error) {
    if (!isRefused(error) || thread === undefined) throw error
    if (isGone(error)) return error
    session.warnings.add(['thread', thread.number], error)
  }
  return undefined
}
