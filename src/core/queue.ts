import type { RequestComment } from './fold.ts'
import { isHeld, SENDING_MS } from './lease.ts'
import { isInDoubt } from './record.ts'

// Requests of one thread that go out at the same time: each has written its record, and sees those of the others. The ids of
// comments are the order that all of them see alike.

/** A request that still waits so many ms after its record was written writes it once more, so that others go on waiting for it. */
export const RENEWED_AFTER_MS = SENDING_MS / 3

export interface Queue {
  readonly own: Pick<RequestComment, 'id' | 'updatedAt'>
  readonly others: readonly RequestComment[]
  /** Keys of the requests that this one has waited for. */
  readonly awaited: ReadonlySet<string>
  /** On GitHub's clock, in ms since the epoch. */
  readonly now: number
  /** The run has no time left to wait. */
  readonly isLate: boolean
}

/**
 * `look`: read the thread again, after writing the own record once more (`renews`), and after a pause for the older requests with
 * the keys `behind`. `go`: send it now; if `isUnanswered`, an older request may have started a job that the thread does not know.
 * `lost`: do not send it, because the other runs no longer wait for it.
 */
export type QueueStep =
  | { readonly kind: 'look'; readonly renews: boolean; readonly behind: readonly string[] }
  | { readonly kind: 'go'; readonly isUnanswered: boolean }
  | { readonly kind: 'lost' }

export function nextInQueue({ own, others, awaited, now, isLate }: Queue): QueueStep {
  const age = now - own.updatedAt
  if (age >= SENDING_MS) return { kind: 'lost' }
  const sending = others.filter(({ id, record }) => id < own.id && record.state === 'sending')
  const held = sending.filter(({ record, updatedAt }) => isHeld(record, updatedAt, now))
  const behind = held.map(({ record }) => record.key)
  const renews = age >= RENEWED_AFTER_MS
  if (!isLate && (renews || behind.length > 0)) return { kind: 'look', renews, behind }
  const isLost = ({ record }: RequestComment) => awaited.has(record.key) && isInDoubt(record)
  return { kind: 'go', isUnanswered: sending.length > 0 || others.some(isLost) }
}
