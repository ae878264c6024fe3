import type { PromptSource } from '../prompt/prompt.ts'

/** What the run is asked, by what, and until when. */
export interface Asked extends PromptSource {
  /** The person used the command, so hears of a denial (contract 3.3). */
  readonly tellsOfDenial: boolean
  /** The text of the reference files; '' for none. */
  readonly references: string
  /** On the monotonic clock, in ms: nothing is sent later. */
  readonly deadline: number
}
