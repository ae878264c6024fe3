import type { Schemas } from './samples.ts'

/** How a check of a commit goes. Times are milliseconds on the emulator's clock. */
export interface Check {
  /** Of the check run, or the context of the status. */
  readonly name: string
  /** Default `run`. */
  readonly kind?: 'run' | 'status'
  /** Default `success`. Statuses know `success`, `failure` and `error` only. */
  readonly conclusion?: Conclusion
  /** From the push until it shows; default 0. */
  readonly appearsAfterMs?: number
  /** From then until it ends: `Infinity` for never; default 0. */
  readonly takesMs?: number
  /** For the protection rules of its environment, without an end. */
  readonly waits?: true
  readonly title?: string
  /** In Markdown; the description of a status. */
  readonly summary?: string
  readonly text?: string
  readonly detailsUrl?: string
  readonly annotations?: readonly CheckAnnotation[]
}

/** GitHub documents more than it describes. */
type Conclusion = NonNullable<Schemas['check-run']['conclusion']> | 'stale' | 'startup_failure' | 'error'

export interface CheckAnnotation {
  readonly path: string
  readonly line: number
  readonly message: string
}

export interface StartedCheck extends Check {
  readonly id: number
  readonly sha: string
  /** Milliseconds since the epoch. */
  readonly appearsAt: number
  readonly endsAt: number
}

/** What checks the heads of the agent's pull requests: none by default. */
export class Checks {
  /** Checks of heads to come; each takes the first. */
  readonly script: (readonly Check[])[] = []
  /** What checks a head when the script is empty. */
  everyHead: readonly Check[] | ((sha: string) => readonly Check[]) = []

  next(sha: string): readonly Check[] {
    const { everyHead } = this
    return this.script.shift() ?? (typeof everyHead === 'function' ? everyHead(sha) : everyHead)
  }
}
