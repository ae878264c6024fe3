import type { Comment } from '../event/trigger.ts'
import type { CommentRef, Forge } from '../github/forge.ts'
import type { FailureWarnings } from '../github/warn-on-failure.ts'
import { appearanceOf, outcomeOf, type Reaction } from '../request/outcome.ts'
import type { ActionRecord } from '../request/record.ts'

export type Reactions = ReturnType<typeof openReactions>

/**
 * The reactions of the action on the comment that asked (contract 5.3).
 * @param ref the comment, as `commentRef` writes it; without one nothing happens
 */
export function openReactions(forge: Forge, { warnOnFailure }: FailureWarnings, ref: string) {
  const comment = parseCommentRef(ref)
  let eyes = 0
  let mayHaveEyes = false
  let acknowledged: Promise<void> | undefined
  /** What earlier runs left, besides `eyes`. */
  const left = new Set<Reaction>()
  async function react<T>(act: (comment: CommentRef) => Promise<T>): Promise<T | undefined> {
    if (comment === undefined) return undefined
    const task = { doing: 'react to the comment', permission: PERMISSIONS[comment.kind], consequence: '' }
    return await warnOnFailure(task, () => act(comment))
  }
  const add = (content: Reaction) => react((to) => forge.addReaction(to, content))
  const takeBack = (content: Reaction, id = 0) => react((from) => forge.removeReaction(from, content, id))
  /** Takes back the reaction of an earlier ending: once its record is overwritten, nothing remembers it. */
  async function retract(): Promise<void> {
    await Promise.all([...left].map((content) => takeBack(content)))
    left.clear()
  }
  return {
    retract,
    /** The id of the `eyes`, 0 where it is not known. */
    eyes: () => eyes,
    /** Adds `eyes`, once. */
    acknowledge(): Promise<void> {
      mayHaveEyes = true
      acknowledged ??= add('eyes').then((id) => {
        eyes = id ?? eyes
      })
      return acknowledged
    },
    /** An earlier run may have left reactions: those of this record, and `eyes` in any case. */
    expect(record?: ActionRecord): void {
      // A run that refuses adds none, and to look for them is to add them for a moment.
      mayHaveEyes ||= record?.state !== 'refusal' || record.eyes > 0
      if (record === undefined) return
      eyes ||= record.eyes
      const reaction = reactionOfRecord(record)
      if (reaction !== undefined) left.add(reaction)
    },
    /** Replaces all of them by this one; undefined leaves them, because the job goes on. */
    async conclude(content: Reaction | undefined): Promise<void> {
      if (content === undefined) return
      left.delete(content)
      await acknowledged
      await Promise.all([mayHaveEyes ? takeBack('eyes', eyes) : undefined, retract(), add(content)])
    },
  }
}

/** The reaction of an ending that only its record still knows; undefined where that run reported no ending. */
export const reactionOfRecord = (record: ActionRecord): Reaction | undefined =>
  record.state === 'reported'
    ? // The end of a job that the service no longer knew is an error.
      appearanceOf(outcomeOf(record.job) ?? 'error', '').reaction
    : LEFT[record.state]

/** What the runs that left these records reacted with. */
const LEFT: Readonly<Record<Exclude<ActionRecord['state'], 'reported'>, Reaction | undefined>> = {
  received: undefined,
  sending: undefined,
  running: undefined,
  answered: appearanceOf('skipped', '').reaction,
  unknown: 'confused',
  notSent: 'confused',
  detached: 'confused',
  refusal: 'confused',
  link: 'confused',
  tracking: 'confused',
}

/** What it takes to react to each kind of comment that takes reactions; reviews take none on GitHub. */
const PERMISSIONS: Readonly<Record<CommentRef['kind'], string>> = {
  issue: 'issues: write',
  review: 'pull-requests: write',
}

const isReactable = (kind: string): kind is CommentRef['kind'] => Object.hasOwn(PERMISSIONS, kind)

/** The comment that gets the reactions, as records write it: `issue:123` or `review:123`; '' for none. */
export const commentRef = (comment: Comment | undefined): string =>
  comment !== undefined && isReactable(comment.kind) ? `${comment.kind}:${comment.id}` : ''

export function parseCommentRef(ref: string): CommentRef | undefined {
  const [, kind = '', id] = /^([a-z-]+):([1-9]\d{0,15})$/.exec(ref) ?? []
  return isReactable(kind) ? { kind, id: Number(id) } : undefined
}
