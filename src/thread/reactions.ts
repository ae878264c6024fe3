import type { Comment } from '../event/trigger.ts'
import type { CommentReaction } from '../github/answers.ts'
import type { CommentRef } from '../github/forge.ts'
import { reactTask } from '../messages/side-tasks.ts'
import { REACTIONS, type Reaction } from '../request/outcome.ts'
import type { Session } from './session.ts'

/** The reactions of the action on the comment that asked (contract 5.3). */
export class Reactions {
  readonly #session: Session
  readonly #comment: CommentRef | undefined
  #acknowledged: Promise<number | undefined> | undefined
  #concluded: Reaction | undefined

  /** @param ref the comment, as `commentRef` writes it; without one nothing happens */
  constructor(session: Session, ref: string) {
    this.#session = session
    this.#comment = parseCommentRef(ref)
  }

  acknowledge(): void {
    this.#acknowledged ??= this.#attempt((comment) => this.#session.forge.addReaction(comment, 'eyes'))
  }

  /**
   * Leaves this reaction alone of those that the action can have added. Does nothing once that is done.
   * @param isFirst no earlier run can have reacted
   */
  async conclude(content: Reaction, isFirst: boolean): Promise<void> {
    if (this.#concluded === content) return
    const { forge } = this.#session
    const eyes = await this.#acknowledged
    if (isFirst && content === 'eyes' && eyes !== undefined) return
    const add = () => this.#attempt((comment) => forge.addReaction(comment, content))
    const done = isFirst
      ? await Promise.all([add(), eyes !== undefined && this.#remove('eyes', eyes)])
      : await this.#replaceBy(content, await add())
    if (done.every((result) => result !== undefined)) this.#concluded = content
  }

  /** @param added the id of the reaction, undefined where it could not be added */
  async #replaceBy(content: Reaction, added: number | undefined): Promise<readonly unknown[]> {
    if (added === undefined) return [undefined]
    const left = await this.#attempt((comment) => this.#session.forge.reactions(comment))
    const own = left?.find(({ id }) => id === added)?.account?.login
    // Where reactions have no ids, a token takes back its own alone.
    const isOwn = (reaction: CommentReaction) => added === 0 || reaction.account?.login === own
    const others = (left ?? []).filter(
      (reaction) => isReaction(reaction.content) && reaction.content !== content && isOwn(reaction),
    )
    const removals = others.map(({ content: other, id }) => this.#remove(other as Reaction, id))
    return [left, ...(await Promise.all(removals))]
  }

  async #remove(content: Reaction, id: number): Promise<boolean | undefined> {
    return await this.#attempt(async (comment) => {
      await this.#session.forge.removeReaction(comment, content, id)
      return true
    })
  }

  async #attempt<T>(act: (comment: CommentRef) => Promise<T>): Promise<T | undefined> {
    const comment = this.#comment
    if (comment === undefined) return undefined
    const task = reactTask(PERMISSIONS[comment.kind])
    return await this.#session.warnings.warnOnFailure(task, () => act(comment))
  }
}

/** What it takes to react to each kind of comment that takes reactions; reviews take none on GitHub. */
const PERMISSIONS: Readonly<Record<CommentRef['kind'], string>> = {
  issue: 'issues: write',
  review: 'pull-requests: write',
}

const isReaction = (content: string): boolean => (REACTIONS as readonly string[]).includes(content)

const isReactable = (kind: string): kind is CommentRef['kind'] => Object.hasOwn(PERMISSIONS, kind)

/** The comment that gets the reactions, as records write it: `issue:123` or `review:123`; '' for none. */
export const commentRef = (comment: Comment | undefined): string =>
  comment !== undefined && isReactable(comment.kind) ? `${comment.kind}:${comment.id}` : ''

function parseCommentRef(ref: string): CommentRef | undefined {
  const [, kind = '', id] = /^([a-z-]+):([1-9]\d{0,15})$/.exec(ref) ?? []
  return isReactable(kind) ? { kind, id: Number(id) } : undefined
}
