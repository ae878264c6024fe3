import type { Forge } from '../github/forge.ts'
import { standingRecord } from '../request/history.ts'
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
 * Reads the repository's issue comments updated since then, and keeps the record that counts of each request.
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
  const requests = new Map<string, OpenRequest<RequestRecord>[]>()
  for await (const comments of forge.listRepositoryComments(new Date(since).toISOString())) {
    const recorded = await trustedRecords(forge, comments, ({ thread }) => ({ ...scope, thread }))
    for (const { record, thread, updatedAt } of recorded) {
      if (!isRequestRecord(record)) continue
      const key = `${thread}:${record.key}`
      requests.set(key, [...(requests.get(key) ?? []), { thread, record, updatedAt }])
    }
  }
  return [...requests.values()]
    .map(reduceRequest)
    .filter((request): request is OpenRequest => request !== undefined && isUncollected(request.record, now))
    .sort((a, b) => a.record.requestedAt - b.record.requestedAt)
}

function reduceRequest(
  records: readonly OpenRequest<RequestRecord>[],
): OpenRequest<RequestRecord> | undefined {
  const newestFirst = records.toSorted((a, b) => b.record.writtenAt - a.record.writtenAt)
  const standing = standingRecord(newestFirst)
  return standing && { ...standing, updatedAt: Math.min(...records.map(({ updatedAt }) => updatedAt)) }
}
