import { isRefused } from '../errors.ts'
import type { Comment } from '../event/trigger.ts'
import type { CommentReaction } from '../github/answers.ts'
import type { CommentRef } from '../github/github.ts'
import { REACTIONS, type Reaction } from '../request/outcome.ts'
import type { Session } from './session.ts'

/** Submitted reviews take no reactions on GitHub. */
const isReactable = (kind: string): kind is CommentRef['kind'] => kind === 'issue' || kind === 'review'

/** The comment that gets the reactions, as records write it: `issue:123` or `review:123`; '' for none. */
export const commentRef = (comment: Comment | undefined): string =>
  comment !== undefined && isReactable(comment.kind) ? `${comment.kind}:${comment.id}` : ''

function readRef(ref: string): CommentRef | undefined {
  const [, kind = '', id] = /^([a-z-]+):([1-9]\d{0,15})$/.exec(ref) ?? []
  return isReactable(kind) ? { kind, id: Number(id) } : undefined
}

/** The ids of the eyes that a process added; undefined where GitHub did not answer, and may have added them. */
export type Eyes = Promise<readonly number[] | undefined>

/** Says that the command was seen. @param tell gets what GitHub made of it */
export async function acknowledge(
  { github, warnings }: Session,
  ref: string,
  tell: (kind: CommentRef['kind'], result: 'works' | { readonly error: unknown }) => void = () => {},
): Eyes {
  const comment = readRef(ref)
  if (comment === undefined) return []
  try {
    const added = await github.addReaction(comment, 'eyes')
    tell(comment.kind, 'works')
    return [added]
  } catch (error) {
    tell(comment.kind, { error })
    warnings.add(`${comment.kind}-reaction`, error)
    return isRefused(error) ? [] : undefined
  }
}

/**
 * Of the reactions that the action can have added, leaves only this one.
 * @param others ids of the eyes that are to go; undefined where there may be others than this run knows of
 * @returns whether that is done, or GitHub refuses it
 */
export async function setReaction(
  session: Session,
  ref: string,
  content: Reaction,
  others: readonly number[] | undefined,
): Promise<boolean> {
  const comment = readRef(ref)
  if (comment === undefined || (content === 'eyes' && others !== undefined && others.length > 0)) return true
  const { github, warnings } = session
  return await warnings.doneOrRefused(`${comment.kind}-reaction`, async () => {
    const remove = (other: Reaction, id: number) => github.removeReaction(comment, other, id)
    const adding = github.addReaction(comment, content)
    const removeOthers = async () => {
      if (others !== undefined) return await Promise.all(others.map((id) => remove('eyes', id)))
      const [added, all] = [await adding, await github.reactions(comment)]
      const own = all.find(({ id }) => id === added)?.account?.login
      // Where reactions have no ids, a token takes back its own alone.
      const isOwn = (reaction: CommentReaction) => added === 0 || reaction.account?.login === own
      const left = all.filter((reaction) => reaction.content !== content && isOwn(reaction))
      return await Promise.all(
        left.flatMap(({ content: other, id }) => {
          const known = REACTIONS.find((one) => one === other)
          return known === undefined ? [] : [remove(known, id)]
        }),
      )
    }
    const both = [adding, removeOthers()]
    // If one fails, the other still comes to its end.
    await Promise.allSettled(both)
    await Promise.all(both)
  })
}
