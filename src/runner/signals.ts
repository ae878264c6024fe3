import { setTimeout as wait } from 'node:timers/promises'
import { type Cancellation, cancellation } from '../core/cancellation.ts'

/** Cancels on the first SIGINT or SIGTERM; the second, which the runner sends 7.5 s later, finds all said. */
export function cancellationOnSignals(): Cancellation {
  const canceller = cancellation((ms) => wait(ms, undefined, { ref: false }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => canceller.cancel())
  return canceller
}
