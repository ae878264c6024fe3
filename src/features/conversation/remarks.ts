import type { CommentChannel } from '../../event/mail.ts'
import type { Account } from '../../event/objects.ts'
import type { Comment } from '../../event/trigger.ts'
import type { ThreadComment } from '../../github/answers.ts'
import type { Discussion, DiscussionEntry } from '../../github/discussion.ts'

/** What a person wrote in a thread, above the command. */
export interface Remark {
  readonly id: number
  readonly author: Account | undefined
  /** In ms since the epoch. */
  readonly createdAt: number
  /** When it got the text that it has now. */
  readonly changedAt: number
  readonly isHidden: boolean
  /** It stands in the review thread of the command. */
  readonly isNear: boolean
  /** Its review thread is marked as done. */
  readonly isResolved: boolean
  /** Newer commits changed the line that it is about. */
  readonly isOutdated: boolean
  /** Such as `in a review` or `` on `docs/guide.mdx`, line 7 ``; '' for a comment of the conversation. */
  readonly place: string
  /** As it was written. */
  readonly body: string
  /** As GitHub renders it; undefined where that is not read yet. */
  readonly html: string | undefined
  /** How it came; undefined where that is not read yet. */
  readonly via: CommentChannel | undefined
  /** Of a comment of the conversation: where the thread lists it. */
  readonly listed?: { readonly at: number; readonly nodeId: string }
}

/** When the command was written, in ms since the epoch. */
export const commandAt = ({ kind, submittedAt, createdAt }: Comment): number =>
  kind === 'submitted-review' ? submittedAt : createdAt

/** The command itself, and what belongs to its review. */
export const isOfRequest = (
  { kind, id, reviewId }: Comment,
  entry: Pick<DiscussionEntry, 'id' | 'review'>,
): boolean => entry.id === id || entry.review === (kind === 'submitted-review' ? id : reviewId)

/**
 * All that stands above the command, but for what the request holds already.
 * @param own ids of comments that the action wrote
 */
export function remarksIn(
  comments: readonly ThreadComment[],
  { entries }: Pick<Discussion, 'entries'>,
  command: Comment,
  own: ReadonlySet<number>,
): readonly Remark[] {
  const until = commandAt(command)
  const ofThread = comments.flatMap((comment, at): Remark[] => {
    const { id, nodeId, body, author, createdAt, updatedAt, isHidden } = comment
    // Within a second, ids tell the order.
    const isAbove = createdAt < until || (createdAt === until && command.kind === 'issue' && id < command.id)
    if (!isAbove || id === command.id || own.has(id) || body.trim() === '') return []
    return [
      {
        id,
        author,
        createdAt,
        changedAt: updatedAt,
        isHidden,
        isNear: false,
        isResolved: false,
        isOutdated: false,
        place: '',
        body,
        html: undefined,
        via: undefined,
        listed: { at, nodeId },
      },
    ]
  })
  const near = entries.find(({ id, thread }) => thread > 0 && id === command.id)?.thread
  const ofReviews = entries
    .filter((entry) => entry.createdAt <= until && !isOfRequest(command, entry))
    .map(({ thread, place, ...entry }): Remark => {
      const where = thread === 0 ? 'in a review' : `on ${place}`
      return { ...entry, isNear: thread === near, place: where }
    })
  return [...ofThread, ...ofReviews].sort((a, b) => a.createdAt - b.createdAt)
}
