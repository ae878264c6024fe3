import { readTrigger } from '../event/trigger.ts'
import { answerComment, resultComment } from '../messages/comments.ts'
import type { Report } from '../messages/report.ts'
import { refusalComment } from '../messages/usage.ts'
import { appearanceOf, type Ending, type Reaction, reportedOutcome } from '../request/outcome.ts'
import { stands } from '../request/precedence.ts'
import type { RequestRecord } from '../request/record.ts'
import type { AgentRequest } from '../step/agent-request.ts'
import { isUnwritten, type Written } from '../thread/thread.ts'
import { updateTrackingIssue } from '../thread/tracking-issue.ts'
import { linkFromPullRequest } from './link-comment.ts'
import { setReviewersAndLabels } from './pull-request-settings.ts'

const NOTHING: Written = { url: '' }

/** Writes how the request ended; what another run reported stays as it is. */
export async function writeResult(request: AgentRequest, report: Report): Promise<Written> {
  const { thread, session, state, messages } = request
  const { outcome } = report
  if (report.reason === 'permission-denied') return await refuse(request, report)
  if (!request.isGranted) return NOTHING
  const existing = await existingResult(request)
  if (existing !== undefined) return existing
  if (outcome === 'skipped') {
    const { comment } = readTrigger(session.context)
    const answer = comment && answerComment(report, messages)
    return answer === undefined ? NOTHING : await thread.writeResult(state, answer, true)
  }
  // A run that leaves its job to others edits the status comment: the result is what notifies people.
  // So does one that goes on with the checks of a pull request that the thread shows already.
  const isShown = showsPullRequest(thread.history?.own?.record)
  // No sweep sees what is missing once the comment has been edited to its end.
  const isEdited = isShown || session.commentMode === 'update'
  if (isEdited && state.state === 'reported') await react(request, report, undefined)
  const isNew = outcome !== 'started' && !isShown
  return await thread.writeResult(state, resultComment(report, messages), isNew)
}

const showsPullRequest = (own: RequestRecord | undefined): boolean =>
  own !== undefined && 'job' in own && own.checks !== undefined

export async function amendResult(request: AgentRequest, report: Report): Promise<Written> {
  return await request.thread.writeResult(request.state, resultComment(report, request.messages), false)
}

async function refuse(request: AgentRequest, report: Report): Promise<Written> {
  const { thread, denied, messages } = request
  // A person who did not use the command did not ask for an answer.
  if (denied?.isSilent === true) return NOTHING
  const [url] = await Promise.all([
    thread.refuse(refusalComment(messages)),
    react(request, report, undefined),
  ])
  return { url }
}

/** What the thread says of the request, where this run has nothing truer to say. */
async function existingResult(request: AgentRequest): Promise<Written | undefined> {
  const { thread, session, state } = request
  if (!thread.canRemember) return undefined
  // Once its own deadline passed, a sweep may have reported the job.
  const isCurrent = thread.history !== undefined && session.deps.now() < request.claimedUntil
  if (!isCurrent) await thread.readOrWarn()
  const own = thread.history?.own
  if (own === undefined) return undefined
  // What stands of this very run is not what an earlier attempt sent: the post step has the run of its main step.
  const hasSent = request.hasSent || own.record.run === request.identity.run
  const isStanding = stands(own.record, { state, hasSent, isCurrent })
  return isStanding ? { url: own.url, existing: own.record } : undefined
}

export async function afterResult(request: AgentRequest, report: Report, written: Written): Promise<void> {
  // Where GitHub does not answer, the step that writes the result does the rest, too.
  if (isUnwritten(written) || !request.isGranted) return
  const isNew = written.existing === undefined && report.outcome !== 'skipped'
  await Promise.all([
    react(request, report, written.existing),
    (isNew || written.existing?.state === 'reported') && linkFromPullRequest(request, report.job),
    isNew && updateTrackingIssue(request.session, request.thread, report),
    isNew && setReviewersAndLabels(request, report.job?.prLink ?? ''),
  ])
  // Last: by what is left beside the result a sweep knows that a run was killed before it had done the rest.
  await request.thread.keepOne()
  // The result says where a reply works.
  if (isNew && request.linkFailed && written.url !== '') await amendResult(request, report)
}

/** For a run that was killed right after it reported the end. @param said how it ended, where that is known */
export const settleReaction = (request: AgentRequest, own: RequestRecord, said?: Ending): Promise<void> =>
  conclude(request, reactionOf(own) ?? (said && reactionTo(said)))

const react = (request: AgentRequest, report: Report, existing: RequestRecord | undefined): Promise<void> =>
  conclude(request, existing === undefined ? reactionTo(report) : reactionOf(existing))

async function conclude({ reactions, isFirst }: AgentRequest, reaction: Reaction | undefined): Promise<void> {
  if (reaction !== undefined) await reactions.conclude(reaction, isFirst)
}

/** The `eyes` stay where the job goes on without this run. */
const reactionTo = ({ outcome, reason }: Pick<Ending, 'outcome' | 'reason'>): Reaction =>
  appearanceOf(outcome, reason).reaction ?? 'eyes'

function reactionOf(record: RequestRecord): Reaction | undefined {
  if (record.state !== 'reported') return undefined
  // The end of a job that the service no longer knew is an error.
  return appearanceOf(reportedOutcome(record) ?? 'error', '').reaction
}
