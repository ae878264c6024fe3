import { ifKnown, isJobNotFound, lacksLink } from '../agent/agent-client.ts'
import { messageOf } from '../base/errors.ts'
import type { RecordedComment } from '../record/fold.ts'
import { askedAt, openIn, REPORTING_MS } from '../record/log.ts'
import type { RequestRecord } from '../record/record.ts'
import type { JobSnapshot } from '../record/report.ts'
import { areChecksFollowed, areEffectsDone, type Ended } from '../record/states.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import type { Thread } from '../thread/thread.ts'
import { failureWarnings } from '../words/side-tasks.ts'
import { lastKnownEnding } from './decide.ts'
import { sayLateLink } from './late-link.ts'
import type { ConcludeOptions } from './result.ts'
import { concludeFound, endOne, isRunning, type OpenRequest, SWEEP, type Work } from './sweep.ts'

/** How many records a run ends beside its own request, and how long it works on them, in ms. */
const MOST = 3
const MOST_MS = 10_000
const BETWEEN_READS_MS = 3000
/** In addition, for the second read of a job that names no pull request yet. */
const LINK_MS = 15_000

/** How this run's own request was accepted and ended; its job may have gone on with the failures of checks since. */
type OwnEnd = Pick<Ended, 'job' | 'acceptedAt' | 'ending'>

const QUIET_SWEEP: ConcludeOptions = { ...SWEEP, isQuiet: true }

/** One sweep of a thread, by a run that has its own request there. */
interface ThreadSweep {
  readonly session: Session
  readonly run: Run
  /** The job, as it was read before the message of this run. */
  readonly before: JobSnapshot | undefined
  /** This run's own request; undefined before its end: then each job is read, as far as this run has not. */
  readonly own: OwnEnd | undefined
  /** Ends all reads, once the sweep takes too long. */
  readonly signal: AbortSignal
  /** In addition to `MOST_MS`. */
  moreMs: number
}

/**
 * Ends what lost runs left in the thread of this one, as a sweep of the repository would: a workflow may have none. It is tried once.
 * @param before the job, as read before the message of this run @param own see `ThreadSweep`
 */
export async function sweepThread(
  given: Session,
  run: Run,
  before?: JobSnapshot,
  own?: OwnEnd,
): Promise<void> {
  const { deps, commentMode, runner } = given
  // Warnings are about this run's own request alone.
  const session = { ...given, warnings: failureWarnings(deps.core, runner.repository) }
  const thread = run.writableThread(session)
  if (thread?.isRead !== true || commentMode === 'off') return
  // Only the record of its own end tells which turn is the last.
  if (own !== undefined && run.lastWrite !== 'done') return
  if (before !== undefined && own === undefined)
    await sayLateLink(session, thread, before, QUIET_SWEEP).catch((error: unknown) =>
      deps.core.debug(messageOf(error)),
    )
  const left = leftIn(session, run, thread, own)
  if (left.length === 0) return
  const enough = new AbortController()
  const { signal } = enough
  const sweep: ThreadSweep = { session, run, before, own, signal, moreMs: 0 }
  const tooLong = deps
    .sleep(MOST_MS, signal)
    .then(() => deps.sleep(sweep.moreMs, signal))
    .catch(() => undefined)
  await Promise.race([endAll(sweep, left), tooLong]).finally(() => enough.abort())
}

/** The requests that no run holds, the earliest first; after the end of this run's own, the earlier turns of its job. */
function leftIn(
  { github }: Session,
  run: Run,
  thread: Thread,
  own: OwnEnd | undefined,
): readonly OpenRequest[] {
  // A record of the same request that this run has left alone is another run's.
  const current = run.state.state === 'idle' ? undefined : run.identity.requestDigest
  return (
    openIn(thread.log, github.clock())
      .filter(
        ({ record }) => record.requestDigest !== current && (own === undefined || isEarlierTurn(record, own)),
      )
      // What a sweep follows step by step is not lost.
      .filter(({ record }) => !areChecksFollowed(record) || !areEffectsDone(record) || record.leaseMs > 0)
      .toSorted((a, b) => a.record.requestedAt - b.record.requestedAt)
      .map((one) => ({ ...one, thread, askedAt: askedAt(one, one.record) }))
  )
}

/** Ends them one after the other, and skips a job that still works: no request waits for the job of another one. */
async function endAll(sweep: ThreadSweep, left: readonly OpenRequest[]): Promise<void> {
  const { deps } = sweep.session
  let ended = 0
  for (const one of left) {
    if (ended >= MOST || sweep.signal.aborted || deps.cancellation.requested.aborted) return
    const isEnded = await endLeft(sweep, one).catch((error: unknown) =>
      deps.core.debug(`Request of ${one.url}: ${messageOf(error)}`),
    )
    if (isEnded === true) ended += 1
  }
}

/** @returns whether the request is at its end */
async function endLeft(sweep: ThreadSweep, one: OpenRequest): Promise<boolean> {
  const { session, run, own, signal } = sweep
  if (own !== undefined || !isRunning(one)) {
    // Its job has come to the end of a later turn.
    const end = own ?? { ending: lastKnownEnding(one.record) }
    return (await concludeFound(session, one, end, QUIET_SWEEP)) !== undefined
  }
  const reading = await readJob(sweep, one)
  // After the message of this run, the job tells of another turn.
  const readsAgain = run.job?.id !== one.record.job.id
  if (readsAgain && reading.job && lacksLink(reading.job)) sweep.moreMs = LINK_MS
  return (await endOne(session, one, { ...reading, readsAgain, signal }, QUIET_SWEEP)).kind === 'finished'
}

/** The job as this run has seen it, if the record stood in the thread then; else as it is now. */
async function readJob(
  { session, before, signal }: ThreadSweep,
  one: Work['running'][number],
): Promise<Pick<JobSnapshot, 'job' | 'at'> & { readonly log?: JobSnapshot['log'] }> {
  const { client, github, deps } = session
  const { id } = one.record.job
  const wasThere = ({ id: known, record }: RecordedComment) =>
    known === one.id && record.writtenAt === one.record.writtenAt
  if (before?.id === id && before.log.some(wasThere)) return before
  // The service may show a job only a while after it has started it, and can miss a job once.
  const isNew = one.updatedAt + REPORTING_MS > github.clock()
  const readTwice = () =>
    client.read(id, { signal }).catch(async (error: unknown) => {
      if (!isJobNotFound(error)) throw error
      await deps.sleep(BETWEEN_READS_MS, signal)
      return await client.read(id, { signal })
    })
  const job = await (isNew ? client.read(id, { signal }) : ifKnown(readTwice()))
  return { job, at: github.clock() }
}

const isEarlierTurn = (record: RequestRecord, { job, acceptedAt }: OwnEnd): boolean =>
  record.state === 'running' && record.job.id === job.id && record.acceptedAt < acceptedAt
