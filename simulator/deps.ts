import { unit } from '../emulator/random.ts'
import { linesOf } from '../emulator/runner/log.ts'
import { type Core, type Deps, core as real } from './action.ts'
import { forever, type Life } from './life.ts'
import { fetchFor } from './network.ts'
import type { World } from './world.ts'

/** All that the process takes from the world outside: each use of it is a place where it can be struck. */
export function depsOf(life: Life, world: World): Deps {
  const { seed } = world.story
  let drawn = 0
  return {
    core: recordingCore(life),
    fetch: (url, init) => fetchFor(life, world, url, init),
    cancellation: life.canceller,
    now: () => Math.floor(life.clock.now()),
    // A clock that is never set.
    monotonic: () => life.clock.now(),
    sleep: async (ms, signal) => {
      if (!life.step('other')) return await forever()
      await life.sleep(ms, signal)
    },
    random: () => (life.step('other') ? unit(seed, life.name, 'random', ++drawn) : 0.5),
  }
}

/** A core that records what the action writes. Its log is what the real one prints, read with the runner's grammar. */
function recordingCore(life: Life): Core {
  const { inputs, savedState, footprint } = life
  const print = (act: () => void): void => {
    if (!life.step('other')) return
    for (const line of linesOf(act)) {
      life.log.line(line)
      life.say(`| ${line}`)
    }
  }
  const command = (name: string, data: string, act: () => void): void =>
    print(() => {
      life.meant.push({ name, data })
      act()
    })
  const error = (message: string) => command('error', message, () => real.error(message))
  return {
    getInput: (name) => (inputs[name] ?? '').trim(),
    getState: (name) => savedState.get(name) ?? '',
    isDebug: () => false,
    info: (line) => print(() => real.info(line)),
    setSecret: (secret) => command('add-mask', secret, () => real.setSecret(secret)),
    debug: (message) => command('debug', message, () => real.debug(message)),
    warning: (message) => command('warning', message, () => real.warning(message)),
    error,
    setFailed(message) {
      error(message)
      if (!life.dead) life.red = true
    },
    setOutput(name, value) {
      if (!life.step('other')) return
      footprint.outputs.set(name, value)
      if (name === 'outcome') footprint.outcomes.push(value)
    },
    saveState: (name, value) => void (life.step('other') && footprint.state.set(name, value)),
    async setSummary(markdown) {
      if (life.step('other')) footprint.summary += markdown
    },
  }
}
