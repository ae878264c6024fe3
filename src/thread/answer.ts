import type { Denied } from '../messages/phrases.ts'
import type { Job } from '../request/job.ts'
import type { Ending } from '../request/outcome.ts'

interface Shown {
  /** A job that it shows although the request did not go to it. */
  readonly job?: Job | undefined
  /** Of the comment that answers, where that is not the one of the request. */
  readonly url?: string
  readonly denied?: Denied
}

/** How a run ends that asks the agent nothing. */
export interface Answer extends Shown {
  readonly kind: 'answer'
  readonly end: Ending
}

export const answer = (end: Ending, shown: Shown = {}): Answer => ({ kind: 'answer', end, ...shown })
