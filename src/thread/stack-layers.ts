import { comparedBranch, isUpperLayer, type PullRequest, targetBranch } from '../event/objects.ts'
import type { GitHub } from '../github/github.ts'
import type { FailureWarnings } from '../words/side-tasks.ts'

/**
 * Whether a merged pull request is on the branch that it is for. That of an upper layer of a stack can be on the branch of the
 * layer below, until a later push brings it further. The merge commit decides: `base` can lag behind.
 * @returns undefined where GitHub refuses to show it
 * @throws {GitHubError} where GitHub does not answer
 */
export async function isOnTarget(
  { github, warnings }: { readonly github: GitHub; readonly warnings: FailureWarnings },
  pull: Pick<PullRequest, 'base' | 'stackBase' | 'mergeCommitSha' | 'number'>,
): Promise<boolean | undefined> {
  if (!isUpperLayer(pull)) return true
  if (pull.mergeCommitSha === '') return false
  // From the branch to the commit: the other way, the answer holds all that came to the branch since.
  const compared = await warnings.warnIfRefused(['stack', pull.number], () =>
    github.compare(targetBranch(pull), pull.mergeCommitSha),
  )
  return compared && ['behind', 'identical'].includes(compared.status)
}

/** Where readers find a merged pull request now. @param isThere whether it is on the branch that it is for */
export const mergedBranch = (pull: Pick<PullRequest, 'base' | 'stackBase'>, isThere: boolean): string =>
  isThere ? targetBranch(pull) : comparedBranch(pull)
