import { wire } from '../wire.ts'
import { isRed } from './ending.ts'
import { staySmall } from './memory.ts'
import { run } from './run.ts'

staySmall()
const { deps, raw, environment } = await wire(process.env)
process.exitCode = isRed(await run(deps, raw, environment)) ? 1 : 0
