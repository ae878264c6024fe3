import { setImmediate as turn } from 'node:timers/promises'

export interface SimulatedClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Ends as soon as everyone else waits, too; until then no time passes. Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Milliseconds since the start. */
  readonly passed: () => number
}

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** Turns of the event loop without news after which nobody is at work. */
const QUIET_TURNS = 6

/**
 * A clock on which an hour takes no longer than the work that is done in it. It jumps to the next sleeper when the
 * others have nothing left to do, so that time limits and waits meet in the order in which they would.
 */
export function simulatedClock(start = Date.UTC(2026, 0, 1), quietTurns = QUIET_TURNS): SimulatedClock {
  let time = start
  let turning = false
  const sleepers = new Set<Sleeper>()

  async function run(): Promise<void> {
    if (turning) return
    turning = true
    while (sleepers.size > 0) {
      for (let quiet = 0; quiet < quietTurns; quiet++) await turn()
      const next = [...sleepers].sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      time = Math.max(time, next.at)
      next.wake()
    }
    turning = false
  }

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        sleepers.delete(sleeper)
        signal?.removeEventListener('abort', stop)
        settle()
      }
      const stop = () => end(() => reject(signal?.reason))
      const sleeper = { at: time + ms, wake: () => end(resolve) }
      if (signal?.aborted === true) return reject(signal.reason)
      signal?.addEventListener('abort', stop)
      sleepers.add(sleeper)
      void run()
    })
  }
  return { now: () => time, sleep, passed: () => time - start }
}
