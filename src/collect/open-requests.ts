import type { Forge } from '../github/forge.ts'
import { type Authored, currentRecord, replacedBy } from '../request/history.ts'
import { isRequestRecord, type RepositoryScope, type RequestRecord } from '../request/record.ts'
import type { Running } from '../request/states.ts'
import { trustedRecords } from '../thread/trusted-records.ts'

/** A request that the comments of a thread remember. */
export interface KnownRequest<R extends RequestRecord = RequestRecord> {
  readonly thread: number
  readonly record: R
  /** Older comments of a reported request: a run was killed before it could delete them. */
  readonly replaced: readonly Authored[]
  /** Of the comment with the record, on the clock of the forge, in ms since the epoch. */
  readonly updatedAt: number
}

/** A request whose job is known, and whose end is not reported. */
export type OpenRequest = KnownRequest<RequestRecord & Running>

/** Whether a sweep may take the request up: its job is known, and no run waits for it any more (contract 8.1). */
export const isUncollected = (request: KnownRequest, now: number): request is OpenRequest =>
  request.record.state === 'running' && request.record.waitsUntil <= now

/** What the comments of a repository remember. */
export interface Found {
  readonly requests: readonly KnownRequest[]
  /** The jobs that a comment on a pull request leads back to, as `12:j_81f2`. */
  readonly links: ReadonlySet<string>
}

export const linkName = (pull: number, jobId: string): string => `${pull}:${jobId}`

type Recorded = Pick<KnownRequest, 'thread' | 'record' | 'updatedAt'> & Authored

/**
 * Reads the repository's issue comments updated since then, and keeps the record that counts of each request.
 * @param since in ms since the epoch
 * @throws {ForgeError} where GitHub does not answer, or refuses
 */
export async function findRequests(forge: Forge, scope: RepositoryScope, since: number): Promise<Found> {
  const byKey = new Map<string, Recorded[]>()
  const links = new Set<string>()
  for await (const comments of forge.listRepositoryComments(new Date(since).toISOString())) {
    const recorded = await trustedRecords(forge, comments, ({ thread }) => ({ ...scope, thread }))
    for (const { id, author, record, thread, updatedAt } of recorded) {
      if (record.state === 'link') links.add(linkName(thread, record.job.id))
      if (!isRequestRecord(record)) continue
      const key = keyOf({ thread, record })
      // Without the texts, which can be long.
      byKey.set(key, [...(byKey.get(key) ?? []), { id, author, record, thread, updatedAt }])
    }
  }
  const requests = [...byKey.values()].flatMap((comments) => {
    const current = currentRecord(comments)
    if (current === undefined) return []
    const { thread, record, updatedAt } = current
    return [{ thread, record, updatedAt, replaced: replacedBy(current, comments) }]
  })
  return { requests: requests.toSorted((a, b) => a.record.requestedAt - b.record.requestedAt), links }
}

export const keyOf = ({ thread, record }: Pick<KnownRequest, 'thread' | 'record'>): string =>
  `${thread}:${record.key}`
