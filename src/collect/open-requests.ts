import { leftOverOf, type RequestComment, recordThatCounts, stillOpen } from '../request/history.ts'
import { isRequestRecord, type RequestRecord, type Running } from '../request/record.ts'
import { askedAt } from '../run/agent-pull-requests.ts'
import type { Session } from '../thread/session.ts'
import { trustedRecords } from '../thread/thread.ts'

/** A request in a thread of the repository, by the record that counts. */
export interface KnownRequest<R extends RequestRecord = RequestRecord> {
  readonly thread: number
  readonly record: R
  /** When it was asked first, or earlier, on the forge's clock, in ms since the epoch. */
  readonly askedAt: number
  /** Of the comment with the record, on the same clock. */
  readonly updatedAt: number
  /** Something follows the result, or a comment is left that it replaces. */
  readonly hasLeftOver: boolean
}

/** A request whose job is known, and that no run waits for any more (contract 8.1). */
export type OpenRequest = KnownRequest<Extract<RequestRecord, Running>>

/**
 * A run reports for a while after its deadline, and does what follows its result. A list can show a record that it has
 * replaced since.
 */
const REPORTING_MS = 60_000

type FoundComment = Omit<KnownRequest, 'hasLeftOver'> & Pick<RequestComment, 'id' | 'author'>

/**
 * The requests that no run waits for any more, the earliest first.
 * @param since in ms since the epoch: older comments are not read
 * @throws {ForgeError} where GitHub does not answer, or refuses
 */
export async function findRequests(
  { forge, scope }: Session,
  since: number,
): Promise<readonly KnownRequest[]> {
  const byKey = new Map<string, FoundComment[]>()
  for await (const comments of forge.listRepositoryComments(new Date(since).toISOString())) {
    const recorded = await trustedRecords(forge, comments, ({ thread }) => ({ ...scope, thread }))
    for (const { body, record, ...comment } of recorded) {
      if (!isRequestRecord(record)) continue
      const key = `${comment.thread}:${record.key}`
      // Without the texts, which can be long.
      const asked = { ...comment, record, askedAt: askedAt(comment, record) }
      byKey.set(key, [...(byKey.get(key) ?? []), asked])
    }
  }
  const now = forge.clock()
  return [...byKey.values()]
    .flatMap((comments) => {
      const counts = recordThatCounts(comments)
      if (counts === undefined) return []
      // What the runner's clock says of its deadline counts from when the forge got it.
      const { waitsMs, state } = counts.record
      const isAtWork = waitsMs > 0 || state === 'reported'
      if (isAtWork && counts.updatedAt + waitsMs + REPORTING_MS > now) return []
      const hasLeftOver =
        leftOverOf(comments, counts).length > 0 || stillOpen(counts.record, comments).length > 0
      return [{ ...counts, hasLeftOver }]
    })
    .toSorted((a, b) => a.record.requestedAt - b.record.requestedAt)
}
