import { isJobNotFound } from '../agent/agent-client.ts'
import { asMonotonic, throwIfCancelled } from '../base/deps.ts'
import { setStatus } from '../features/pull-request/pull-request.ts'
import type { WaitOptions } from '../http/retry.ts'
import type { Job } from '../record/job.ts'
import { type Ending, ending, endingOf, isTerminal } from '../record/outcome.ts'
import type { Running } from '../record/record.ts'
import type { RunEnding } from '../record/report.ts'
import { afterReading, turnIsOver, turnOf } from '../record/turn.ts'
import { writeStatus } from '../thread/comment.ts'
import { endingAfter } from '../thread/ending-after.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { endOfOwnTurn } from './own-turn.ts'

interface Waiting extends WaitOptions {
  /** The run waits for the end of the job; else the job is read once. */
  readonly waits: boolean
  /** Begins once the thread has the job, in a run that waits. */
  readonly meanwhile: () => Promise<void>
}

/** Follows the job of a running request to its end, or reads it once. What goes wrong becomes the ending. */
export async function follow(session: Session, run: Run, { waits, ...waiting }: Waiting): Promise<RunEnding> {
  const { state } = run
  if (state.state !== 'running') throw new Error(`no job is followed in the state ${state.state}`)
  try {
    if (isTerminal(state.job) && state.messagedAt === 0) {
      // The thread has the job before the process does anything else with it.
      await writeStatus(session, run)
      if (waits) await waiting.meanwhile()
      const last = await session.client.atItsEnd(state.job, waiting.pollMs)
      if (last !== state.job) run.noteJob(last)
      return endingOf(last)
    }
    return waits ? await poll(session, run, state, waiting) : await readJobOnce(session, run, state, waiting)
  } catch (error) {
    return isJobNotFound(error)
      ? ending('error', 'job-not-found', error.message)
      : endingAfter(session.deps, error)
  }
}

/** Reads the job once. @returns `started` where it goes on */
export async function readJobOnce(
  session: Session,
  run: Run,
  state: Running,
  { deadline, pollMs }: Pick<WaitOptions, 'deadline' | 'pollMs'>,
): Promise<Ending> {
  const { deps, client } = session
  // This run has just got the job as the answer to its request. `conclude` writes it into the thread.
  if (run.stage === 'announced') return ending('started')
  run.noteJob(await client.readOnce(state.job, { deadline, isKnown: true }))
  const { job } = run.in('running')
  const at = deps.now()
  const turn = turnOf(state, run.records()?.current?.record.writtenAt ?? at)
  if (turnIsOver(afterReading(turn, job, at), at, client.lagOf(pollMs))) {
    const last = await client.atItsEnd(job, pollMs)
    if (last !== job) run.noteJob(last)
    return endingOf(last)
  }
  if (hasNewHead(run)) await setStatus(session, run)
  return ending('started')
}

async function poll(
  session: Session,
  run: Run,
  state: Running,
  { meanwhile, ...waiting }: Omit<Waiting, 'waits'>,
): Promise<RunEnding> {
  const { deps, client, github, commentMode } = session
  throwIfCancelled(deps.cancellation)
  const isMoved = hasNewHead(run)
  await writeStatus(session, run)
  // A sweep may have reported the job right before it could see that this run holds it.
  if (run.stage !== 'announced' && commentMode !== 'off') {
    await run.thread?.read(session).catch(() => undefined)
    const own = run.records()?.current?.record
    if (own?.state === 'ended') run.resume(own)
  }
  const said = endWrittenMeanwhile(run)
  if (said !== undefined) return said
  if (isMoved) await setStatus(session, run)
  const onJob = (job: Job) => run.noteJob(job)
  const { messagedAt: at, wasBusy } = state
  const messagedAt = at === 0 ? undefined : asMonotonic(deps, at)
  const polling = client
    .poll({ ...waiting, job: state.job, messagedAt, wasBusy, onJob })
    .then((polled) => ({ ...polled, readAt: github.clock() }))
  const [{ late, readAt }] = await Promise.all([polling, meanwhile()])
  return late === undefined
    ? await endOfOwnTurn(session, run, waiting, readAt)
    : ending('timed-out', '', late.why || (late.failed?.message ?? ''))
}

/** The record in the thread names another head: a rebase made a new one of the same changes. */
const hasNewHead = (run: Run): boolean => {
  const own = run.records()?.current
  return own !== undefined && own.record.head.sha !== run.identity.head.sha
}

/** The end that another process wrote; undefined for none. */
const endWrittenMeanwhile = ({ state }: Run): Ending | undefined =>
  state.state === 'ended' ? state.ending : undefined
