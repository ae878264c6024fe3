import type { Ending } from '../core/ending.ts'
import { type Marker, meaningOf } from '../core/marker.ts'
import { isRed } from '../core/outcome.ts'
import type { Attempt } from '../github/attempt.ts'
import { statusOf } from '../github/explain.ts'
import type { GitHub } from '../github/octokit.ts'
import { repositoryParts } from '../github/repository.ts'

export type Reaction = 'eyes' | 'rocket' | '+1' | 'confused'

/** What a marker tells of the reaction that its run has left. */
type Left = Pick<Marker, 'state' | 'status' | 'pr' | 'eyes'>

/** The reactions of the action on the comment that asked (contract 5.3). Like all comments, they decide nothing. */
export interface Reactions {
  /** Adds `eyes`. */
  acknowledge(): Promise<void>
  /** An earlier run may have left reactions: those of this marker, and `eyes` in any case. */
  expect(left?: Left): void
  /** Takes back what an earlier run has concluded: once its marker is written over, nobody knows of it any more. */
  retract(): Promise<void>
  /** Replaces whatever there is by this one; undefined leaves it, since the job goes on. */
  conclude(reaction: Reaction | undefined): Promise<void>
  /** The id of the `eyes`, 0 where it is not known. */
  eyes(): number
}

/** The reaction that tells the ending, or undefined while the job goes on unwatched. */
export function reactionOf(ending: Ending): Reaction | undefined {
  const { outcome, reason } = ending
  if (outcome === 'started') return undefined
  if (outcome === 'pull-request') return 'rocket'
  return isRed(outcome) || reason === 'permission-denied' ? 'confused' : '+1'
}

/** The same for an ending that only its marker still knows. */
export function reactionOfMarker({ state, status, pr }: Pick<Left, 'state' | 'status' | 'pr'>): Reaction {
  if (state !== 'reported') return state === 'answer' ? '+1' : 'confused'
  if (status !== 'completed' && status !== 'archived') return 'confused'
  return pr === '' || status === 'archived' ? '+1' : 'rocket'
}

/** The same; undefined, too, where that run has not said how it ended. */
export const reactionStanding = (marker: Left): Reaction | undefined =>
  meaningOf(marker.state).told ? reactionOfMarker(marker) : undefined

/** @param ref the comment that asked, as markers write it: `issue:123` or `review:123`; '' for none */
export function openReactions(
  { github, attempt }: { readonly github: GitHub; readonly attempt: Attempt },
  repository: string,
  ref: string,
): Reactions {
  const comment = parseCommentRef(ref)
  if (comment === undefined) return noReactions
  const permission = comment.kind === 'review' ? 'pull-requests: write' : 'issues: write'
  const path = PATHS[comment.kind]
  const parameters = { ...repositoryParts(repository), comment_id: comment.id }
  let eyes = 0
  let mayHaveEyes = false
  const left = new Set<Reaction>()

  /** GitHub answers with the reaction that is there if this token has added it before. */
  const add = async (content: Reaction): Promise<number> =>
    Number((await github.request(`POST ${path}`, { ...parameters, content })).data.id)
  /** @returns whether it was there */
  const remove = async (reaction_id: number): Promise<boolean> => {
    try {
      await github.request(`DELETE ${path}/{reaction_id}`, { ...parameters, reaction_id })
      return true
    } catch (error) {
      if (statusOf(error) === 404) return false
      throw error
    }
  }
  /**
   * Where the id is not known, or no longer right, it is asked for by adding the reaction once more: that changes
   * nothing and, unlike reading the list, cannot meet the same reaction of somebody else.
   */
  const takeBack = (content: Reaction, known = 0) =>
    attempt('take a reaction back', permission, async () => {
      if (known === 0 || !(await remove(known))) await remove(await add(content))
    })

  const retract = async (): Promise<void> => {
    for (const reaction of left) await takeBack(reaction)
    left.clear()
  }

  return {
    eyes: () => eyes,
    retract,
    async acknowledge() {
      mayHaveEyes = true
      eyes = (await attempt('react to the comment', permission, () => add('eyes'))) ?? eyes
    },
    expect(marker) {
      mayHaveEyes = true
      if (marker === undefined) return
      eyes ||= marker.eyes
      const standing = reactionStanding(marker)
      if (standing !== undefined) left.add(standing)
    },
    async conclude(content) {
      if (content === undefined) return
      if (mayHaveEyes) await takeBack('eyes', eyes)
      left.delete(content)
      await retract()
      await attempt('react to the comment', permission, () => add(content))
    },
  }
}

/** For requests without a comment, and for reviews, which GitHub gives no reactions. */
export const noReactions: Reactions = {
  eyes: () => 0,
  acknowledge: async () => {},
  expect: () => {},
  retract: async () => {},
  conclude: async () => {},
}

/** Issue comments and review comments have their own endpoints. */
const PATHS = {
  issue: '/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
  review: '/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions',
} as const

export function parseCommentRef(ref: string): { kind: 'issue' | 'review'; id: number } | undefined {
  const [, kind, id] = /^(issue|review):([1-9]\d{0,15})$/.exec(ref) ?? []
  return kind === 'issue' || kind === 'review' ? { kind, id: Number(id) } : undefined
}
