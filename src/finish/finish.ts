import type { WaitOptions } from '../agent/poll.ts'
import type { Report } from '../messages/report.ts'
import { type Ending, ending, isJobOutcome, outcomeOf } from '../request/outcome.ts'
import type { Reported, RequestState } from '../request/states.ts'
import { isOpen } from '../thread/thread.ts'
import { follow, type Patience } from './follow.ts'
import { previewOf } from './preview.ts'
import type { Request } from './request.ts'
import { afterResult, amendResult, writeResult } from './thread-report.ts'

export interface FinishOptions extends ReportOptions {
  readonly patience: Patience
  /**
   * What to report of a job that still works, or that cannot be read; undefined reports nothing.
   * @param error why the job cannot be read
   */
  whileWorking(error?: unknown): Ending | undefined
}

export interface ReportOptions {
  /** How long to wait for the preview of the pull request, from the moment it can be deployed; undefined deploys none. */
  readonly preview?: (() => WaitOptions) | undefined
  /**
   * Shows outside the thread what is known by now; each call replaces what the one before it showed.
   * @param commentUrl of the comment that carries the result, '' while there is none
   */
  show(report: Report, commentUrl: string): Promise<void> | void
}

/** What became of a report. */
export interface Finished {
  readonly report: Report
  /** Of the comment that carries the result, '' for none. */
  readonly commentUrl: string
  /** GitHub did not answer, so the thread lacks it, and a later step has to write it. */
  readonly isOpen: boolean
}

/**
 * Follows a request that is with the agent to its end, and reports it: whatever step calls it, and whatever the ones
 * before it left undone.
 * @returns undefined where there is nothing to report yet
 */
export async function finish(request: Request, options: FinishOptions): Promise<Finished | undefined> {
  const end = await endOf(request, options)
  return end && (await report(request, end, options))
}

async function endOf(
  request: Request,
  { patience, whileWorking }: FinishOptions,
): Promise<Ending | undefined> {
  const { state } = request
  switch (state.state) {
    case 'running':
      try {
        return (await follow(request, state, patience)) ?? whileWorking()
      } catch (error) {
        return whileWorking(error)
      }
    case 'reported':
      return endOfReported(state)
    case 'sending':
    case 'unknown':
      return UNANSWERED
    case 'idle':
      return whileWorking()
  }
}

/** A step of this run ended before the service answered. */
export const UNANSWERED = ending(
  'error',
  'creation-uncertain',
  'The run ended before its request was answered. Look at the dashboard first; a re-run may start a second job.',
)
const NO_LONGER = 'The service no longer knows it. Look at the dashboard, or ask for a new job.'

/** The end of a job that the service no longer knew is an error. */
function endOfReported({ job }: Reported): Ending {
  const outcome = outcomeOf(job)
  return outcome === undefined ? ending('error', 'job-not-found', NO_LONGER) : ending(outcome)
}

/** Reports how a request ended: outside the thread, in the thread, and on the pull request. */
export async function report(
  request: Request,
  end: Ending,
  { preview: waiting, show }: ReportOptions,
): Promise<Finished> {
  request.apply({ type: hasEnded(request.state, end) ? 'report' : 'stop' })
  const first = request.reportOf(end)
  await show(first, '')
  const written = await writeResult(request, first)
  const { url: commentUrl } = written
  if (commentUrl !== '') await show(first, commentUrl)
  const deploys = waiting !== undefined && written.existing === undefined
  const [preview] = await Promise.all([
    deploys ? previewOf(request, first, waiting) : undefined,
    afterResult(request, first, written),
  ])
  if (preview === undefined) return { report: first, commentUrl, isOpen: isOpen(written) }
  const whole = { ...request.reportOf(end), preview }
  await show(whole, commentUrl)
  const amended = commentUrl === '' ? written : await amendResult(request, whole)
  return { report: whole, commentUrl, isOpen: isOpen(amended) }
}

const hasEnded = (state: RequestState, { outcome, reason }: Ending): boolean =>
  'job' in state && (isJobOutcome(outcome) || reason === 'job-not-found')
