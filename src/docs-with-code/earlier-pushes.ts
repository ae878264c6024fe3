import { isAtWork, isFollowed, isOfPullRequestEvent, isSettled } from '../request/record.ts'
import type { RequestComment } from '../request/thread-records.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { isSameCode } from './code.ts'

/**
 * Comments about earlier pushes, of the same step, that are to go: their requests are over, and the own record carries what they
 * knew. A comment about the same code stays: another call of one reusable workflow made it.
 */
const earlierOf = (request: Request): readonly RequestComment[] => {
  const { identity, state, grows } = request
  const { head, requestedAt } = identity
  if (!isOfPullRequestEvent(identity) || state.state !== 'reported') return []
  const isEarlier = ({ record }: RequestComment): boolean =>
    record.head.step === head.step && record.requestedAt < requestedAt && !isSameCode(record.head, head)
  const isOver = ({ record }: RequestComment): boolean =>
    !isAtWork(record) && isSettled(record) && !isFollowed(record)
  const isCarried = ({ record }: RequestComment): boolean =>
    grows.ended.some(({ key, writtenAt }) => key === record.key && writtenAt >= record.writtenAt)
  return (request.records()?.others ?? []).filter((one) => isEarlier(one) && isOver(one) && isCarried(one))
}

/** Of the pushes to a pull request, the comment about the last one stays. What GitHub does not delete becomes a warning. */
export async function deleteEarlier(session: Session, request: Request): Promise<void> {
  const thread = request.writableThread(session)
  if (thread === undefined || request.commentUrl === '') return
  const remove = ({ id }: RequestComment) =>
    session.warnings.warnOnFailure('replaced', () => thread.delete(session, id))
  await Promise.all(earlierOf(request).map(remove))
}
