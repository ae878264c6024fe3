import { enter } from '../wire.ts'
import { isRed } from './ending.ts'
import { staySmall } from './memory.ts'
import { run } from './run.ts'

staySmall()
await enter(async ({ deps, raw, environment }) => isRed(await run(deps, raw, environment)))
