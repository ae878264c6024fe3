import type { CommitStatus } from '../github/answers.ts'
import { fullName, type RepositoryName } from '../link.ts'
import { jobOf } from '../request/record.ts'
import type { Request } from '../thread/request.ts'

/**
 * Whether something else than the requests of this thread set the status, such as the workflow of another project. Theirs leads to
 * a run, to a comment of the thread, or to a pull request of its jobs.
 */
export function isSetByOthers(
  { url }: Pick<CommitStatus, 'url'>,
  request: Pick<Request, 'job' | 'latest' | 'records'>,
  { serverUrl, repository }: { readonly serverUrl: string; readonly repository: RepositoryName },
): boolean {
  const here = `${serverUrl}/${fullName(repository)}/`
  if (url.startsWith(`${here}actions/runs/`) || url.includes('#issuecomment-')) return false
  const others = request.records()?.others.map(({ record }) => jobOf(record)) ?? []
  return ![request.job, request.latest.job, ...others].some((job) => job?.prLink === url)
}
