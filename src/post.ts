import { close } from './close.ts'
import { wire } from './wire.ts'

const { STATE_phase: phase = '', STATE_key: key = '', STATE_job: job = '' } = process.env
const { deps, raw, environment } = await wire(process.env)
await close(deps, raw, environment, { phase, key, job })
