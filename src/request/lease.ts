import type { RequestRecord } from './record.ts'

// A run that waits keeps others from its request: for `waitsMs` from when its record was written (contract 8.1).

type Lease = Pick<RequestRecord, 'writtenAt' | 'waitsMs'>

/** A run waits for the job, its checks or its preview, as far as the clocks of two runners agree. @param now in ms since the epoch */
export const isWaitedFor = ({ waitsMs, writtenAt }: Lease, now: number): boolean =>
  waitsMs > 0 && writtenAt + waitsMs > now

/**
 * For so long after its deadline, a run can still report and do what follows its result, and a list can still show a record
 * that the run has replaced. In ms.
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
 * A time on the forge's clock, in ms since the epoch, at which the request was asked first, or a little earlier. The clocks of
 * runners and of the service can be hours apart from it. @param comment with its record
 */
export const askedAt = (
  { createdAt, updatedAt }: { readonly createdAt: number; readonly updatedAt: number },
  record: Pick<RequestRecord, 'writtenAt' | 'requestedAt'>,
): number => Math.min(createdAt, updatedAt - Math.max(0, record.writtenAt - record.requestedAt))
