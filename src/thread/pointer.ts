import type { PullRequestRef } from '../core/link.ts'
import { type Marker, type MarkerScope, writeMarker } from '../core/marker.ts'
import type { Attempt } from '../github/attempt.ts'
import type { GitHub } from '../github/octokit.ts'
import { pointer } from './bodies.ts'
import { commentsOf } from './comments.ts'
import { remember } from './memory.ts'

export interface PointerDeps {
  readonly github: GitHub
  readonly attempt: Attempt
  now(): number
}

/**
 * Leaves one short comment on the job's own pull request, so that a command there continues the same job (contract
 * 5.5). Nothing happens where the pull request is elsewhere, is the thread itself, or has heard of the job already.
 */
export async function pointTo(
  deps: PointerDeps,
  pull: PullRequestRef,
  from: {
    readonly scope: MarkerScope
    readonly marker: Omit<Marker, 'state' | 'at'>
    readonly command: string
  },
): Promise<void> {
  const { scope, marker, command } = from
  const sameRepository = `${pull.owner}/${pull.repo}`.toLowerCase() === scope.repository.toLowerCase()
  if (!sameRepository || pull.number === scope.thread) return
  const there = { ...scope, thread: pull.number }
  const comments = commentsOf(deps.github, scope.repository, pull.number)
  await deps.attempt('comment on the pull request', 'pull-requests: write', async () => {
    const known = remember(await comments.list(), there, marker.key)
    if (known.job?.marker.job === marker.job) return
    const at = Math.max(deps.now(), known.newest + 1)
    const words = pointer(`${scope.repository}#${scope.thread}`, command)
    await comments.create(`${words}\n\n${writeMarker({ ...marker, state: 'pointer', at }, there)}`)
  })
}
