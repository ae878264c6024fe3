import type { Comment } from '../event/trigger.ts'
import type { CommentReaction } from '../github/answers.ts'
import type { CommentRef } from '../github/forge.ts'
import { reactTask } from '../messages/side-tasks.ts'
import { REACTIONS, type Reaction } from '../request/outcome.ts'
import type { Session } from './session.ts'

/** What it takes to react to each kind of comment that takes reactions; reviews take none on GitHub. */
const PERMISSIONS: Readonly<Record<CommentRef['kind'], string>> = {
  issue: 'issues: write',
  review: 'pull-requests: write',
}

const isReactable = (kind: string): kind is CommentRef['kind'] => Object.hasOwn(PERMISSIONS, kind)

/** The comment that gets the reactions, as records write it: `issue:123` or `review:123`; '' for none. */
export const commentRef = (comment: Comment | undefined): string =>
  comment !== undefined && isReactable(comment.kind) ? `${comment.kind}:${comment.id}` : ''

/** @returns undefined where there is no comment, or where `act` fails, which is one warning */
async function onComment<T>(
  { warnings }: Session,
  ref: string,
  act: (comment: CommentRef) => Promise<T>,
): Promise<T | undefined> {
  const [, kind = '', id] = /^([a-z-]+):([1-9]\d{0,15})$/.exec(ref) ?? []
  if (!isReactable(kind)) return undefined
  return await warnings.warnOnFailure(reactTask(PERMISSIONS[kind]), () => act({ kind, id: Number(id) }))
}

/** Says that the command was seen (contract 5.3). @returns the id of the reaction */
export const acknowledge = (session: Session, ref: string): Promise<number | undefined> =>
  onComment(session, ref, (comment) => session.forge.addReaction(comment, 'eyes'))

/**
 * Leaves this reaction alone of those that the action can have added.
 * @param others ids of the eyes that are to go; undefined where an earlier run may have reacted
 * @returns whether that is done
 */
export async function settleReaction(
  session: Session,
  ref: string,
  content: Reaction,
  others: readonly number[] | undefined,
): Promise<boolean> {
  if (ref === '' || (content === 'eyes' && others !== undefined && others.length > 0)) return true
  const { forge } = session
  const remove = (other: Reaction, id: number) =>
    onComment(session, ref, async (comment) => {
      await forge.removeReaction(comment, other, id)
      return true
    })
  const adding = onComment(session, ref, (comment) => forge.addReaction(comment, content))
  if (others !== undefined) {
    const done = await Promise.all([adding, ...others.map((id) => remove('eyes', id))])
    return done.every((result) => result !== undefined)
  }
  const added = await adding
  const left = added === undefined ? undefined : await onComment(session, ref, (one) => forge.reactions(one))
  if (left === undefined) return false
  const own = left.find(({ id }) => id === added)?.account?.login
  // Where reactions have no ids, a token takes back its own alone.
  const isOwn = (reaction: CommentReaction) => added === 0 || reaction.account?.login === own
  const removals = left
    .filter((reaction) => reaction.content !== content && isOwn(reaction))
    .flatMap(({ content: other, id }) => {
      const known = REACTIONS.find((one) => one === other)
      return known === undefined ? [] : [remove(known, id)]
    })
  return (await Promise.all(removals)).every((result) => result !== undefined)
}
