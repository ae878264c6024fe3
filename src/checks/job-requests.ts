import { isRefused } from '../errors.ts'
import { isInRepository, type PullRequestRef } from '../link.ts'
import type { History } from '../request/history.ts'
import type { RequestIdentity, RequestRecord } from '../request/record.ts'
import { jobOf } from '../request/states.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'

/** What other runs did about a job, as far as the records of its threads tell. */
export interface JobRequests {
  /** SHAs of the commits whose failures another attempt of this very request sent back, as `CheckState` has them. */
  readonly sentFor: readonly string[]
  /** When the job may have got the failures of the commit from one of them; 0 for never. */
  readonly messagedAt: number
  /** The job worked on an earlier turn right before that. */
  readonly wasBusy: boolean
  /** The last request of the job, if its run follows the checks. */
  readonly later: RequestRecord | undefined
}

export const NO_OTHERS: JobRequests = { sentFor: [], messagedAt: 0, wasBusy: false, later: undefined }

interface OwnRequest {
  readonly thread: Thread
  readonly identity: RequestIdentity
  readonly jobId: string
}

/**
 * Reads the records of both threads: the one that asked for the pull request, and the pull request (contract 4.12).
 * @throws {ForgeError} where GitHub does not answer; what it refuses to show counts as empty
 */
export async function otherRequests(
  session: Session,
  { thread, identity, jobId }: OwnRequest,
  pull: PullRequestRef,
  sha: string,
): Promise<JobRequests> {
  const history = await historyIn(session, thread, identity)
  const isHere = isInRepository(session.context.repository, pull)
  const other = pull.number === thread.number ? history?.askedIn.get(jobId) : pull.number
  const there =
    isHere && other !== undefined ? await historyIn(session, new Thread(other), identity) : undefined
  const requests = [...(history?.others ?? []), ...(there?.others ?? [])]
    .map(({ record }) => record)
    .filter((record) => jobOf(record)?.id === jobId)
  // Another attempt may have taken the request up.
  const own = history?.own?.record
  const sent = [...requests, ...(own === undefined ? [] : [own])].flatMap((record) =>
    record.state === 'reported' && record.checks?.sentFor.includes(sha) ? [record.checks] : [],
  )
  const later = requests
    .filter((record) => follows(record) && isLater(record, identity))
    .toSorted((a, b) => b.requestedAt - a.requestedAt)
  const [last] = sent.toSorted((a, b) => b.messagedAt - a.messagedAt)
  return {
    sentFor: own?.state === 'reported' ? (own.checks?.sentFor ?? []) : [],
    messagedAt: last?.messagedAt ?? 0,
    wasBusy: last?.wasBusy === true,
    later: later[0],
  }
}

async function historyIn(
  session: Session,
  thread: Thread,
  identity: RequestIdentity,
): Promise<History | undefined> {
  await thread.read(session).catch((error: unknown) => {
    if (!isRefused(error)) throw error
  })
  return thread.historyOf(identity)
}

/** Of two that came in the same millisecond, every run has to take the same one for the later. */
const isLater = (one: RequestRecord, { requestedAt, key }: RequestIdentity): boolean =>
  one.requestedAt > requestedAt || (one.requestedAt === requestedAt && one.key > key)

/** Its job works on the request, or ended with a pull request whose checks the run read. */
const follows = (record: RequestRecord): boolean =>
  record.settings.followsChecks === true &&
  (record.state === 'running' || (record.state === 'reported' && record.checks !== undefined))
