import type { RequestComment } from '../request/reading.ts'
import { isAtWork, isFollowed, isSettled } from '../request/record.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { isSameCode } from './code.ts'

// Of the events of one step, the comment of the latest stays: what it knows has what the others decided.

/**
 * No person asked for them, nothing is left to do in them, the own record carries what they knew, and they are not about the same
 * code: that is another call of one reusable workflow.
 */
const earlierOf = ({ reading, identity, state, grows }: Request): readonly RequestComment[] => {
  const { head, requestedAt } = identity
  if (head.step === '' || state.state !== 'reported') return []
  const isEarlier = ({ record }: RequestComment): boolean =>
    record.head.step === head.step && record.requestedAt < requestedAt && !isSameCode(record.head, head)
  const isOver = ({ record }: RequestComment): boolean =>
    !isAtWork(record) && isSettled(record) && !isFollowed(record)
  const isCarried = ({ record }: RequestComment): boolean =>
    grows.ended.some(({ key, writtenAt }) => key === record.key && writtenAt >= record.writtenAt)
  return (reading?.others ?? []).filter((one) => isEarlier(one) && isOver(one) && isCarried(one))
}

export async function deleteEarlier(session: Session, request: Request): Promise<void> {
  const thread = request.writableThread(session)
  if (thread === undefined || request.commentUrl === '') return
  const remove = ({ id }: RequestComment) =>
    session.warnings.warnOnFailure('replaced', () => thread.delete(session, id))
  await Promise.all(earlierOf(request).map(remove))
}
