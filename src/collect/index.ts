import { enter } from '../wire.ts'
import { collect } from './run.ts'

await enter(({ deps, raw, environment }) => collect(deps, raw, environment))
