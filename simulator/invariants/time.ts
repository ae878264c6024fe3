import { requestOf } from '../history.ts'
import type { Invariant } from './invariant.ts'

const timeoutOf = (inputs: Readonly<Record<string, string>>): number =>
  Number(inputs['timeout-minutes'] ?? '30') * 60_000

/** Nothing is asked of the service after the deadline, as the run's own clock has it; GitHub may be told later. */
export const nothingAfterDeadline: Invariant = {
  name: 'nothing-after-deadline',
  clause: '1, 4.4',
  afterLife(history, life) {
    const request = requestOf(history, life)
    if (request === undefined || life.role !== 'main') return []
    const deadline = life.startedAt + timeoutOf(request.inputs)
    return (
      life.calls
        // What was on its way when the clock jumped had looked at it before.
        .filter(({ host, seenAt }, n) => host === 'service' && seenAt > deadline && n !== life.overtaken)
        .map(
          ({ method, path, seenAt }) =>
            `${life.name} sent ${method} ${path} ${(seenAt - deadline) / 1000} s late`,
        )
    )
  },
}

/** Nobody waits for ever: the time that was given, what GitHub's retries may take, and no more. */
export const endsInTime: Invariant = {
  name: 'ends-in-time',
  clause: '1, 4.4, 5.7',
  afterLife: (_, { name, fate }) => (fate === 'hung' ? [`${name} never ended`] : []),
}

const SOON_MS = 5000

/** Told to stop, a run has said everything within five seconds. */
export const cancelledSoon: Invariant = {
  name: 'cancelled-soon',
  clause: '6.1',
  afterLife(_, { name, fate, cancelledAt, endedAt }) {
    if (cancelledAt === undefined || fate === 'threw') return []
    const took = endedAt - cancelledAt
    return took <= SOON_MS ? [] : [`${name} took ${took / 1000} s to stop`]
  },
}

/** The shortest pause that a run makes of its own accord, less what chance takes off it (4.6). */
const SHORTEST_MS = 0.89 * 1000

/** The service is given time between two reads of a job, whatever the clock says meanwhile. */
export const patient: Invariant = {
  name: 'patient',
  clause: '4.4, 4.6',
  afterLife(history, life) {
    const request = requestOf(history, life)
    if (request === undefined) return []
    const pollMs = Number(request.inputs['poll-interval-seconds'] ?? '15') * 1000
    // A pause ends when the clock says so: the first read after a jump forward comes early, the next may not.
    const early = life.calls[life.overtaken]
    const reads = life.calls.filter(({ host, method }) => host === 'service' && method === 'GET')
    const hasty = reads.findIndex((read, n) => {
      const before = reads[n - 1]
      return (
        read !== early &&
        before?.path === read.path &&
        read.at - before.at < Math.min(SHORTEST_MS, 0.89 * pollMs)
      )
    })
    return hasty < 0 ? [] : [`${life.name} read a job twice at once (read ${hasty + 1} of ${reads.length})`]
  },
}
