import { throwIfCancelled } from '../base/deps.ts'
import { messageOf } from '../base/errors.ts'
import { pullRequestOf } from '../base/link.ts'
import type { WaitOptions } from '../http/retry.ts'
import { type Log, requestsIn } from '../record/fold.ts'
import { askedUntil } from '../record/log.ts'
import { endingOf } from '../record/outcome.ts'
import type { RunEnding } from '../record/report.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { otherThreadOf } from '../thread/two-threads.ts'
import { laterTurns } from './earlier-turn.ts'

// A run that waits reads its job now and then, and may miss the rest between its own turn and the next one: the end that it reads is
// then that of another request. Who else asked the job stands in its two threads.

/**
 * How the run's own turn ended, whose job was read to an end. Where one other request came before that reading, an end after which the job
 * works again is the run's own; after the last end, `endOfTurn` tells what is known of an earlier turn.
 * @param readAt of that end, on GitHub's clock @throws {Cancelled | ServiceError}
 */
export async function endOfOwnTurn(
  session: Session,
  run: Run,
  waiting: WaitOptions,
  readAt: number,
): Promise<RunEnding> {
  const own = run.in('running')
  const end = { ...endingOf(own.job), log: [] }
  const others = await otherRequests(session, run)
  const [next, ...more] = laterTurns(own, requestsIn(askedUntil(others, readAt)))
  if (next === undefined) return end
  // A job that worked when the message came was read until it had rested for as long as between two turns.
  const mayWorkAgain = !own.wasBusy && more.length === 0 && next.state !== 'ended'
  const worksAgain = mayWorkAgain && (await session.client.worksAgain(own.job, waiting))
  // A request that came meanwhile may be the one that it works on.
  const now = requestsIn(mayWorkAgain ? await otherRequests(session, run) : others)
  const later = laterTurns(own, now)
  const isOwn = later.length === 0 || (later.length === 1 && worksAgain)
  return isOwn ? end : { ...end, otherTurns: now }
}

/** Those of the run's own thread, and of the other one of a job from before the request. What GitHub does not show counts as nothing. */
async function otherRequests(session: Session, run: Run): Promise<Log> {
  const { job, messagedAt } = run.in('running')
  const thread = run.writableThread(session)
  if (thread === undefined) return []
  const pull = messagedAt > 0 ? pullRequestOf(job.prLink, session.runner.serverUrl) : undefined
  const other = pull && otherThreadOf(session, run, pull)
  const places = [thread, ...(other === undefined ? [] : [other])]
  await Promise.all(
    places.map((place) =>
      place.readChanges(session).catch((error: unknown) => session.deps.core.debug(messageOf(error))),
    ),
  )
  throwIfCancelled(session.deps.cancellation)
  return places.flatMap((place) => place.recordsFor(run.identity).others)
}
