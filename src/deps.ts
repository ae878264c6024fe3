import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Cancellation, cancellation } from './cancellation.ts'
import { type Core, core } from './core.ts'
import { type Fetch, proxyFetch } from './http/fetch.ts'

/** Everything a step takes from outside; tests hand in their own. */
export interface Deps {
  readonly core: Core
  readonly fetch: Fetch
  readonly cancellation: Cancellation
  /** Wall clock in ms since the epoch: for records and for dates that servers send. */
  now(): number
  /** Clock in ms that is never set: for every wait and deadline. */
  monotonic(): number
  /** Resolves after `ms`; rejects as soon as `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** At least 0, less than 1; unpredictable, because fences are made of it. */
  random(): number
}

/** Node's timers take no longer time than this, in ms. */
const LONGEST_SLEEP = 2 ** 31 - 1

/** The dependencies of a real step. The first SIGINT or SIGTERM cancels it. */
export function processDeps(env: NodeJS.ProcessEnv): Deps {
  const canceller = cancellation((ms) => wait(ms, undefined, { ref: false }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => canceller.cancel())
  return {
    core,
    fetch: proxyFetch(env),
    cancellation: canceller,
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) => wait(Math.min(ms, LONGEST_SLEEP), undefined, signal && { signal }),
    random: () => randomInt(2 ** 32) / 2 ** 32,
  }
}
