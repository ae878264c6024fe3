import type { Deps } from '../base/deps.ts'
import { ActionError, Cancelled, CreationUncertain, GitHubError } from '../base/errors.ts'
import { type Ending, ending } from '../record/outcome.ts'
import { explainAway, explainError } from '../words/explain.ts'
import { unsure } from '../words/notes.ts'

/** How an error ends the run. */
export function endingAfter(
  { core, cancellation }: Pick<Deps, 'core' | 'cancellation'>,
  error: unknown,
): Ending {
  if (error instanceof Cancelled) return ending('cancelled')
  if (error instanceof ActionError) return ending('error', error.reason, error.message)
  if (error instanceof CreationUncertain)
    return ending('error', 'creation-uncertain', unsure(error.message, error.jobId))
  if (error instanceof GitHubError && error.kind === 'away') {
    // A cancelled run cuts its requests off.
    if (cancellation.requested.aborted) return ending('cancelled')
    return ending('error', 'github-unavailable', explainAway(error))
  }
  return ending('error', 'internal', explainError(core, error))
}

/** The end of a re-run that finds the request in doubt, and is the first to say so. */
export const uncertainAtReRun = (jobId: string): Ending =>
  ending(
    'error',
    'creation-uncertain',
    unsure(
      'The run ended before its request was answered.',
      jobId,
      're-run the workflow again: the next re-run asks',
    ),
  )

/** The end of a request of which it is not known whether it went out. */
export const uncertainEnd = (jobId: string): Ending =>
  ending('error', 'creation-uncertain', unsure('The run ended before its request was answered.', jobId))
