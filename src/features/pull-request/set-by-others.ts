import { fullName, type RepositoryName } from '../../base/link.ts'
import type { CommitStatus } from '../../github/answers.ts'
import { jobOf } from '../../record/states.ts'
import type { Run } from '../../thread/run.ts'

/**
 * Whether something else than the requests of this thread set the status, such as the workflow of another project. Theirs leads to
 * a run, to a comment of the thread, or to a pull request of its jobs.
 */
export function isSetByOthers(
  { url }: Pick<CommitStatus, 'url'>,
  run: Pick<Run, 'job' | 'records'>,
  { serverUrl, repository }: { readonly serverUrl: string; readonly repository: RepositoryName },
): boolean {
  const here = `${serverUrl}/${fullName(repository)}/`
  if (url.startsWith(`${here}actions/runs/`) || url.includes('#issuecomment-')) return false
  const { facts, others = [] } = run.records() ?? {}
  const jobs = [run.job, facts?.job, ...others.map(({ record }) => jobOf(record))]
  return url === '' || !jobs.some((job) => job?.prLink === url)
}
