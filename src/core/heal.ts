import { messageOf } from '../errors.ts'
import { lastKnownEnding } from './decide.ts'
import { askedAt } from './lease.ts'
import { endingOf } from './outcome.ts'
import type { Concluder } from './publish.ts'
import type { RequestRecord, Running } from './record.ts'
import type { Request } from './request.ts'
import type { Session } from './session.ts'
import { collectOne, concludeFound, isRunning, leftIn, type OpenRequest, SWEEP } from './sweep.ts'

/** So many records, and so many ms: the run has its own request. */
const MOST = 3
const MOST_MS = 10_000

/** How this run's own request was accepted, and its job as it ended. */
export type Accepted = Pick<Running, 'job' | 'acceptedAt'>

const HEAL: Concluder = { ...SWEEP, isQuiet: true }

/**
 * Brings to their end what lost runs left in the thread of this one, as a sweep would: there may be no sweeps. It is tried once.
 * @param accepted this run's own request; undefined before its end: then each job is read, as far as this run has not
 */
export async function heal(session: Session, request: Request, accepted?: Accepted): Promise<void> {
  const { deps, github, client, commentMode } = session
  const thread = request.writableThread(session)
  if (thread?.isRead !== true || commentMode === 'off') return
  // A record of the same request that this run has left alone is another run's.
  const own = request.state.state === 'idle' ? undefined : request.identity.key
  const left = leftIn(thread.log, github.clock())
    .filter(({ record }) => record.key !== own && (accepted === undefined || isEarlierTurn(record, accepted)))
    .toSorted((a, b) => a.record.requestedAt - b.record.requestedAt)
    .map((one) => ({ ...one, thread, askedAt: askedAt(one, one.record) }))
  if (left.length === 0) return
  const { seen } = request
  const finish = async (one: OpenRequest) => {
    // Its job has come to the end of a later turn.
    if (accepted !== undefined)
      return await concludeFound(session, one, endingOf(accepted.job), HEAL, accepted.job)
    if (!isRunning(one)) return await concludeFound(session, one, lastKnownEnding(one.record), HEAL)
    const { id } = one.record.job
    const { job, at } = seen?.id === id ? seen : { job: await client.read(id), at: github.clock() }
    return await collectOne(session, one, job, at, HEAL)
  }
  const enough = new AbortController()
  const finishAll = async () => {
    for (const one of left.slice(0, MOST)) {
      if (enough.signal.aborted || deps.cancellation.requested.aborted) return
      await finish(one).catch((error: unknown) =>
        deps.core.debug(`Request of ${one.url}: ${messageOf(error)}`),
      )
    }
  }
  const tooLong = deps.sleep(MOST_MS, enough.signal).catch(() => undefined)
  await Promise.race([finishAll(), tooLong]).finally(() => enough.abort())
}

const isEarlierTurn = (record: RequestRecord, { job, acceptedAt }: Accepted): boolean =>
  record.state === 'running' && record.job.id === job.id && record.acceptedAt < acceptedAt
