import { samePullRequest } from '../core/link.ts'
import type { MarkerScope } from '../core/marker.ts'
import { markedComment } from '../github/marked-comment.ts'
import type { GitHub } from '../github/octokit.ts'
import { repositoryParts } from '../github/repository.ts'

/**
 * Whether a thread of the repository remembers a job with this pull request (contract 3.5), whoever opened it: looks
 * at the hundred comments that changed last. What cannot be read is no sign of it.
 */
export async function isRemembered(
  github: GitHub,
  scope: MarkerScope,
  url: string,
  serverUrl: string,
): Promise<boolean> {
  try {
    const { data } = await github.request('GET /repos/{owner}/{repo}/issues/comments', {
      ...repositoryParts(scope.repository),
      sort: 'updated',
      direction: 'desc',
      per_page: 100,
    })
    return data.some((comment) => {
      const marked = markedComment(comment, scope)
      return marked !== undefined && samePullRequest(marked.marker.pr, url, serverUrl)
    })
  } catch {
    return false
  }
}
