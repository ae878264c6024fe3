import { isRed } from './outcome.ts'
import { run } from './run.ts'
import { wire } from './wire.ts'

const { deps, raw, environment } = await wire(process.env)
const { outcome } = await run(deps, raw, environment)
const onTimeout = raw('on-timeout')?.toLowerCase() === 'warn' ? 'warn' : 'fail'
process.exitCode = isRed(outcome, onTimeout) ? 1 : 0
