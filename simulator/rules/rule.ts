import type { History, Request, Run } from '../history.ts'
import type { Life } from '../life.ts'
import type { World } from '../world.ts'

/** One that has ended, with the request that it served. */
interface MainStep {
  readonly history: History
  readonly world: World
  readonly request: Request
  readonly run: Run
  readonly life: Life
}

/** What must hold whatever happens. Each check gives its complaints; none means that it holds. */
export interface Rule {
  /** In kebab-case. */
  readonly name: string
  /** Of the contract. */
  readonly clause: string
  /** When a process has ended, in whatever way. */
  readonly afterLife?: (history: History, life: Life) => readonly string[]
  /** When the main step of a request has. */
  readonly afterMain?: (main: MainStep) => readonly string[]
  /** When the faults are over, all turns have ended, and one sweep has been. */
  readonly afterSweep?: (history: History) => readonly string[]
  /** When every request has been run once more after that, and one more sweep has been. */
  readonly atEnd?: (history: History) => readonly string[]
}
