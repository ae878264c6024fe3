import { setFinalStatus } from '../features/pull-request/pull-request.ts'
import { setUp } from '../features/reviewers-and-labels/reviewers-and-labels.ts'
import { fullName } from '../link.ts'
import { linkComment } from '../words/comments.ts'
import { docsPullRequest, leaveElsewhere } from './docs-pull-request.ts'
import { appearanceOf } from './outcome.ts'
import { setReaction } from './reactions.ts'
import { jobOf } from './record.ts'
import type { Report } from './report.ts'
import type { Request } from './request.ts'
import type { Session } from './session.ts'
import { Thread } from './thread.ts'

/**
 * What follows the end of a request, beside its comment. Each can be done any number of times, and changes nothing then: what is
 * there already is looked for, unless nothing can be there yet.
 * @returns whether it is done, or GitHub refuses it for good, as `doneOrRefused` says: what GitHub does not answer is left open
 */
type Effect = (session: Session, request: Request, report: Report, isFirst: boolean) => Promise<boolean>

/** Adds 🚀 for a pull request, 👍 without one, or 😕 where people have to act, and removes the eyes at the same time. */
const reaction: Effect = async (session, request, { outcome, reason }, isFirst) => {
  const { comment } = request.identity
  if (comment === '') return true
  // Eyes that GitHub is still to answer would come after the look for them.
  const eyes = await request.eyesReaction
  const content = appearanceOf(outcome, reason).reaction ?? 'eyes'
  return await setReaction(session, comment, content, isFirst ? eyes : undefined)
}

/**
 * A comment that leads from the job's pull request to the thread. In this repository, a command there continues the same job. In
 * another one, it is tried once: GitHub refuses the default token, which is no fault, and nothing is said of it.
 */
const backlink: Effect = async (session, request, _, isFirst) => {
  const { context, warnings, commentMode } = session
  const { identity, state, thread } = request
  if (!('acceptedAt' in state) || thread === undefined || commentMode === 'off') return true
  const { job } = state
  if (job.prLink === '') return true
  // Nothing leads back from the pull request of a new job yet.
  const isNew = request.jobAction === 'created' && isFirst
  return await warnings.doneOrRefused('link', async () => {
    const pull = await docsPullRequest(session, job.prLink)
    if (pull === undefined || (pull.isHere && pull.number === thread.number)) return
    // The request that brought the thread this pull request left the way back.
    const others = request.records()?.others ?? []
    if (isFirst && pull.isHere && others.some(({ record }) => jobOf(record)?.prLink === job.prLink)) {
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
    const isThere = place.recordsFor(identity).known.job?.id === job.id || place.holds(identity.key)
    // By the time at which the job accepted it: the thread may go on with a newer one.
    if (!isThere) await place.leadTo(session, thread.number, { ...identity, ...state }, text)
    request.linkedFrom = job.prLink
  })
}

/** What leads from the pull request to the thread takes along what was set. */
const settingsThenBacklink: Effect = async (...given) => {
  const isSet = await setUp(...given)
  return (await backlink(...given)) && isSet
}

const status: Effect = async (session, request, report) => {
  // What waits for the checks is not decided yet.
  return report.checks?.phase !== undefined || (await setFinalStatus(session, request, report))
}

const EFFECTS: readonly Effect[] = [reaction, settingsThenBacklink, status]

/** All at once. What GitHub does not do becomes one warning. @returns whether nothing is left */
export async function doEffects(session: Session, request: Request, report: Report): Promise<boolean> {
  // No process has done any of it yet.
  const isFirst = !request.hasActed && request.action !== 'resumed' && session.context.runAttempt === 1
  request.hasActed = true
  const done = await Promise.all(EFFECTS.map((effect) => effect(session, request, report, isFirst)))
  return done.every(Boolean)
}

/** How long the comment waits for the effects, in ms. A cancelled run has 4.5 s for all that is left. */
const PATIENCE_MS = 10_000
const LAST_PATIENCE_MS = 500

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
