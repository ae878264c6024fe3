// Off unless `fix-attempts` is set, and the run waits for the agent.

import type { Reporter } from '../../core/reporter.ts'
import type { Request } from '../../core/request.ts'
import type { Session } from '../../core/session.ts'
import { noteChecks } from '../../core/states.ts'
import { type ChecksPolicy, followChecks } from './follow-checks.ts'
import type { ChecksReport } from './record.ts'
import { requestsOfJob } from './requests-of-job.ts'

export type { ChecksPolicy }

/**
 * Follows the checks of the request's pull request, where its record says that this run does.
 * @returns how they stand at last; undefined where this run does not follow them
 */
export async function watchChecks(
  session: Session,
  request: Request,
  reporter: Reporter,
  policy: ChecksPolicy,
): Promise<ChecksReport | undefined> {
  const { state, known } = request
  if (state.state !== 'ended' || state.checks?.isFollowed !== true) return undefined
  const { job, checks, headBefore } = state
  let isOurs = true
  const { report, ...record } = await followChecks(session, {
    ...policy,
    headBefore,
    record: { job, checks },
    known: { sentFor: known.sentFor, hadChecks: known.hadChecks.includes(job.prLink) },
    others: (pull) => requestsOfJob(session, request, pull),
    async save(now, shown) {
      request.become(noteChecks(state, now.job, now.checks))
      request.showJob()
      isOurs = await reporter.writeResult(shown)
      return isOurs && request.lastWrite === 'done'
    },
  })
  if (!isOurs) return report
  request.become(noteChecks(state, record.job, record.checks))
  request.showJob()
  return report
}
