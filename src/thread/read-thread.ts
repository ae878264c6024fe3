import { throwIfCancelled } from '../deps.ts'
import { ActionError, isGone, isRefused } from '../errors.ts'
import type { Trigger } from '../event/trigger.ts'
import { threadGone } from '../messages/notes.ts'
import type { Session } from './session.ts'
import type { Thread } from './thread.ts'

interface ThreadHolder {
  readonly thread: Thread | undefined
  answerIn(thread: 'none'): void
}

/**
 * Reads the thread. If GitHub does not show it, nothing is known; if it is gone, there is none (contract 5.7).
 * @throws {ForgeError} where GitHub does not answer
 * @throws {ActionError} for a command in a thread that is gone
 */
export async function readThread(
  session: Session,
  request: ThreadHolder,
  { trigger }: { readonly trigger: Trigger },
): Promise<void> {
  const { thread } = request
  if (thread === undefined) return
  try {
    await thread.read(session)
  } catch (error) {
    if (!isRefused(error)) throw error
    // A run that was cancelled meanwhile has said where it is answered.
    throwIfCancelled(session.deps.cancellation)
    if (isGone(error)) request.answerIn('none')
    if (isGone(error) && trigger.comment !== undefined) {
      throw new ActionError('bad-input', threadGone(thread.number, error.detail), { cause: error })
    }
    session.warnings.add(['thread', thread.number], error)
  }
}
