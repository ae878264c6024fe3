import type { Cancellation } from './cancellation.ts'

/** Everything a step takes from outside; tests hand in their own. */
export interface Deps {
  readonly core: Core
  readonly fetch: Fetch
  readonly cancellation: Cancellation
  /** Wall clock in ms since the epoch: for records and for dates that servers send. */
  now(): number
  /** Clock in ms that is never set: for every wait and deadline. */
  monotonic(): number
  /** Rejects as soon as `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** At least 0, less than 1; unpredictable, because fences are made of it. */
  random(): number
}

export type Fetch = (url: string, init: FetchInit) => Promise<Response>

export interface FetchInit extends RequestInit {
  /** Never through a proxy, whatever the environment says. */
  readonly direct?: boolean
}

/**
 * What the action uses of `@actions/core`. Lines of the log cannot become workflow commands, and a command
 * file that cannot be written does not end the step.
 */
export interface Core {
  /** The input without white space around it, '' where it is not given. */
  getInput(name: string): string
  getState(name: string): string
  setSecret(secret: string): void
  info(line: string): void
  debug(message: string): void
  warning(message: string): void
  error(message: string): void
  setFailed(message: string): void
  isDebug(): boolean
  setOutput(name: string, value: string): void
  saveState(name: string, value: string): void
  /** Replaces what the step wrote before. */
  setSummary(markdown: string): Promise<void>
}
