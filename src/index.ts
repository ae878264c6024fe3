import { close } from './run/close.ts'
import { findState } from './run/post-state.ts'
import { run } from './run/run.ts'
import { enter } from './wire.ts'

// Both steps share a bundle, since every run downloads it: the file that the runner has started tells which one this is.
const isPost = /\bpost\.js$/.test(process.argv[1] ?? '')

await enter(async ({ deps, raw, environment, env }) => {
  if (!isPost) return await run(deps, raw, environment)
  await close(deps, raw, environment, findState(env))
  return false
})
