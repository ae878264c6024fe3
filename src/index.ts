import { clockDeps } from './deps.ts'
import { environmentOf } from './environment.ts'
import { fetchFor } from './http/fetch.ts'
import { rawInputs } from './inputs/read.ts'
import { isRed } from './outcome.ts'
import { run } from './run.ts'
import { runnerOf } from './runner.ts'
import { cancellationOnSignals } from './signals.ts'

const { env } = process
const runner = runnerOf(env)
const raw = rawInputs(env)
const deps = {
  ...clockDeps,
  runner,
  log: runner.log,
  fetch: await fetchFor(env),
  cancellation: cancellationOnSignals(),
}
const { outcome } = await run(deps, raw, environmentOf(env))
process.exitCode = isRed(outcome, raw('on-timeout')?.toLowerCase() === 'warn' ? 'warn' : 'fail') ? 1 : 0
