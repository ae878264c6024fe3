// Off unless `fix-attempts` is set.

import type { ChecksReport } from '../../record/check-results.ts'
import { noteChecks } from '../../record/states.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import type { ChecksPolicy, ChecksRecord, Saved } from './checks-task.ts'
import { followChecks } from './follow-checks.ts'
import { requestsOfJob } from './requests-of-job.ts'

export type { ChecksPolicy, Saved }

interface Watched {
  readonly report: ChecksReport
  /** False where another process has the request now. */
  readonly isOurs: boolean
}

/**
 * Follows the checks of the request's pull request, where its record says so.
 * @param write the record, and how they stand
 * @returns how they stand at last; undefined where nobody is to follow them
 */
export async function watchChecks(
  session: Session,
  run: Run,
  policy: ChecksPolicy,
  write: (more: { readonly checks: ChecksReport; readonly knownAt: number }) => Promise<Saved>,
): Promise<Watched | undefined> {
  const { state, facts } = run
  if (state.state !== 'ended' || state.checks?.isWatched !== true) return undefined
  const { job, checks, headBefore } = state
  let isOurs = true
  const note = (now: ChecksRecord) => {
    run.setState(noteChecks(state, now.job, now.checks))
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
      const saved = await write({ checks: shown, knownAt: session.deps.now() })
      isOurs = saved !== 'taken'
      return saved
    },
  })
  if (isOurs) note(record)
  return { report, isOurs }
}
