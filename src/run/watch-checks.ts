import { followChecks } from '../checks/follow-checks.ts'
import { requestsOfJob } from '../checks/requests-of-job.ts'
import type { WaitOptions } from '../http/retry.ts'
import type { PullRequestFacts } from '../messages/phrases.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { countAsk } from './count-asks.ts'

interface Watching {
  readonly waiting: WaitOptions | undefined
  /** How often failures may go back to the agent. */
  readonly fixAttempts: number
  /** How many times the agent may be asked in 24 hours. */
  readonly dailyLimit: number | undefined
  /** Writes the record, and shows what became known. @returns whether the thread has the record */
  readonly writeFacts: (more: PullRequestFacts) => Promise<boolean>
}

/** Follows the checks of the request's pull request, where its record says that this run does. @returns how they stand at last */
export async function watchChecks(
  session: Session,
  request: Request,
  { waiting, fixAttempts, dailyLimit, writeFacts }: Watching,
): Promise<PullRequestFacts | undefined> {
  const { state } = request
  if (waiting === undefined || state.state !== 'reported') return undefined
  const { job, checks, headBefore } = state
  if (checks?.isFollowed !== true) return undefined
  let mine = request.state
  const { report, ...record } = await followChecks(session, {
    ...{ waiting, fixAttempts, headBefore, record: { job, checks } },
    known: { sentFor: request.grows.sentFor, hadChecks: request.grows.hadChecks === job.prLink },
    count: () => countAsk(session, request, dailyLimit),
    others: (pull) => requestsOfJob(session, request, pull),
    async save(now, report) {
      mine = { ...state, ...now }
      request.state = mine
      const isWritten = await writeFacts({ checks: report })
      // Where another run reported the request meanwhile, that one goes on with it.
      return isWritten && request.state === mine
    },
  })
  if (request.state === mine) request.state = { ...state, ...record }
  return { checks: report }
}
