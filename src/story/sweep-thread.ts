import { ifKnown, isJobNotFound, lacksLink } from '../agent/agent-client.ts'
import { messageOf } from '../base/errors.ts'
import type { RecordedComment } from '../record/fold.ts'
import { askedAt, openIn, REPORTING_MS } from '../record/log.ts'
import type { RequestRecord } from '../record/record.ts'
import type { SeenJob } from '../record/report.ts'
import { areEffectsDone, type Ended, isWatched } from '../record/states.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { failureWarnings } from '../words/side-tasks.ts'
import { lastKnownEnding } from './decide.ts'
import { sayLateLink } from './late-link.ts'
import type { Concluder } from './result.ts'
import { concludeFound, endOne, isRunning, type OpenRequest, SWEEP } from './sweep.ts'

/** How many records a run ends beside its own request, and how long it works on them, in ms. */
const MOST = 3
const MOST_MS = 10_000
const BETWEEN_READS_MS = 3000
/** In addition, for the second read of a job that names no pull request yet. */
const LINK_MS = 15_000

/** How this run's own request was accepted and ended; its job may have gone on with the failures of checks since. */
type OwnEnd = Pick<Ended, 'job' | 'acceptedAt' | 'ending'>

const QUIET_SWEEP: Concluder = { ...SWEEP, isQuiet: true }

/**
 * Ends what lost runs left in the thread of this one, as a sweep of the repository would: a workflow may have none. It is tried once.
 * @param seen the job, as it was read before the message of this run
 * @param own this run's own request; undefined before its end: then each job is read, as far as this run has not
 */
export async function sweepThread(given: Session, run: Run, seen?: SeenJob, own?: OwnEnd): Promise<void> {
  const { deps, github, client, commentMode, runner } = given
  // Warnings are about this run's own request alone.
  const session = { ...given, warnings: failureWarnings(deps.core, runner.repository) }
  const thread = run.writableThread(session)
  if (thread?.isRead !== true || commentMode === 'off') return
  // Only the record of its own end tells which turn is the last.
  if (own !== undefined && run.lastWrite !== 'done') return
  if (seen !== undefined && own === undefined)
    await sayLateLink(session, thread, seen, QUIET_SWEEP).catch((error: unknown) =>
      deps.core.debug(messageOf(error)),
    )
  // A record of the same request that this run has left alone is another run's.
  const current = run.state.state === 'idle' ? undefined : run.identity.requestDigest
  const left = openIn(thread.log, github.clock())
    .filter(
      ({ record }) => record.requestDigest !== current && (own === undefined || isEarlierTurn(record, own)),
    )
    // What a sweep follows step by step is not lost.
    .filter(({ record }) => !isWatched(record) || !areEffectsDone(record) || record.leaseMs > 0)
    .toSorted((a, b) => a.record.requestedAt - b.record.requestedAt)
    .map((one) => ({ ...one, thread, askedAt: askedAt(one, one.record) }))
  if (left.length === 0) return
  const enough = new AbortController()
  // The service can miss a job once.
  const { signal } = enough
  const readTwice = (id: string) =>
    client.read(id, { signal }).catch(async (error: unknown) => {
      if (!isJobNotFound(error)) throw error
      await deps.sleep(BETWEEN_READS_MS, signal)
      return await client.read(id, { signal })
    })
  let moreMs = 0
  /** @returns whether the request is at its end */
  const finish = async (one: OpenRequest): Promise<boolean> => {
    if (own !== undefined || !isRunning(one)) {
      // Its job has come to the end of a later turn.
      const end = own ?? { ending: lastKnownEnding(one.record) }
      return (await concludeFound(session, one, end, QUIET_SWEEP)) !== undefined
    }
    const { id } = one.record.job
    // The service may show a job only a while after it has started it.
    const isNew = one.updatedAt + REPORTING_MS > github.clock()
    const wasThere = ({ id: known, record }: RecordedComment) =>
      known === one.id && record.writtenAt === one.record.writtenAt
    const reading =
      seen?.id === id && seen.log.some(wasThere)
        ? seen
        : { job: await (isNew ? client.read(id, { signal }) : ifKnown(readTwice(id))), at: github.clock() }
    // After the message of this run, the job tells of another turn.
    const readsAgain = run.job?.id !== id
    if (readsAgain && reading.job && lacksLink(reading.job)) moreMs = LINK_MS
    return (await endOne(session, one, { ...reading, readsAgain, signal }, QUIET_SWEEP)).kind === 'finished'
  }
  const finishAll = async () => {
    let ended = 0
    for (const one of left) {
      if (ended >= MOST || signal.aborted || deps.cancellation.requested.aborted) return
      const isEnded = await finish(one).catch((error: unknown) =>
        deps.core.debug(`Request of ${one.url}: ${messageOf(error)}`),
      )
      // Only ends count: a job that never ends keeps no other one from its end.
      if (isEnded === true) ended += 1
    }
  }
  const tooLong = deps
    .sleep(MOST_MS, signal)
    .then(() => deps.sleep(moreMs, signal))
    .catch(() => undefined)
  await Promise.race([finishAll(), tooLong]).finally(() => enough.abort())
}

const isEarlierTurn = (record: RequestRecord, { job, acceptedAt }: OwnEnd): boolean =>
  record.state === 'running' && record.job.id === job.id && record.acceptedAt < acceptedAt
