import { isInRepository, type PullRequestRef } from '../base/link.ts'
import type { Run } from './run.ts'
import type { Session } from './session.ts'
import { Thread } from './thread.ts'

/**
 * A job has two threads: the one that asked for its pull request, and the pull request itself. Requests of either go to it.
 * @returns the one that is not the run's own; undefined where it is in another repository, or not known
 */
export function otherThreadOf(
  { runner }: Pick<Session, 'runner'>,
  run: Run,
  pull: PullRequestRef,
): Thread | undefined {
  const onPull = isInRepository(runner.repository, pull) ? pull.number : undefined
  const other = pull.number === run.thread?.number ? run.records()?.askingThread : onPull
  return other === undefined ? undefined : new Thread(other)
}
