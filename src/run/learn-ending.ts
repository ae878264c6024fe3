import { isJobNotFound } from '../agent/agent-client.ts'
import { throwIfCancelled } from '../deps.ts'
import { whileWaiting } from '../http/failure.ts'
import type { WaitOptions } from '../http/retry.ts'
import type { Job } from '../request/job.ts'
import { type Ending, ending, endingOf, isTerminal } from '../request/outcome.ts'
import type { Running } from '../request/record.ts'
import { hasEnded, turnOf } from '../request/turn.ts'
import { during, type Session } from '../thread/session.ts'
import type { Caller } from './callers.ts'
import { endingAfter, endingOfRecord } from './endings.ts'
import type { Request } from './request.ts'

/** @returns how the request ended, as far as the caller can learn it; undefined where there is nothing to say */
export async function learnEnding(
  session: Session,
  request: Request,
  caller: Caller,
): Promise<Ending | undefined> {
  const { state } = request
  if (state.state !== 'running') return endingOfRecord(request) ?? caller.otherwise
  try {
    return (await endOfJob(session, request, state, caller)) ?? caller.otherwise
  } catch (error) {
    return isJobNotFound(error)
      ? ending('error', 'job-not-found', error.message)
      : endingAfter(session.deps, error)
  }
}

/** @returns undefined where the job works */
async function endOfJob(
  session: Session,
  request: Request,
  state: Running,
  { learns, waiting }: Caller,
): Promise<Ending | undefined> {
  // What a run said when it stopped waiting, as long as something of that is to be done.
  if (learns === 'nothing') return state.openParts.length > 0 ? state.ending : undefined
  if (waiting === undefined) return lookAtRecord(session, request, state)
  const look = learns === 'by following' ? followJob : lookAtJob
  return await look(session, request, state, waiting())
}

/** As far as the record tells. */
function lookAtRecord({ deps }: Session, request: Request, state: Running): Ending | undefined {
  const writtenAt = request.history?.own?.record.writtenAt ?? deps.now()
  // What the record knows was read before that.
  return hasEnded(state.job, turnOf(state, writtenAt, writtenAt)) ? endingOf(state.job) : undefined
}

/** Reads the job once. */
async function lookAtJob(
  { deps, client }: Session,
  request: Request,
  state: Running,
  { deadline }: WaitOptions,
): Promise<Ending | undefined> {
  // The answer to the request is as good as a read.
  const isRead = request.jobAction !== 'resumed'
  const job = isRead ? state.job : await client.readOnce(state.job, { deadline, isKnown: true })
  request.apply({ type: 'read', job })
  const writtenAt = request.history?.own?.record.writtenAt ?? deps.now()
  return hasEnded(job, turnOf(state, deps.now(), writtenAt)) ? endingOf(job) : undefined
}

/**
 * @throws {ServiceError} where the job cannot be read
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
async function followJob(
  session: Session,
  request: Request,
  state: Running,
  waiting: WaitOptions,
): Promise<Ending | undefined> {
  const { deps, client } = session
  const { messagedAt: messaged, wasBusy } = state
  // A new job that already ended gets its result, not a status. After a message that needs a second look (4.8).
  if (isTerminal(state.job) && messaged === 0) return endingOf(state.job)
  throwIfCancelled(deps.cancellation)
  const { deadline } = waiting
  request.apply({ type: 'follow' })
  // GitHub never decides how a run ends, not even by the time that a limit of its rate takes (contract 5.6).
  const patient = during(session, whileWaiting(deadline - deps.monotonic()))
  if ((await request.writeStatus(patient)).existing !== undefined) return endingOfRecord(request)
  // As far as the clocks of two runners agree.
  const messagedAt = messaged === 0 ? undefined : deps.monotonic() - Math.max(0, deps.now() - messaged)
  const onJob = (job: Job) => request.apply({ type: 'read', job })
  const { job, timedOut } = await client.poll({ ...waiting, job: state.job, messagedAt, wasBusy, onJob })
  return timedOut === undefined ? endingOf(job) : ending('timed-out', '', timedOut)
}
