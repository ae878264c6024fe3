import type { PullRequest } from '../event/objects.ts'
import type { PullRequestRef, RepositoryName } from '../link.ts'
import type { Session } from '../thread/session.ts'
import { classify, conflictWith, type ReadCheck } from './classify.ts'

/** The head of a pull request, as one reading found it. */
export interface Head extends Pick<PullRequest, 'state' | 'base'> {
  readonly sha: string
  readonly checks: readonly ReadCheck[]
  /** GitHub has said whether it conflicts with its base. */
  readonly isMergeableKnown: boolean
}

/** @throws {GitHubError} */
export async function readHead(session: Session, pull: PullRequestRef): Promise<Head> {
  const { headSha: sha, state, base, mergeable } = await session.github.pullRequest(pull)
  const checks = await readChecks(session, pull, sha)
  return {
    ...{ sha, state, base, isMergeableKnown: mergeable !== undefined },
    checks: mergeable === false ? [...checks, conflictWith(base)] : checks,
  }
}

/** @param ref a SHA, or the name of a branch for its head @throws {GitHubError} */
export async function readChecks(
  { github, context }: Session,
  repository: RepositoryName,
  ref: string,
): Promise<readonly ReadCheck[]> {
  const [runs, statuses, suites] = await Promise.all([
    github.checkRuns(repository, ref),
    github.commitStatuses(repository, ref),
    github.checkSuites(repository, ref),
  ])
  return classify({ runs, statuses, suites }, String(context.runId))
}
