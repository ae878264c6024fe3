import type { Forge } from '../github/forge.ts'
import { DEFAULT_POLL_MS } from '../inputs.ts'
import { type Authored, replacedBy, standingRecord } from '../request/history.ts'
import type { Job } from '../request/job.ts'
import { isTerminal } from '../request/outcome.ts'
import { isRequestRecord, type RepositoryScope, type RequestRecord } from '../request/record.ts'
import { trustedRecords } from '../thread/thread.ts'

/** A record that names a job whose end is not reported. */
type OpenRecord = Extract<RequestRecord, { state: 'running' | 'detached' }>

/** A request whose job is known, and whose end is not reported. */
export interface OpenRequest<R extends RequestRecord = OpenRecord> {
  readonly thread: number
  readonly record: R
  /** When its oldest comment was updated, in ms since the epoch on the forge's clock. */
  readonly updatedAt: number
}

/** Whether a sweep may take the request up: its job is known, and no run waits for it any more (contract 8.1). */
const isUncollected = (record: RequestRecord, now: number): record is OpenRecord =>
  (record.state === 'running' || record.state === 'detached') && record.waitsUntil <= now

/** After a message, a terminal status younger than this may be the last turn's (contract 4.8 at its default pause). */
const SETTLED_MS = 2 * DEFAULT_POLL_MS

/** Whether the job ended this request, and not only the one before it (contract 4.8). */
export function hasEnded(job: Job, { record }: OpenRequest, now: number): boolean {
  const { messagedAt } = record
  const turnBegan = messagedAt === 0 || record.job.status === 'active'
  return isTerminal(job.status) && (turnBegan || now - messagedAt >= SETTLED_MS)
}

/** What a sweep finds. */
interface Found {
  /** The requests to look after, the oldest first. */
  readonly open: readonly OpenRequest[]
  /** Reported requests with older comments beside the result: a run was killed before it could delete them. */
  readonly untidy: readonly OpenRequest<RequestRecord>[]
}

/** Without the texts, which can be long. */
type Recorded = OpenRequest<RequestRecord> & Authored

/**
 * Reads the repository's issue comments updated since then, and keeps the record that counts of each request.
 * @param since in ms since the epoch, like `now`
 * @throws what octokit throws
 */
export async function findRequests(
  forge: Forge,
  scope: RepositoryScope,
  since: number,
  now: number,
): Promise<Found> {
  const requests = new Map<string, Recorded[]>()
  for await (const comments of forge.listRepositoryComments(new Date(since).toISOString())) {
    const recorded = await trustedRecords(forge, comments, ({ thread }) => ({ ...scope, thread }))
    for (const { id, author, record, thread, updatedAt } of recorded) {
      if (!isRequestRecord(record)) continue
      const key = `${thread}:${record.key}`
      requests.set(key, [...(requests.get(key) ?? []), { id, author, record, thread, updatedAt }])
    }
  }
  const found = [...requests.values()].flatMap((comments) => reduceRequest(comments) ?? [])
  return {
    open: found
      .filter((request): request is typeof request & OpenRequest => isUncollected(request.record, now))
      .sort((a, b) => a.record.requestedAt - b.record.requestedAt),
    untidy: found.filter(({ isUntidy }) => isUntidy),
  }
}

function reduceRequest(comments: readonly Recorded[]) {
  const standing = standingRecord(comments)
  if (standing === undefined) return undefined
  const { thread, record } = standing
  const updatedAt = Math.min(...comments.map((comment) => comment.updatedAt))
  return { thread, record, updatedAt, isUntidy: replacedBy(standing, comments).length > 0 }
}
