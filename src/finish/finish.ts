import pLimit from 'p-limit'
import type { WaitOptions } from '../agent/poll.ts'
import { CAUSES, previewWarning, unanswered } from '../messages/notes.ts'
import type { Report } from '../messages/report.ts'
import { type Ending, ending, isJobOutcome, reportedOutcome } from '../request/outcome.ts'
import type { RequestState } from '../request/states.ts'
import type { AgentRequest } from '../step/agent-request.ts'
import { isUnwritten, type Written } from '../thread/thread.ts'
import { follow, type Patience } from './follow.ts'
import { beginChecks, type LateFacts, PullRequestChecks } from './follow-checks.ts'
import { previewOf } from './preview-result.ts'
import { afterResult, amendResult, writeResult } from './thread-result.ts'

export interface FinishOptions extends ReportOptions {
  readonly patience: Patience
  /**
   * What to report of a job that still works, or that cannot be read; undefined reports nothing.
   * @param error why the job cannot be read
   */
  ifNotEnded(error?: unknown): Ending | undefined
}

export interface ReportOptions {
  /** For preview and checks of the pull request, from the moment of the call; undefined reads neither. */
  readonly waiting?: (() => WaitOptions) | undefined
  /** How often failures may go back to the agent in all; 0 reads no checks (contract 4.12). */
  readonly fixAttempts?: number
  /** Another sweep reports what the thread lacks: until it has the result, nothing that follows from it is done. */
  readonly isRepeated?: boolean
  /**
   * Shows outside the thread what is known by now; each call replaces what the one before it showed.
   * @param commentUrl of the comment that carries the result, '' while there is none
   */
  show(report: Report, commentUrl: string): Promise<void> | void
}

interface Finished {
  readonly report: Report
  /** Of the comment that carries the result, '' for none. */
  readonly commentUrl: string
  /** GitHub did not answer, so the thread lacks it, and a later step has to write it. */
  readonly isUnwritten: boolean
}

/**
 * Follows a request to its end and reports it, whatever earlier steps left undone.
 * @returns undefined where there is nothing to report yet
 */
export async function finish(request: AgentRequest, options: FinishOptions): Promise<Finished | undefined> {
  const end = await followToEnd(request, options)
  return end && (await reportEnd(request, end, options))
}

async function followToEnd(
  request: AgentRequest,
  { patience, ifNotEnded }: FinishOptions,
): Promise<Ending | undefined> {
  const { state } = request
  switch (state.state) {
    case 'running':
      // The thread shows the pull request already.
      if (state.checks !== undefined) return ending('pull-request')
      try {
        return (await follow(request, state, patience)) ?? ifNotEnded()
      } catch (error) {
        return ifNotEnded(error)
      }
    case 'reported': {
      const outcome = reportedOutcome(state)
      return outcome === undefined ? ending('error', 'job-not-found', CAUSES.jobGone) : ending(outcome)
    }
    case 'sending':
    case 'unknown':
      return ending('error', 'creation-uncertain', unanswered(state.jobId))
    case 'idle':
      return ifNotEnded()
  }
}

/**
 * Reports how a request ended, and goes on while something about the pull request is open: each pass leaves record,
 * thread, outputs and summary true.
 */
export async function reportEnd(
  request: AgentRequest,
  end: Ending,
  options: ReportOptions,
): Promise<Finished> {
  const { waiting, fixAttempts = 0, isRepeated = false, show } = options
  const followsChecks = fixAttempts > 0 && end.outcome === 'pull-request' && areOpen(request.state)
  const checksWait = followsChecks ? waiting?.() : undefined
  let whole = request.reportOf(end)
  let known: LateFacts = {}
  let written: Written = { url: '' }
  let commentUrl = ''
  // One pass after the other, so that what the last one knows stays.
  const inTurn = pLimit(1)
  const publish = (facts: LateFacts) =>
    inTurn(async () => {
      known = { ...known, ...facts }
      whole = { ...request.reportOf(end), ...known }
      await show(whole, commentUrl)
      // What GitHub refused once, it refuses again.
      if (written.failure !== undefined && !isUnwritten(written)) return written
      if (commentUrl !== '') {
        written = await amendResult(request, whole)
        return written
      }
      written = await writeResult(request, whole)
      commentUrl = written.url
      // The result of another run stands, and this one follows nothing.
      if (written.existing !== undefined) whole = request.reportOf(end)
      if (commentUrl !== '') await show(whole, commentUrl)
      return written
    })
  const finished = (): Finished => ({ report: whole, commentUrl, isUnwritten: isUnwritten(written) })

  if (checksWait === undefined) request.apply({ type: isEndOfJob(request.state, end) ? 'report' : 'stop' })
  const first = await publish(checksWait ? { checks: beginChecks(request, checksWait) } : {})
  if (isRepeated && first.failure !== undefined) return finished()
  const followPullRequest = async (): Promise<void> => {
    if (first.existing !== undefined) return
    if (checksWait !== undefined) {
      const checks = new PullRequestChecks(request, { waiting: checksWait, fixAttempts, publish })
      const ended = await checks.follow()
      request.apply({ type: 'report' })
      await publish({ checks: ended })
      return
    }
    if (end.outcome !== 'pull-request' || waiting === undefined) return
    const preview = await previewOf(request, whole.job, waiting)
    if (preview !== undefined) await publish({ preview })
  }
  await Promise.all([followPullRequest(), afterResult(request, whole, first)])
  if (isUnwritten(first)) await afterResult(request, whole, written)
  const warning = previewWarning(whole)
  if (warning !== '') request.session.deps.core.warning(warning)
  return finished()
}

/** Whether something about the checks of the pull request is left to follow; of a reported one, what was pending. */
const areOpen = (state: RequestState): boolean =>
  state.state === 'running' || (state.state === 'reported' && state.checks?.status === 'pending')

const isEndOfJob = (state: RequestState, { outcome, reason }: Ending): boolean =>
  'job' in state && (isJobOutcome(outcome) || reason === 'job-not-found')
