import { isJobNotFound } from '../agent/agent-client.ts'
import { asMonotonic, throwIfCancelled } from '../deps.ts'
import type { WaitOptions } from '../http/retry.ts'
import type { Job } from '../request/job.ts'
import { type Ending, ending, endingOf, isTerminal } from '../request/outcome.ts'
import { hasOpenParts } from '../request/parts.ts'
import type { Running } from '../request/record.ts'
import { hasEnded, turnOf } from '../request/turn.ts'
import type { Request } from '../thread/request.ts'
import { sayWorking } from '../thread/say.ts'
import type { Session } from '../thread/session.ts'
import { adoptExisting, adoptLater } from './adopt.ts'
import type { Caller } from './callers.ts'
import { endingAfter, endingOfRecord } from './endings.ts'

/** @returns how the request ended, as far as the caller can learn it; undefined where there is nothing to say */
export async function learnEnding(
  session: Session,
  request: Request,
  caller: Caller,
): Promise<Ending | undefined> {
  const { state } = request
  if (state.state !== 'running') return endingOfRecord(request) ?? caller.otherwise
  try {
    return (await LOOKS[caller.learns](session, request, state, caller.waiting)) ?? caller.otherwise
  } catch (error) {
    return isJobNotFound(error)
      ? ending('error', 'job-not-found', error.message)
      : endingAfter(session.deps, error)
  }
}

/** @returns undefined where the job works */
type Look = (
  session: Session,
  request: Request,
  state: Running,
  waiting: () => WaitOptions,
) => Promise<Ending | undefined> | Ending | undefined

/** After a message, an end in the record may be that of the turn before: only a new read can tell (4.8). */
const lookAtRecord: Look = (_session, _request, { job, messagedAt }) =>
  messagedAt === 0 && isTerminal(job) ? endingOf(job) : undefined

const LOOKS: Readonly<Record<Caller['learns'], Look>> = {
  'by following': followJob,
  'by one read': readJob,
  'from the record': lookAtRecord,
  // What a run said when it stopped waiting, as long as something of that is to be done.
  'what was said': (_session, _request, state) => (hasOpenParts(state) ? state.ending : undefined),
}

async function readJob(
  { deps, client }: Session,
  request: Request,
  state: Running,
  waiting: () => WaitOptions,
): Promise<Ending | undefined> {
  const { deadline, pollMs } = waiting()
  // The answer to the request is as good as a read.
  const job = request.hasAnnounced ? state.job : await client.readOnce(state.job, { deadline, isKnown: true })
  request.apply({ type: 'read', job })
  const writtenAt = request.history?.own?.record.writtenAt ?? deps.now()
  const turn = turnOf(state, deps.now(), writtenAt)
  return hasEnded(job, turn, client.settlingOf(pollMs)) ? endingOf(job) : undefined
}

/** A sweep may have reported the job just before it could see that this run waits for it. */
async function wasReported(session: Session, request: Request): Promise<boolean> {
  if (session.commentMode === 'off') return false
  await request.thread?.read(session).catch(() => undefined)
  return adoptLater(request)
}

/**
 * @throws {ServiceError} where the job cannot be read
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
async function followJob(
  session: Session,
  request: Request,
  state: Running,
  waiting: () => WaitOptions,
): Promise<Ending | undefined> {
  const { deps, client } = session
  const { messagedAt: messaged, wasBusy } = state
  // A new job that already ended gets its result, not a status. After a message that needs a second look (4.8).
  if (isTerminal(state.job) && messaged === 0) return endingOf(state.job)
  throwIfCancelled(deps.cancellation)
  const options = waiting()
  request.apply({ type: 'follow' })
  const { existing } = await sayWorking(session, request)
  if (existing !== undefined) {
    adoptExisting(request, existing)
    return endingOfRecord(request)
  }
  if (!request.hasAnnounced && (await wasReported(session, request))) return endingOfRecord(request)
  const messagedAt = messaged === 0 ? undefined : asMonotonic(deps, messaged)
  const onJob = (job: Job) => request.apply({ type: 'read', job })
  const { job, timedOut } = await client.poll({ ...options, job: state.job, messagedAt, wasBusy, onJob })
  return timedOut === undefined ? endingOf(job) : ending('timed-out', '', timedOut)
}
