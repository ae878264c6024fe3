import { existsSync } from 'node:fs'
import { env } from 'node:process'

/** Loaded before an action: its clock for waits and deadlines jumps by an hour when the file appears. */
const HOUR_MS = 3_600_000
const machineNow = performance.now.bind(performance)

performance.now = () => machineNow() + (existsSync(env.CLOCK_JUMPS_WITH ?? '') ? HOUR_MS : 0)
