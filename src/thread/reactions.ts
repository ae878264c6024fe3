import type { Ending } from '../ending.ts'
import { statusOf } from '../github/explain.ts'
import type { GitHub } from '../github/octokit.ts'
import { repositoryParts } from '../github/repository.ts'
import type { Marker } from '../marker.ts'
import { isRed } from '../outcome.ts'

/** The comment that asked, as markers write it: `issue:123` or `review:123`. Reviews have no reactions. */
export type CommentRef = `${'issue' | 'review'}:${number}`

export type Reaction = 'eyes' | 'rocket' | '+1' | 'confused'

/** The reaction that tells the ending, or undefined while the job goes on unwatched (contract 5.3). */
export function reactionOf(ending: Ending): Reaction | undefined {
  const { outcome, reason } = ending
  if (outcome === 'started') return undefined
  if (outcome === 'pull-request') return 'rocket'
  return isRed(outcome) || reason === 'permission-denied' ? 'confused' : '+1'
}

/** The same for an ending that only its marker still knows. */
export function reactionOfMarker({ state, status, pr }: Pick<Marker, 'state' | 'status' | 'pr'>): Reaction {
  if (state !== 'reported') return state === 'answer' ? '+1' : 'confused'
  if (status === 'failed') return 'confused'
  return pr === '' || status === 'archived' ? '+1' : 'rocket'
}

/** The reaction that the attempt which wrote this marker has left; undefined where it never came to its end. */
export function reactionLeftBy(marker: Pick<Marker, 'state' | 'status' | 'pr'>): Reaction | undefined {
  return marker.state === 'sending' || marker.state === 'open' ? undefined : reactionOfMarker(marker)
}

export function parseCommentRef(ref: string): { kind: 'issue' | 'review'; id: number } | undefined {
  const [, kind, id] = /^(issue|review):([1-9]\d{0,15})$/.exec(ref) ?? []
  return kind === 'issue' || kind === 'review' ? { kind, id: Number(id) } : undefined
}

/** Issue comments and review comments have their own endpoints. */
const PATHS = {
  issue: '/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
  review: '/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions',
} as const

/** Adds the reaction; GitHub answers with the one that is there if this token has added it before. */
export async function react(
  github: GitHub,
  repository: string,
  ref: string,
  content: Reaction,
): Promise<number> {
  const comment = parseCommentRef(ref)
  if (comment === undefined) return 0
  const { data } = await github.request(`POST ${PATHS[comment.kind]}`, {
    ...repositoryParts(repository),
    comment_id: comment.id,
    content,
  })
  return Number(data.id)
}

/**
 * Takes this token's reaction off again. Where its id is not known, it is asked for by adding the reaction once more:
 * that changes nothing and, unlike reading the list, cannot meet the same reaction of somebody else.
 */
export async function unreact(
  github: GitHub,
  repository: string,
  ref: string,
  content: Reaction,
  knownId = 0,
): Promise<void> {
  const comment = parseCommentRef(ref)
  const reaction_id = knownId || (await react(github, repository, ref, content))
  if (comment === undefined || reaction_id === 0) return
  const parameters = { ...repositoryParts(repository), comment_id: comment.id, reaction_id }
  await github.request(`DELETE ${PATHS[comment.kind]}/{reaction_id}`, parameters).catch((error: unknown) => {
    // It is gone already.
    if (statusOf(error) !== 404) throw error
  })
}
