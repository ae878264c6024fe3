import { clockDeps } from '../deps.ts'
import { environmentOf } from '../environment.ts'
import { fetchFor } from '../http/fetch.ts'
import { rawInputs } from '../inputs/read.ts'
import { runnerOf } from '../runner.ts'
import { cancellationOnSignals } from '../signals.ts'
import { isRed } from './ending.ts'
import { run } from './run.ts'

const { env } = process
const runner = runnerOf(env)
const deps = {
  ...clockDeps,
  runner,
  log: runner.log,
  fetch: await fetchFor(env),
  cancellation: cancellationOnSignals(),
}
process.exitCode = isRed(await run(deps, rawInputs(env), environmentOf(env))) ? 1 : 0
