import type { CommentRef, Forge } from '../github/forge.ts'
import type { FailureWarnings } from '../github/warn-on-failure.ts'
import { appearanceOf, outcomeOf, type Reaction } from '../request/outcome.ts'
import type { ActionRecord } from '../request/record.ts'

/** The reactions of the action on the comment that asked (contract 5.3). */
export interface Reactions {
  /** Adds `eyes`, once. */
  acknowledge(): Promise<void>
  /** An earlier run may have left reactions: those of this record, and `eyes` in any case. */
  expect(record?: ActionRecord): void
  /** Takes back the reaction of an earlier ending: once its record is overwritten, nothing remembers it. */
  retract(): Promise<void>
  /** Replaces all of them by this one; undefined leaves them, because the job goes on. */
  conclude(reaction: Reaction | undefined): Promise<void>
  /** The id of the `eyes`, 0 where it is not known. */
  eyes(): number
}

/** The reaction of an ending that only its record still knows; undefined where that run reported no ending. */
export function reactionOfRecord(record: ActionRecord): Reaction | undefined {
  switch (record.state) {
    case 'received':
    case 'sending':
    case 'running':
      return undefined
    case 'answered':
      return appearanceOf('skipped', '').reaction
    case 'reported': {
      const outcome = outcomeOf(record.job)
      return outcome === undefined ? 'confused' : appearanceOf(outcome, '').reaction
    }
    default:
      return 'confused'
  }
}

/** @param ref the comment that asked, as records write it: `issue:123` or `review:123`; '' for none */
export function openReactions(
  forge: Forge,
  { warnOnFailure }: Pick<FailureWarnings, 'warnOnFailure'>,
  ref: string,
): Reactions {
  const comment = parseCommentRef(ref)
  if (comment === undefined) return NO_REACTIONS
  const task = {
    doing: 'react to the comment',
    permission: PERMISSIONS[comment.kind],
    consequence: '',
  }
  let eyes = 0
  let mayHaveEyes = false
  let acknowledged: Promise<void> | undefined
  const left = new Set<Reaction>()
  const takeBack = (content: Reaction, id = 0) =>
    warnOnFailure(task, () => forge.removeReaction(comment, content, id))
  const retract = async (): Promise<void> => {
    await Promise.all([...left].map((content) => takeBack(content)))
    left.clear()
  }
  return {
    eyes: () => eyes,
    retract,
    acknowledge() {
      mayHaveEyes = true
      acknowledged ??= warnOnFailure(task, () => forge.addReaction(comment, 'eyes')).then((id) => {
        eyes = id ?? eyes
      })
      return acknowledged
    },
    expect(record) {
      // A run that refuses adds none, and to look for them is to add them for a moment.
      mayHaveEyes ||= record?.state !== 'refusal' || record.eyes > 0
      if (record === undefined) return
      eyes ||= record.eyes
      const reaction = reactionOfRecord(record)
      if (reaction !== undefined) left.add(reaction)
    },
    async conclude(content) {
      if (content === undefined) return
      left.delete(content)
      await acknowledged
      await Promise.all([
        mayHaveEyes ? takeBack('eyes', eyes) : undefined,
        retract(),
        warnOnFailure(task, () => forge.addReaction(comment, content)),
      ])
    },
  }
}

/** For requests without a comment, and for reviews, which GitHub gives no reactions. */
const NO_REACTIONS: Reactions = {
  eyes: () => 0,
  acknowledge: async () => {},
  expect: () => {},
  retract: async () => {},
  conclude: async () => {},
}

/** What it takes to react to each kind of comment that takes reactions. */
const PERMISSIONS: Readonly<Record<CommentRef['kind'], string>> = {
  issue: 'issues: write',
  review: 'pull-requests: write',
}

const isReactable = (kind: string): kind is CommentRef['kind'] => Object.hasOwn(PERMISSIONS, kind)

export function parseCommentRef(ref: string): CommentRef | undefined {
  const [, kind = '', id] = /^([a-z-]+):([1-9]\d{0,15})$/.exec(ref) ?? []
  return isReactable(kind) ? { kind, id: Number(id) } : undefined
}
