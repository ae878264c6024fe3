import { close } from './close.ts'
import { clockDeps } from './deps.ts'
import { environmentOf } from './environment.ts'
import { fetchFor } from './http/fetch.ts'
import { rawInputs } from './inputs/read.ts'
import { runnerOf } from './runner.ts'
import { cancellationOnSignals } from './signals.ts'

const { env } = process
// Nothing is loaded for the many runs that have said all they had to say.
if (env.STATE_phase === 'sending' || env.STATE_phase === 'open') {
  const runner = runnerOf(env)
  const deps = {
    ...clockDeps,
    runner,
    log: runner.log,
    fetch: await fetchFor(env),
    cancellation: cancellationOnSignals(),
  }
  const state = { phase: env.STATE_phase, key: env.STATE_key ?? '', job: env.STATE_job ?? '' }
  await close(deps, rawInputs(env), environmentOf(env), state)
}
