import type { History, Request, Run } from '../history.ts'
import type { Life } from '../life.ts'
import type { World } from '../world.ts'

/** A main step that is over, with the request that it served. */
export interface MainStep {
  readonly history: History
  readonly world: World
  readonly request: Request
  readonly run: Run
  readonly life: Life
}

/** A part of a promise, as a person could check it from the screen. Each check gives its complaints; none: it holds. */
export interface Rule {
  /** H1 to H7. */
  readonly promise: `H${1 | 2 | 3 | 4 | 5 | 6 | 7}`
  /** In kebab-case. */
  readonly name: string
  /** When a process has come to its end, in whatever way. */
  readonly afterLife?: (history: History, life: Life) => readonly string[]
  /** When the main step of a request has. */
  readonly afterMain?: (main: MainStep) => readonly string[]
  /** When all turns are over, and sweeps have been; and again when people have run each request once more. */
  readonly afterSweeps?: (history: History) => readonly string[]
}

/** The complaints that are so. */
export const complaints = (...found: readonly (readonly [isSo: boolean, complaint: string])[]): string[] =>
  found.flatMap(([isSo, complaint]) => (isSo ? [complaint] : []))
