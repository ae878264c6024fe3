import type { RequestRecord } from './record.ts'

// A run that waits keeps others from its request: for `waitsMs` from when its record was written (contract 8.1).

type Lease = Pick<RequestRecord, 'writtenAt' | 'waitsMs'>

/** A run waits for the end of the request, as far as the clocks of two runners agree. @param now in ms since the epoch */
export const isWaitedFor = ({ waitsMs, writtenAt }: Lease, now: number): boolean =>
  waitsMs > 0 && writtenAt + waitsMs > now

/**
 * A run reports for a while after its deadline, and does what follows its result. A list can show a record that it has
 * replaced since.
 */
export const REPORTING_MS = 60_000

interface Listed {
  readonly record: Pick<RequestRecord, 'state' | 'waitsMs'>
  /** Of the comment with the record, on the forge's clock, in ms since the epoch. */
  readonly updatedAt: number
}

/** A run may still wait for the request, or report it. @param now on the forge's clock, in ms since the epoch */
export const mayBeServed = ({ record: { waitsMs, state }, updatedAt }: Listed, now: number): boolean =>
  (waitsMs > 0 || state === 'reported') && updatedAt + waitsMs + REPORTING_MS > now

/**
 * When the request was asked first, or earlier, in ms since the epoch on the forge's clock: the clocks of runners and of
 * the service may be hours apart from it. @param comment with its record
 */
export const askedAt = (
  { createdAt, updatedAt }: { readonly createdAt: number; readonly updatedAt: number },
  record: Pick<RequestRecord, 'writtenAt' | 'requestedAt'>,
): number => Math.min(createdAt, updatedAt - Math.max(0, record.writtenAt - record.requestedAt))
