import { setFinalStatus } from '../docs-with-code/status.ts'
import { fullName, pullRequestOf } from '../link.ts'
import { linkComment } from '../messages/comments.ts'
import { namedLink } from '../request/job.ts'
import { EMPTY_MEMORY, type Memory } from '../request/memory.ts'
import { appearanceOf, isJobOutcome } from '../request/outcome.ts'
import type { Report } from '../request/report.ts'
import { latestAfter } from '../request/thread-memory.ts'
import { docsPullRequest, leaveElsewhere } from '../thread/docs-pull-request.ts'
import { setReaction } from '../thread/reactions.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { requestReviews } from './request-reviews.ts'

/**
 * What follows the end of a request, beside its comment. Each can be done twice, and then changes nothing.
 * @param isAgain an earlier process, or this one, may have done it
 * @returns whether it is done, or GitHub refuses it for good, as `doneOrRefused` says: what GitHub does not answer is left open
 */
type FollowUp = (session: Session, request: Request, report: Report, isAgain: boolean) => Promise<boolean>

/** Adds 🚀 for a pull request, 👍 without one, or 😕 where people have to act, and removes the eyes at the same time. */
const reaction: FollowUp = async (session, request, { outcome, reason }, isAgain) => {
  const { comment } = request.identity
  if (comment === '') return true
  // Eyes that GitHub is still to answer would come after the look for them.
  const eyes = await request.eyesReaction
  const content = appearanceOf(outcome, reason).reaction ?? 'eyes'
  return await setReaction(session, comment, content, isAgain ? undefined : eyes)
}

/**
 * A comment that leads from the job's pull request to the thread. In this repository, a command there continues the same job. In
 * another one, it is tried once: GitHub refuses the default token, which is no fault, and nothing is said of it.
 */
const backlink: FollowUp = async (session, request, _, isAgain) => {
  const { context, warnings, commentMode } = session
  const { identity, job, thread } = request
  if (job === undefined || job.prLink === '' || thread === undefined || commentMode === 'off') return true
  // Nothing leads back from the pull request of a new job yet.
  const isNew = request.jobAction === 'created' && !isAgain
  return await warnings.doneOrRefused('link', async () => {
    const pull = await docsPullRequest(session, job.prLink)
    if (pull === undefined || (pull.isHere && pull.number === thread.number)) return
    // The request that brought the thread this pull request left the way back.
    if (!isAgain && pull.isHere && request.latest.job?.prLink === job.prLink) {
      request.linkedFrom = job.prLink
      return
    }
    const text = linkComment(
      `${fullName(context.repository)}#${thread.number}`,
      identity.command,
      pull.isHere,
    )
    if (!pull.isHere) {
      await leaveElsewhere(session, pull, text, isNew)
      return
    }
    const place = new Thread(pull.number)
    if (!isNew) await place.read(session)
    if (place.recordsFor(identity).memory.latest.job?.id !== job.id)
      await place.leadTo(session, thread.number, { ...identity, job, memory: memoryOf(request) }, text)
    request.linkedFrom = job.prLink
  })
}

/** What the thread knows with this request. */
const memoryOf = ({ memory = EMPTY_MEMORY, identity, state }: Request): Memory => ({
  ...memory,
  latest: latestAfter(memory.latest, identity, state),
})

/** Reviewers and labels, once a pull request is new to the thread: what people take away stays away. */
const settings: FollowUp = async (session, request, report, isAgain) => {
  const { github, warnings, context } = session
  const { identity, grows } = request
  const { labels, reviewers } = identity.settings
  const prLink = namedLink(report.job)
  if (prLink === '' || !isJobOutcome(report.outcome) || grows.setUp.includes(prLink)) return true
  if (labels.length + reviewers.length === 0) return true
  const pull = await warnings.warnOnFailure('link', () => docsPullRequest(session, prLink))
  if (pull === undefined) return pullRequestOf(prLink, context.serverUrl) === undefined
  const done = await Promise.all([
    reviewers.length === 0 || requestReviews(session, pull, identity, isAgain),
    labels.length === 0 || warnings.doneOrRefused(['labels', pull], () => github.addLabels(pull, labels)),
  ])
  const isDone = done.every(Boolean)
  if (isDone) request.addToMemory({ setUp: [prLink] })
  return isDone
}

/** What leads from the pull request to the thread takes along what was set. */
const settingsThenBacklink: FollowUp = async (...given) => {
  const isSet = await settings(...given)
  return (await backlink(...given)) && isSet
}

const status: FollowUp = async (session, request, report) => {
  // What waits for the checks is not decided yet.
  return report.checks?.phase !== undefined || (await setFinalStatus(session, request, report))
}

/** How long the comment waits for the follow-ups, in ms. A cancelled run has 4.5 s for all that is left. */
const PATIENCE_MS = 10_000
const LAST_PATIENCE_MS = 500

interface FollowUps {
  /** Settles after `PATIENCE_MS` at the latest, and then gives false. */
  readonly isDoneSoon: Promise<boolean>
  readonly isDone: Promise<boolean>
}

/** Starts all of it at once. What GitHub does not do becomes one warning. */
export function startFollowUps(session: Session, request: Request, report: Report): FollowUps {
  // No process has done any of it yet.
  const isFirst = request.action !== 'resumed' && session.context.runAttempt === 1
  const isDone = doAll(session, request, report, !isFirst)
  return { isDone, isDoneSoon: soonOr(session.deps, isDone, false) }
}

/** All of it, once more. @returns whether nothing is left */
export const followUpAgain = (session: Session, request: Request, report: Report): Promise<boolean> =>
  doAll(session, request, report, true)

async function doAll(...given: Parameters<FollowUp>): Promise<boolean> {
  const doing = [reaction, settingsThenBacklink, status].map((one) => one(...given))
  return (await Promise.all(doing)).every(Boolean)
}

/** What the work gives, or this if that takes longer than the comment waits. */
export async function soonOr<T>(
  { sleep, cancellation }: Session['deps'],
  work: Promise<T>,
  otherwise: T,
): Promise<T> {
  const done = new AbortController()
  const patience = cancellation.requested.aborted ? LAST_PATIENCE_MS : PATIENCE_MS
  const enough = sleep(patience, done.signal).then(
    () => otherwise,
    () => otherwise,
  )
  return await Promise.race([work, enough]).finally(() => done.abort())
}

export const decideStatus = (session: Session, request: Request, report: Report): Promise<boolean> =>
  status(session, request, report, true)
