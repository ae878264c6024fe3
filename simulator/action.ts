// A step loads these when it needs them, and a simulated clock does not wait for the disk.
import '@actions/github'
import '../src/prompt/html-to-text.ts'

export type { Core, Deps, Fetch } from '../src/base/deps.ts'
/** All of the action that the simulator uses: its entries, and what they take from outside. */
export { type Canceller, cancellation } from '../src/base/deps.ts'
export type { Runner as RunContext } from '../src/event/trigger.ts'
export { core } from '../src/process-deps.ts'
export { collect } from '../src/story/collect.ts'
export { mainStep } from '../src/story/main.ts'
export { postStep } from '../src/story/post.ts'
