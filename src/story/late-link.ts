import { namedLink } from '../record/job.ts'
import { ending } from '../record/outcome.ts'
import { isRequestRecord } from '../record/record.ts'
import type { JobSnapshot } from '../record/report.ts'
import { jobOf, nameLink } from '../record/states.ts'
import { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import type { Thread } from '../thread/thread.ts'
import { conclude } from './conclude.ts'
import type { ConcludeOptions } from './result.ts'

/**
 * Says of a request that ended without a pull request that there is one, where the job names it by now: in its comment, and in its
 * commit status. @throws {GitHubError}
 */
export async function sayLateLink(
  session: Session,
  thread: Thread,
  { id, job, log }: JobSnapshot,
  concluder: ConcludeOptions,
): Promise<void> {
  const turns = log.flatMap(({ record }) =>
    isRequestRecord(record) && 'acceptedAt' in record && jobOf(record)?.id === id ? record : [],
  )
  const last = turns.toSorted((a, b) => a.acceptedAt - b.acceptedAt || a.writtenAt - b.writtenAt).at(-1)
  if (job === undefined || namedLink(job) === '' || last?.state !== 'ended') return
  if (last.ending.outcome !== 'no-pull-request' || last.job.prLink !== '') return
  if (await thread.hasNewRecord(session, last, last.writtenAt)) return
  const run = Run.fromRecord(last, thread, true)
  run.setState(nameLink(run.in('ended'), job))
  await conclude(session, run, ending('pull-request'), concluder)
}
