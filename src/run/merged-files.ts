import pLimit from 'p-limit'
import { MAX_FILES } from '../docs-with-code/code.ts'
import type { PullRequest } from '../event/objects.ts'
import { type PathFilter, touchesPaths } from '../inputs/paths.ts'
import type { Session } from '../thread/session.ts'

/**
 * Gives those of the merged pull requests that change a file that `paths` names. It reads the files of each once, however often
 * it is called; one whose files GitHub refuses to show counts.
 * @throws {GitHubError} where GitHub does not answer: nothing was asked then
 */
export function countsByFiles({ github, warnings }: Session, paths: PathFilter | undefined) {
  const known = new Map<number, boolean>()
  return async (pulls: readonly PullRequest[]): Promise<readonly PullRequest[]> => {
    if (paths === undefined) return pulls
    const unknown = pulls.filter(({ number }) => !known.has(number))
    await pLimit(8).map(unknown, async ({ number }) => {
      const files = await warnings.warnIfRefused('files', () => github.pullRequestFiles(number, MAX_FILES))
      known.set(number, touchesPaths(paths, files, MAX_FILES))
    })
    return pulls.filter(({ number }) => known.get(number) === true)
  }
}
