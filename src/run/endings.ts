import type { Deps } from '../deps.ts'
import { ActionError, Cancelled, CreationUncertain, ForgeError } from '../errors.ts'
import { explainAway, explainError } from '../messages/explain.ts'
import { CAUSES, unanswered, unsure } from '../messages/notes.ts'
import type { Denied } from '../messages/phrases.ts'
import type { Job } from '../request/job.ts'
import { type Ending, ending } from '../request/outcome.ts'
import type { PlanNote } from '../request/plan.ts'
import type { RequestState } from '../request/record.ts'
import { recordedEnding } from '../request/states.ts'

/** What `start` leaves to `settle`, beside the record. */
export interface StartResult {
  /** How the request ended without the agent; undefined once it is with the agent. */
  readonly end?: Ending | undefined
  /** A job that the answer shows although the request did not go to it. */
  readonly job?: Job | undefined
  readonly denied?: Denied
  /** Of the comment that answers, where that is not the one of the request. */
  readonly answerUrl?: string
  /** What the agent gets, or would get. */
  readonly prompt?: string
  readonly note?: PlanNote
  /** Id of the eyes that the run added. */
  readonly eyes?: Promise<number | undefined> | undefined
}

/** A run that ends without the agent. */
export type Unasked = StartResult & { readonly end: Ending }

/** How an error ends the run. */
export function endingAfter(
  { core, cancellation }: Pick<Deps, 'core' | 'cancellation'>,
  error: unknown,
): Ending {
  if (error instanceof Cancelled) return ending('cancelled')
  if (error instanceof ActionError) return ending('error', error.reason, error.message)
  if (error instanceof CreationUncertain) {
    return ending('error', 'creation-uncertain', unsure(error.message, error.jobId))
  }
  if (error instanceof ForgeError && error.kind === 'away') {
    // A cancelled run cuts its requests off.
    if (cancellation.requested.aborted) return ending('cancelled')
    return ending('error', 'github-unavailable', explainAway(error))
  }
  return ending('error', 'internal', explainError(core, error))
}

/** How the record says that the request ended, in words. @returns undefined where it goes on, or where nothing was sent */
export function endingOfRecord({ state }: { readonly state: RequestState }): Ending | undefined {
  const known = recordedEnding(state)
  if (known === undefined || known === state.ending || known.outcome !== 'error') return known
  const message = 'jobId' in state ? unanswered(state.jobId) : CAUSES.jobGone
  return { ...known, message }
}
