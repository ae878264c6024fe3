import { setReaction } from '../thread/asking-comment.ts'
import { refusalComment } from '../words/comments.ts'
import { messagesOf, type Result } from './result.ts'

/** The thread's one comment about a missing permission. */
export async function refuse(result: Result): Promise<void> {
  const { session, run } = result
  const { thread, identity } = run
  const messages = messagesOf(result)
  const records = run.records()
  // A person who did not use the command did not ask for an answer.
  if (messages.denied?.isSilent === true || thread === undefined) return
  const write = async () => {
    if (records === undefined || session.commentMode === 'off') return
    const times = { writtenAt: thread.nextWrittenAt(session), leaseMs: 0 }
    const record = { ...identity, state: 'refusal', ...times } as const
    await thread.write(session, records.refusal?.id, record, refusalComment(messages))
  }
  await Promise.all([
    session.warnings.warnOnFailure(['comment', 'comment about the missing permission'], write),
    setReaction(session, identity.comment, 'confused', session.runner.runAttempt === 1 ? [] : 'unknown'),
  ])
}
