import { isRefused, unlessRefused } from '../base/errors.ts'
import type { Comment } from '../event/trigger.ts'
import type { CommentReaction } from '../github/answers.ts'
import type { CommentRef } from '../github/github.ts'
import type { PromptSource } from '../prompt/task.ts'
import { REACTIONS, type Reaction } from '../record/outcome.ts'
import type { RequestIdentity } from '../record/record.ts'
import type { Session } from './session.ts'
import type { Thread } from './thread.ts'

// The comment that asks: whether it is still there, and its reactions.

/** Submitted reviews take no reactions on GitHub. */
const isReactable = (kind: string): kind is CommentRef['kind'] => kind === 'issue' || kind === 'review'

/** The comment that gets the reactions, as records write it: `issue:123` or `review:123`; '' for none. */
export const commentRef = (comment: Comment | undefined): string =>
  comment !== undefined && isReactable(comment.kind) ? `${comment.kind}:${comment.id}` : ''

function readRef(ref: string): CommentRef | undefined {
  const [, kind = '', id] = /^([a-z-]+):([1-9]\d{0,15})$/.exec(ref) ?? []
  return isReactable(kind) ? { kind, id: Number(id) } : undefined
}

/** The eyes that a process added. */
export type Eyes = Promise<{
  /** Undefined where GitHub did not answer, and may have added them. */
  readonly ids: readonly number[] | undefined
  /** What GitHub said against it. */
  readonly error?: unknown
}>

/** Says once that the command was seen. */
export function acknowledge(
  session: Session,
  run: { readonly identity: Pick<RequestIdentity, 'comment'>; eyes: Eyes | undefined },
): void {
  run.eyes ??= addEyes(session, run.identity.comment)
}

async function addEyes({ github, warnings }: Session, ref: string): Eyes {
  const comment = readRef(ref)
  if (comment === undefined) return { ids: [] }
  try {
    return { ids: [await github.addReaction(comment, 'eyes')] }
  } catch (error) {
    warnings.add(`${comment.kind}-reaction`, error)
    return { ids: isRefused(error) ? [] : undefined, error }
  }
}

/**
 * Of the reactions that the action can have added, leaves only this one.
 * @param added ids of the reactions that this run has added, which go; `unknown` where another process may have added some, which
 *   GitHub is then asked for
 * @returns whether that is done, or GitHub refuses it
 */
export async function setReaction(
  session: Session,
  ref: string,
  content: Reaction,
  added: readonly number[] | 'unknown',
): Promise<boolean> {
  const comment = readRef(ref)
  if (comment === undefined || (content === 'eyes' && added !== 'unknown' && added.length > 0)) return true
  const { github, warnings } = session
  return await warnings.doneOrRefused(`${comment.kind}-reaction`, async () => {
    const remove = (other: Reaction, id: number) => github.removeReaction(comment, other, id)
    const adding = github.addReaction(comment, content)
    const removeOthers = async () => {
      if (added !== 'unknown') return await Promise.all(added.map((id) => remove('eyes', id)))
      const [newest, all] = [await adding, await github.reactions(comment)]
      const own = all.find(({ id }) => id === newest)?.account?.login
      // Where reactions have no ids, a token takes back its own alone.
      const isOwn = (reaction: CommentReaction) => newest === 0 || reaction.account?.login === own
      const left = all.filter((reaction) => reaction.content !== content && isOwn(reaction))
      return await Promise.all(
        left.flatMap(({ content: other, id }) => {
          const reaction = REACTIONS.find((one) => one === other)
          return reaction === undefined ? [] : [remove(reaction, id)]
        }),
      )
    }
    const both = [adding, removeOthers()]
    // If one fails, the other still comes to its end.
    await Promise.allSettled(both)
    await Promise.all(both)
  })
}

/**
 * Whether people deleted the comment that asks before the run began. A list can lag, so the comment itself decides.
 * @throws {GitHubError} where GitHub does not answer
 */
export async function isCommentGone(
  { github }: Session,
  thread: Thread | undefined,
  { trigger: { comment }, review }: PromptSource,
): Promise<boolean> {
  // GitHub deletes no review that was submitted.
  if (comment === undefined || comment.kind === 'submitted-review') return false
  const { kind, id } = comment
  if (review?.comments.some((listed) => listed.id === id)) return false
  // Where the thread cannot be read, GitHub may hide the comment as well.
  if (kind === 'issue' && (thread?.isRead !== true || thread.comments.some((listed) => listed.id === id)))
    return false
  return !(await unlessRefused(github.hasComment({ kind, id }), true))
}
