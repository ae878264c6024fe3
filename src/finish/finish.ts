import pLimit from 'p-limit'
import type { WaitOptions } from '../agent/poll.ts'
import type { Report } from '../messages/report.ts'
import { type Ending, ending, isJobOutcome, reportedOutcome } from '../request/outcome.ts'
import type { Reported, RequestState } from '../request/states.ts'
import { isOpen } from '../thread/thread.ts'
import { follow, NO_LONGER, type Patience } from './follow.ts'
import { beginChecks, type ChecksOptions, PullRequestChecks } from './follow-checks.ts'
import { previewOf, warnOfPreview } from './preview-result.ts'
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
  /** How to follow the checks of the pull request; undefined reads none (contract 4.12). */
  readonly checks?: Pick<ChecksOptions, 'waiting' | 'attempts'> | undefined
  /** Another sweep reports what the thread lacks: until it has the result, nothing that follows from it is done. */
  readonly isRepeated?: boolean
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
      // The thread shows the pull request already.
      if (state.checks !== undefined) return ending('pull-request')
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

/** The end of a job that the service no longer knew is an error. */
function endOfReported(state: Reported): Ending {
  const outcome = reportedOutcome(state)
  return outcome === undefined ? ending('error', 'job-not-found', NO_LONGER) : ending(outcome)
}

/**
 * Reports how a request ended: outside the thread, in the thread, and on the pull request. It goes on while something
 * about the pull request is open, and each pass leaves record, thread, outputs and summary true.
 */
export async function report(request: Request, end: Ending, options: ReportOptions): Promise<Finished> {
  const { preview: previewTime, show } = options
  const follows = end.outcome === 'pull-request' && areOpen(request.state) ? options.checks : undefined
  let known: Pick<Partial<Report>, 'checks' | 'preview'> = {}
  if (follows !== undefined) known = { checks: beginChecks(request, follows.waiting) }
  else request.apply({ type: hasEnded(request.state, end) ? 'report' : 'stop' })
  let whole = { ...request.reportOf(end), ...known }
  await show(whole, '')
  let written = await writeResult(request, whole)
  let commentUrl = written.url
  if (commentUrl !== '') await show(whole, commentUrl)
  if (follows !== undefined && written.existing !== undefined) {
    whole = request.reportOf(end)
    await show(whole, commentUrl)
  }
  if (options.isRepeated === true && written.failure !== undefined) {
    return { report: whole, commentUrl, isOpen: isOpen(written) }
  }
  const isRefused = written.failure !== undefined && !isOpen(written)

  // One pass after the other, so that what the last one knows stays.
  const inTurn = pLimit(1)
  const publish: ChecksOptions['publish'] = async (more) => {
    known = { ...known, ...more }
    return await inTurn(async () => {
      whole = { ...request.reportOf(end), ...known }
      await show(whole, commentUrl)
      if (isRefused) return written
      const isFirst = commentUrl === ''
      written = isFirst ? await writeResult(request, whole) : await amendResult(request, whole)
      commentUrl ||= written.url
      if (!isFirst || commentUrl === '') return written
      // GitHub did not answer before.
      await show(whole, commentUrl)
      await afterResult(request, whole, written)
      return written
    })
  }
  const finishPullRequest = async (): Promise<void> => {
    if (written.existing !== undefined) return
    if (follows !== undefined) {
      const checks = await new PullRequestChecks(request, { ...follows, publish }).follow()
      request.apply({ type: 'report' })
      await publish({ checks })
      return
    }
    const preview = previewTime && (await previewOf(request, whole, previewTime))
    if (preview !== undefined) await publish({ preview })
  }
  await Promise.all([finishPullRequest(), afterResult(request, whole, written)])
  warnOfPreview(request, whole)
  return { report: whole, commentUrl, isOpen: isOpen(written) }
}

/** Whether something about the checks of the pull request is left to follow; of a reported one, what was pending. */
const areOpen = (state: RequestState): boolean =>
  state.state === 'running' || (state.state === 'reported' && state.checks?.status === 'pending')

const hasEnded = (state: RequestState, { outcome, reason }: Ending): boolean =>
  'job' in state && (isJobOutcome(outcome) || reason === 'job-not-found')
