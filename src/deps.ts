import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import * as toolkit from '@actions/core'
import { type Cancellation, cancellation } from './cancellation.ts'
import { messageOf } from './errors.ts'
import { type Fetch, proxyFetch } from './http/fetch.ts'
import { logLine } from './text.ts'

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

/** `core.info` prints a line that begins with `::` as it is, and the runner obeys it. */
const info = (line: string): void => toolkit.info(logLine(line))

/** `core.setOutput` and `core.saveState` throw where their file is missing; the rest of the report must still come. */
function tolerant(write: (name: string, value: string) => void): (name: string, value: string) => void {
  return (name, value) => {
    try {
      write(name, value)
    } catch (error) {
      info(`${name} could not be written (${messageOf(error)}).`)
    }
  }
}

/**
 * The part of `@actions/core` that the action uses, by its names. Lines of the log cannot become workflow commands, and
 * a command file that cannot be written does not end the step.
 */
export const core = {
  /** The input without white space around it, '' where it is not given. */
  getInput: (name: string): string => toolkit.getInput(name),
  /** What the main step saved for the post step, '' where it saved nothing. */
  getState: (name: string): string => toolkit.getState(name),
  setSecret: (secret: string): void => toolkit.setSecret(secret),
  info,
  debug: (message: string): void => toolkit.debug(message),
  warning: (message: string): void => toolkit.warning(message),
  error: (message: string): void => toolkit.error(message),
  /** An error annotation; the step ends red. */
  setFailed: (message: string): void => toolkit.setFailed(message),
  isDebug: (): boolean => toolkit.isDebug(),
  setOutput: tolerant(toolkit.setOutput),
  saveState: tolerant(toolkit.saveState),
  async addSummary(markdown: string): Promise<void> {
    try {
      await toolkit.summary.addRaw(markdown).write()
    } catch (error) {
      info(`The step summary could not be written (${messageOf(error)}).`)
    }
  },
}

export type Core = Readonly<typeof core>
