import type { RequestComment } from '../../record/fold.ts'
import { areEffectsDone, isUnfinished } from '../../record/states.ts'
import { isSameChanges } from '../../thread/pull-changes.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'

/** How many comments are hidden: earlier runs hid those before. */
const MOST = 10

/**
 * Comments about earlier pushes, of the same step, whose requests are over. A comment about the same code stays: another call of
 * one reusable workflow made it.
 */
function earlierOf(run: Run): readonly RequestComment[] {
  const { head, requestedAt } = run.identity
  const isEarlier = ({ record }: RequestComment): boolean =>
    record.head.workflowStep === head.workflowStep &&
    record.requestedAt < requestedAt &&
    !isSameChanges(record.head, head)
  const isOver = ({ record, nodeId }: RequestComment): boolean =>
    nodeId !== '' && !isUnfinished(record) && areEffectsDone(record)
  const others = run.records()?.others ?? []
  return others.filter((one) => isEarlier(one) && isOver(one)).slice(0, MOST)
}

/** Hides the comments about all but the last push to a pull request. Their records still count. */
export async function hideEarlier(session: Session, run: Run): Promise<void> {
  if (run.state.state !== 'ended' || run.commentUrl === '') return
  if (run.writableThread(session) === undefined) return
  const ids = earlierOf(run).map(({ nodeId }) => nodeId)
  if (ids.length === 0) return
  await session.warnings.warnOnFailure('outdated', () => session.github.minimizeComments(ids))
}
