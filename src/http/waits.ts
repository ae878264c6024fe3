import { paceOf } from './retry.ts'

/** How long the action waits for what GitHub and the service do late, in ms. */
const WAITS = {
  /** Checks that have ended, and a job between two turns, count once nothing has changed for so long. */
  quietMs: 30_000,
  /** A push, the first check and GitHub's word on conflicts may take so long. */
  lateMs: 60_000,
  /** What may never end is waited for until nothing has changed for so long. */
  stalledMs: 300_000,
} as const

export type Waits = Readonly<Record<keyof typeof WAITS, number>>

/** On a loopback server, where tests run, each wait is as many pauses between two readings as elsewhere. */
export function waitsFor(baseUrl: string, pollMs: number): Waits {
  const pace = paceOf(baseUrl, pollMs)
  const { quietMs, lateMs, stalledMs } = WAITS
  return { quietMs: quietMs * pace, lateMs: lateMs * pace, stalledMs: stalledMs * pace }
}
