import type { Cancellation } from '../core/cancellation.ts'
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
