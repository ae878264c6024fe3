import { env } from 'node:process'

/** Loaded before an action, so that it runs on the date of the demo. */
const machineNow = Date.now
const shift = Number(env.SHIFT_DATE_MS ?? 0)

Date.now = () => machineNow() + shift
