import { type Authored, currentRecord, replacedBy } from '../request/precedence.ts'
import { isRequestRecord, type RequestRecord } from '../request/record.ts'
import type { Running } from '../request/states.ts'
import { trustedRecords } from '../thread/read-records.ts'
import type { Session } from '../thread/session.ts'

export interface KnownRequest<R extends RequestRecord = RequestRecord> {
  readonly thread: number
  readonly record: R
  /** Older comments of a reported request: a run was killed before it could delete them. */
  readonly replaced: readonly Authored[]
  /** Of the comment with the record, on the clock of the forge, in ms since the epoch. */
  readonly updatedAt: number
}

export type OpenRequest = KnownRequest<RequestRecord & Running>

/** Whether a sweep may take the request up: its job is known, and no run waits for it any more (contract 8.1). */
export const isUncollected = (request: KnownRequest, now: number): request is OpenRequest =>
  request.record.state === 'running' && request.record.waitsUntil <= now

type Recorded = Pick<KnownRequest, 'thread' | 'record' | 'updatedAt'> & Authored

/**
 * @param since in ms since the epoch: older comments are not read
 * @returns the earliest request first
 * @throws {ForgeError} where GitHub does not answer, or refuses
 */
export async function findRequests(
  { forge, scope }: Session,
  since: number,
): Promise<readonly KnownRequest[]> {
  const byKey = new Map<string, Recorded[]>()
  for await (const comments of forge.listRepositoryComments(new Date(since).toISOString())) {
    const recorded = await trustedRecords(forge, comments, ({ thread }) => ({ ...scope, thread }))
    for (const { id, author, record, thread, updatedAt } of recorded) {
      if (!isRequestRecord(record)) continue
      const key = `${thread}:${record.key}`
      // Without the texts, which can be long.
      byKey.set(key, [...(byKey.get(key) ?? []), { id, author, record, thread, updatedAt }])
    }
  }
  const requests = [...byKey.values()].flatMap((comments) => {
    const current = currentRecord(comments)
    return current === undefined ? [] : [{ ...current, replaced: replacedBy(current, comments) }]
  })
  return requests.toSorted((a, b) => a.record.requestedAt - b.record.requestedAt)
}
