import type { RequestComment } from './reading.ts'
import { isHeld, type RequestState, SENDING_MS } from './record.ts'

// Requests of one thread that go out at the same time: each has written its record, and sees those of the others. The ids of
// comments are the order that all of them see alike.

/** A record that goes out later than that after it was written is written once more, so that others still wait for it. */
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
 * `look`: reads the thread again, once it has renewed its record, and given time to the older ones with the keys `behind`. `go`:
 * an earlier one may have started a job that the thread does not know, if it `isUnanswered`. `lost`: the others no longer wait.
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
  const isLost = ({ record }: RequestComment) => awaited.has(record.key) && isUncertain(record)
  return { kind: 'go', isUnanswered: sending.length > 0 || others.some(isLost) }
}

const isUncertain = (state: RequestState): boolean =>
  state.state === 'notSent' && state.ending.reason === 'creation-uncertain'
