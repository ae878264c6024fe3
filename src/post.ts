import { close } from './run/close.ts'
import { findState } from './run/post-state.ts'
import { enter } from './wire.ts'

await enter(async ({ deps, raw, environment, env }) => {
  await close(deps, raw, environment, findState(env))
  return false
})
