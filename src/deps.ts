import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Cancellation } from './cancellation.ts'
import type { Runner } from './runner.ts'

/** All that a run takes from the world outside; tests hand in their own. */
export interface Deps {
  readonly fetch: typeof fetch
  readonly runner: Runner
  readonly cancellation: Cancellation
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`; rejects as soon as `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** At least 0, less than 1; unpredictable, since fences are made of it. */
  random(): number
  log(line: string): void
}

export const clockDeps: Pick<Deps, 'now' | 'sleep' | 'random'> = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    // A timer that nobody waits for must not keep the process alive; one that somebody waits for does, by its socket
    // or by the loop that awaits it.
    await wait(Math.min(ms, 2 ** 31 - 1), undefined, signal === undefined ? {} : { signal })
  },
  random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
}
