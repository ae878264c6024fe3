import type { RequestRecord } from './record.ts'

// How long a run holds its request, by which others leave it alone.

/** For so long, a request that goes out keeps the others of its thread waiting: by then its answer came, or never will. */
export const SENDING_MS = 180_000

/** For so long after its deadline, a run can still say how the request ended. */
export const REPORTING_MS = 60_000

/**
 * A run may still work on the request, or say how it ended: what goes out is held for three minutes, and everything else until the
 * deadline of its run, and a minute more. The run, or its post step, releases it with a record in which `heldForMs` is 0.
 * @param updatedAt of its comment, on GitHub's clock, like `now`
 */
export function isHeld({ state, heldForMs }: RequestRecord, updatedAt: number, now: number): boolean {
  if (heldForMs === 0) return false
  return updatedAt + (state === 'sending' ? SENDING_MS : heldForMs + REPORTING_MS) > now
}

/**
 * A time on GitHub's clock, in ms since the epoch, at which the request was asked first, or a little earlier. The clocks of
 * runners and of the service can be hours apart from it.
 */
export const askedAt = (
  { createdAt, updatedAt }: { readonly createdAt: number; readonly updatedAt: number },
  record: Pick<RequestRecord, 'writtenAt' | 'requestedAt'>,
): number => Math.min(createdAt, updatedAt - Math.max(0, record.writtenAt - record.requestedAt))
