// Off unless `fix-attempts` is set, and the run waits for the agent.

import type { ChecksReport } from '../../record/check-results.ts'
import { noteChecks } from '../../record/states.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import { type ChecksPolicy, type ChecksRecord, followChecks } from './follow-checks.ts'
import { requestsOfJob } from './requests-of-job.ts'

export type { ChecksPolicy }

/**
 * Follows the checks of the request's pull request, where its record says that this run does.
 * @param write shows how they stand; false where another process reported the request meanwhile
 * @returns how they stand at last; undefined where this run does not follow them
 */
export async function watchChecks(
  session: Session,
  run: Run,
  policy: ChecksPolicy,
  write: (more: { readonly checks: ChecksReport; readonly knownAt: number }) => Promise<boolean>,
): Promise<ChecksReport | undefined> {
  const { state, facts } = run
  if (state.state !== 'ended' || state.checks?.isWatched !== true) return undefined
  const { job, checks, headBefore } = state
  let isOurs = true
  const note = (now: ChecksRecord) => {
    run.become(noteChecks(state, now.job, now.checks))
    run.showJob()
  }
  const { report, ...record } = await followChecks(session, {
    ...policy,
    headBefore,
    record: { job, checks },
    before: { sentFor: facts.sentFor, hadChecks: facts.hadChecks.includes(job.prLink) },
    others: (pull) => requestsOfJob(session, run, pull),
    async save(now, shown) {
      note(now)
      isOurs = await write({ checks: shown, knownAt: session.deps.now() })
      return isOurs && run.lastWrite === 'done'
    },
  })
  if (!isOurs) return report
  note(record)
  return report
}
