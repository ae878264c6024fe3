import pLimit from 'p-limit'
import { isRefused } from '../errors.ts'
import type { PullRequest } from '../event/objects.ts'
import type { RequestId } from '../request/history.ts'
import type { RequestRecord } from '../request/record.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { digestChanges } from './digest.ts'
import { hasAgent } from './increment.ts'
import { type Decisions, decisionsOf } from './verdict.ts'

export interface MergedThread {
  readonly number: number
  readonly thread: Thread
  /** The thread decided its documentation, so the push that merged it does not ask, or pay, again (contract 3.8). */
  readonly isDecided: boolean
}

/** Threads read at a time. */
const AT_A_TIME = 8

/**
 * The threads of merged pull requests, and whether they decided the changes that were merged. One that GitHub refuses to
 * show is left out, and decides nothing.
 * @throws {ForgeError} where GitHub does not answer
 */
export async function readMergedThreads(
  session: Session,
  request: RequestId,
  pulls: readonly PullRequest[],
): Promise<readonly MergedThread[]> {
  const read = await pLimit(AT_A_TIME).map(pulls, async (pull): Promise<MergedThread[]> => {
    const thread = new Thread(pull.number)
    try {
      await thread.read(session)
    } catch (error) {
      if (isRefused(error)) return []
      throw error
    }
    const history = thread.historyOf(request)
    // A re-run of this very request goes on with it.
    const isDecided = history?.own === undefined && (await hasDecided(session, decisionsOf(history), pull))
    return [{ number: pull.number, thread, isDecided }]
  })
  return read.flat()
}

async function hasDecided(
  session: Session,
  { requests, skip }: Decisions,
  { number, headSha }: PullRequest,
): Promise<boolean> {
  if (skip !== undefined) return true
  const candidates = deciding(requests)
  const ofHead = candidates.filter(
    ({ head, commitStatus }) => headSha !== '' && (head.sha === headSha || commitStatus.sha === headSha),
  )
  if (await someGoOn(session, ofHead)) return true
  const others = candidates.filter((record) => record.head.digest !== '' && !ofHead.includes(record))
  if (others.length === 0) return false
  const { digest } = await digestChanges(session, { number, headSha })
  const same = others.filter(({ head }) => digest !== '' && head.digest === digest)
  return await someGoOn(session, same)
}

/** The commands, and the last request of each step that keeps the docs in step: its changes replaced earlier ones. */
function deciding(requests: readonly RequestRecord[]): readonly RequestRecord[] {
  const steps = new Set<string>()
  return requests.filter((record) => {
    const { head } = record
    if (!hasAgent(record)) return false
    if (head.sha === '') return true
    const isLast = !steps.has(head.step)
    steps.add(head.step)
    return isLast
  })
}

/** A job that failed may not be reported yet. */
async function someGoOn({ client }: Session, records: readonly RequestRecord[]): Promise<boolean> {
  for (const record of records) {
    if (record.state !== 'running') return true
    const job = await client.read(record.job.id).catch(() => undefined)
    if (job?.status !== 'failed') return true
  }
  return false
}
