import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from './deps.ts'
import { type Environment, environmentOf } from './environment.ts'
import { fetchFor } from './http/fetch.ts'
import { type RawInputs, rawInputs } from './inputs/read.ts'
import { runnerOf } from './runner.ts'
import { cancellationOnSignals } from './signals.ts'

export interface Wired {
  readonly deps: Deps
  readonly raw: RawInputs
  readonly environment: Environment
}

/** Node's timers take no longer time than this, in ms. */
const LONGEST_SLEEP = 2 ** 31 - 1

/** The world outside, as the entries hand it to what they run. */
export async function wire(env: NodeJS.ProcessEnv): Promise<Wired> {
  const runner = runnerOf(env)
  const deps: Deps = {
    runner,
    log: runner.log,
    fetch: await fetchFor(env),
    cancellation: cancellationOnSignals(),
    now: () => Date.now(),
    sleep: (ms, signal) =>
      wait(Math.min(ms, LONGEST_SLEEP), undefined, signal === undefined ? {} : { signal }),
    random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
  }
  return { deps, raw: rawInputs(env), environment: environmentOf(env) }
}
