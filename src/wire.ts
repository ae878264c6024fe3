import { setTimeout as wait } from 'node:timers/promises'
import { crypto } from './core/crypto.ts'
import { unknownFault } from './core/errors.ts'
import { fetchFor } from './http/fetch.ts'
import { type RawInputs, rawInputs } from './inputs/read.ts'
import type { Deps } from './runner/deps.ts'
import { type Environment, environmentOf } from './runner/environment.ts'
import { type Runner, runnerOf } from './runner/runner.ts'
import { cancellationOnSignals } from './runner/signals.ts'

export interface Wired {
  readonly deps: Deps
  readonly raw: RawInputs
  readonly environment: Environment
  readonly env: NodeJS.ProcessEnv
}

/** Node's timers take no longer time than this, in ms. */
const LONGEST_SLEEP = 2 ** 31 - 1

/**
 * Runs a step: hands it the world outside, and tells the runner whether it ended red. Whatever gets past the step is
 * one sentence (contract 6.3).
 * @param step resolves to whether it ends red
 */
export async function enter(step: (wired: Wired) => Promise<boolean>): Promise<void> {
  const { env } = process
  const runner = runnerOf(env)
  try {
    process.exitCode = (await step({ ...wire(env, runner), env })) ? 1 : 0
  } catch (error) {
    runner.annotate('error', unknownFault(runner, error))
    process.exitCode = 1
  }
}

function wire(env: NodeJS.ProcessEnv, runner: Runner): Omit<Wired, 'env'> {
  let ready: Promise<typeof fetch> | undefined
  const deps: Deps = {
    runner,
    log: runner.log,
    // Made at the first request, when all secrets are masked.
    fetch: async (input, init) => {
      ready ??= fetchFor(env)
      return await (await ready)(input, init)
    },
    cancellation: cancellationOnSignals(),
    now: () => Date.now(),
    sleep: (ms, signal) =>
      wait(Math.min(ms, LONGEST_SLEEP), undefined, signal === undefined ? {} : { signal }),
    random: () => crypto().randomBytes(4).readUInt32BE() / 2 ** 32,
  }
  return { deps, raw: rawInputs(env), environment: environmentOf(env) }
}
