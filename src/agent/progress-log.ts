import { sleepUnlessCancelled } from '../cancellation.ts'
import { clock } from '../text.ts'
import type { ReadDeps } from './read.ts'

export interface ProgressLog {
  /** A line if the status changed. */
  log(status: string): void
  /** Waits until `at` (monotonic ms), with a line a minute (contract 2.5). */
  pause(at: number): Promise<void>
}

export interface ProgressOptions {
  /** Monotonic start of the step, for the times in the log. */
  readonly startedAt: number
  readonly isKnown: (status: string) => boolean
  /** Before each status: what it is the status of. */
  readonly label?: string
}

const LOG_EVERY_MS = 60_000

export function progressLog(deps: ReadDeps, options: ProgressOptions): ProgressLog {
  const { startedAt, isKnown, label = '' } = options
  let shown: string | undefined
  let lastLine = deps.monotonic()
  const line = (note = '') => {
    lastLine = deps.monotonic()
    deps.core.info(`  ${clock(lastLine - startedAt).padStart(5)}  ${label}${shown || 'no status'}${note}`)
  }
  return {
    log(status) {
      if (status === shown) return
      shown = status
      line(isKnown(shown) ? '' : ' (this version does not know the status, and waits on)')
    },
    async pause(at) {
      for (let now = deps.monotonic(); now < at; now = deps.monotonic()) {
        if (now >= lastLine + LOG_EVERY_MS) line()
        await sleepUnlessCancelled(deps, Math.min(at, lastLine + LOG_EVERY_MS) - now)
      }
      if (deps.monotonic() >= lastLine + LOG_EVERY_MS) line()
    },
  }
}
