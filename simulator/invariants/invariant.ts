import type { History } from '../history.ts'
import type { Life } from '../life.ts'

/** What must hold whatever happens. Each check gives its complaints; none means that it holds. */
export interface Invariant {
  /** In kebab-case. */
  readonly name: string
  /** Of the contract. */
  readonly clause: string
  /** When a process has ended, in whatever way. */
  readonly afterLife?: (history: History, life: Life) => readonly string[]
  /** When all is over, GitHub and the service are well again, and everything has been run again and collected. */
  readonly atEnd?: (history: History) => readonly string[]
}
