import type { Forge } from '../github/forge.ts'
import type { StateName } from '../request/lifecycle.ts'
import { isRequestRecord, type RepositoryScope, type RequestRecord } from '../request/record.ts'
import { trustedRecords } from '../run/trusted-records.ts'

/** A record that names a job whose end is not reported. */
export type OpenRecord = Extract<RequestRecord, { state: 'running' | 'detached' }>

/** A request whose job is known, and whose end is not reported. */
export interface OpenRequest<R extends RequestRecord = OpenRecord> {
  readonly thread: number
  readonly record: R
  /** When its oldest comment was updated, in ms since the epoch on the forge's clock. */
  readonly updatedAt: number
}

/** Whether a sweep looks at requests in this state. */
const COLLECTS: Readonly<Record<StateName, boolean>> = {
  received: false,
  sending: false,
  unknown: false,
  notSent: false,
  running: true,
  detached: true,
  reported: false,
  answered: false,
}

/** Whether a sweep may take the request up: its job is known, and no run waits for it any more (contract 8.1). */
const isUncollected = (record: RequestRecord, now: number): record is OpenRecord =>
  COLLECTS[record.state] && 'waitsUntil' in record && record.waitsUntil <= now

/**
 * Reads the repository's issue comments updated since then, and keeps the newest record of each request: one whose end
 * was reported after all is newer than the comment that says it is open.
 * @param since in ms since the epoch, like `now`
 * @returns the requests to look after, the oldest first
 * @throws what octokit throws
 */
export async function openRequests(
  forge: Forge,
  scope: RepositoryScope,
  since: number,
  now: number,
): Promise<readonly OpenRequest[]> {
  const newest = new Map<string, OpenRequest<RequestRecord>>()
  for await (const comments of forge.listRepositoryComments(new Date(since).toISOString())) {
    const recorded = await trustedRecords(forge, comments, ({ thread }) => ({ ...scope, thread }))
    for (const { record, thread, updatedAt } of recorded) {
      if (!isRequestRecord(record)) continue
      const key = `${thread}:${record.key}`
      newest.set(key, newer(newest.get(key), { thread, record, updatedAt }))
    }
  }
  return [...newest.values()]
    .filter((request): request is OpenRequest => isUncollected(request.record, now))
    .sort((a, b) => a.record.requestedAt - b.record.requestedAt)
}

type AnyRequest = OpenRequest<RequestRecord>

function newer(known: AnyRequest | undefined, other: AnyRequest): AnyRequest {
  if (known === undefined) return other
  const latest = known.record.writtenAt < other.record.writtenAt ? other : known
  return { ...latest, updatedAt: Math.min(known.updatedAt, other.updatedAt) }
}
