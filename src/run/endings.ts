import type { Deps } from '../deps.ts'
import { ActionError, Cancelled, CreationUncertain, ForgeError } from '../errors.ts'
import { explainAway, explainError } from '../messages/explain.ts'
import { CAUSES, unanswered, unsure } from '../messages/notes.ts'
import { type Ending, ending } from '../request/outcome.ts'
import type { RequestState } from '../request/record.ts'
import { recordedEnding } from '../request/states.ts'

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
  if (known === undefined || state.ending !== undefined || known.outcome !== 'error') return known
  const message = 'jobId' in state ? unanswered(state.jobId) : CAUSES.jobGone
  return { ...known, message }
}

/**
 * How the request ended. The record decides if another process brought it further, or sent what this one did not.
 * @param own how this process came to its end
 * @param request as this process serves it
 * @param isAdopted its state is that of another run or attempt, which brought it further
 */
export function endAsRecorded(
  own: Ending,
  { state, hasAnnounced }: { readonly state: RequestState; readonly hasAnnounced: boolean },
  isAdopted: boolean,
): Ending {
  if (own.outcome === 'skipped') return own
  // A cancelled run says so, also where another run said how the request ended.
  if (own.outcome === 'cancelled' && (state.state === 'reported' || state.ending !== undefined)) return own
  const isOthers = isAdopted || (!hasAnnounced && (state.state === 'sending' || state.state === 'reported'))
  return (isOthers ? endingOfRecord({ state }) : undefined) ?? own
}
