import { run } from './run/run.ts'
import { enter } from './wire.ts'

await enter(({ deps, raw, environment }) => run(deps, raw, environment))
