import type { Account } from '../../event/objects.ts'
import type { Comment } from '../../event/trigger.ts'
import type { ThreadComment } from '../../github/answers.ts'
import type { Discussion } from '../../github/discussion.ts'
import { carriesRecord } from '../../record/signed-record.ts'

/** What a person wrote in a thread, above the command. */
export interface Remark {
  readonly author: Account | undefined
  /** In ms since the epoch. */
  readonly createdAt: number
  /** When it got the text that it has now. */
  readonly changedAt: number
  readonly isHidden: boolean
  /** It stands in the review thread of the command. */
  readonly isNear: boolean
  /** Such as `in a review` or `on docs/guide.mdx, line 7`; '' for a comment of the conversation. */
  readonly place: string
  /** As GitHub renders it; undefined where that is not read yet. */
  readonly html: string | undefined
  /** Of a comment of the conversation: as the thread lists it. */
  readonly listed?: { readonly id: number; readonly at: number; readonly body: string }
}

/** When the command was written, in ms since the epoch. */
export const commandAt = ({ kind, submittedAt, createdAt }: Comment): number =>
  kind === 'submitted-review' ? submittedAt : createdAt

/** All that stands above the command, but for what the action wrote, and for what the request holds already. */
export function remarksIn(
  comments: readonly ThreadComment[],
  { entries }: Pick<Discussion, 'entries'>,
  command: Comment,
): readonly Remark[] {
  const until = commandAt(command)
  const ofThread = comments.flatMap((comment, at): Remark[] => {
    const { id, body, author, createdAt, updatedAt, isHidden } = comment
    // Within a second, ids tell the order.
    const isAbove = createdAt < until || (createdAt === until && command.kind === 'issue' && id < command.id)
    if (!isAbove || id === command.id || carriesRecord(body) || body.trim() === '') return []
    const listed = { id, at, body }
    return [
      {
        author,
        createdAt,
        changedAt: updatedAt,
        isHidden,
        isNear: false,
        place: '',
        html: undefined,
        listed,
      },
    ]
  })
  const near = entries.find(({ id, thread }) => thread > 0 && id === command.id)?.thread
  const asking = command.kind === 'submitted-review' ? command.id : command.reviewId
  const ofReviews = entries
    .filter(({ createdAt, review, id }) => createdAt <= until && review !== asking && id !== command.id)
    .map(({ author, createdAt, changedAt, isHidden, html, thread, place }): Remark => {
      const where = thread === 0 ? 'in a review' : `on ${place}`
      return { author, createdAt, changedAt, isHidden, isNear: thread === near, place: where, html }
    })
  return [...ofThread, ...ofReviews].sort((a, b) => a.createdAt - b.createdAt)
}
