import { wire } from '../wire.ts'
import { collect } from './run.ts'

const { deps, raw, environment } = await wire(process.env)
process.exitCode = (await collect(deps, raw, environment)) ? 1 : 0
