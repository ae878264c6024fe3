import { isRefused } from '../errors.ts'
import type { Comment } from '../event/trigger.ts'
import type { Session } from './session.ts'
import type { Thread } from './thread.ts'

interface Asking {
  readonly trigger: { readonly comment: Comment | undefined }
  /** Of a line comment, as it was read. */
  readonly review?: { readonly comments: readonly { readonly id: number }[] } | undefined
}

/**
 * Whether people deleted the comment that asks before the run began. A list can lag, so the comment itself decides.
 * @throws {GitHubError} where GitHub does not answer
 */
export async function isCommentGone(
  { github }: Session,
  thread: Thread | undefined,
  { trigger: { comment }, review }: Asking,
): Promise<boolean> {
  // GitHub deletes no review that was submitted.
  if (comment === undefined || comment.kind === 'submitted-review') return false
  const { kind, id } = comment
  if (review?.comments.some((listed) => listed.id === id)) return false
  // Where the thread cannot be read, GitHub may hide the comment as well.
  if (kind === 'issue' && (thread?.isRead !== true || thread.comments.some((listed) => listed.id === id)))
    return false
  try {
    return !(await github.hasComment({ kind, id }))
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}
