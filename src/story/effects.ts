import { fullName, isInRepository, pullRequestOf } from '../base/link.ts'
import { setFinalStatus } from '../features/pull-request/pull-request.ts'
import { setReviewersAndLabels } from '../features/reviewers-and-labels/reviewers-and-labels.ts'
import { isFollowed } from '../record/check-results.ts'
import { appearanceOf } from '../record/outcome.ts'
import type { Report } from '../record/report.ts'
import { jobOf } from '../record/states.ts'
import { setReaction } from '../thread/asking-comment.ts'
import { docsPullRequest, leaveBacklink } from '../thread/docs-pull-request.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { linkComment } from '../words/comments.ts'

// What follows the end of a request, beside its comment. Each effect is idempotent: it looks for what is there already, unless nothing
// can be there yet. What GitHub does not do becomes one warning.

/** Adds 🚀 for a pull request, 👍 without one, or 😕 where people have to act, and removes the eyes at the same time. */
async function react(
  session: Session,
  run: Run,
  { outcome, reason }: Report,
  isFirstAttempt: boolean,
): Promise<boolean> {
  const { comment } = run.identity
  if (comment === '') return true
  // The eyes are looked for after GitHub answered about them: else they could come later.
  const added = run.eyes === undefined ? [] : ((await run.eyes).ids ?? 'unknown')
  const content = appearanceOf(outcome, reason).reaction ?? 'eyes'
  return await setReaction(session, comment, content, isFirstAttempt ? added : 'unknown')
}

/**
 * A comment that leads from the job's pull request to the thread. In this repository, a command there continues the same job. In
 * another one, it is tried once: GitHub refuses the default token, which is no fault, and nothing is said of it.
 */
async function addBacklink(session: Session, run: Run, isFirstAttempt: boolean): Promise<Effects> {
  const { runner, warnings, commentMode } = session
  const { identity, state, thread } = run
  if (!('acceptedAt' in state) || thread === undefined || commentMode === 'off' || state.job.prLink === '')
    return { isDone: true, hasBacklink: false }
  const { job } = state
  // The pull request of a new job has no backlink yet.
  const isNew = run.jobAction === 'created' && isFirstAttempt
  const from = thread.number
  let hasBacklink = false
  const isDone = await warnings.doneOrRefused('link', async () => {
    const pull = await docsPullRequest(session, job.prLink)
    if (pull === undefined || (pull.isHere && pull.number === from)) return
    const text = linkComment(`${fullName(runner.repository)}#${from}`, identity.command, pull.isHere)
    const isThere = (place: Thread) =>
      place.recordsFor(identity).facts.job?.id === job.id || place.holds(identity.requestDigest)
    // An earlier request of the thread with the same pull request left the backlink.
    const others = run.records()?.others ?? []
    const isKnown = isFirstAttempt && others.some(({ record }) => jobOf(record)?.prLink === job.prLink)
    // `acceptedAt` is that of this request: the thread may go on with a newer job.
    const link = { ...identity, ...state, from, text, isNew, isThere }
    hasBacklink = ((pull.isHere && isKnown) || (await leaveBacklink(session, pull, link))) && pull.isHere
  })
  return { isDone, hasBacklink }
}

/** A comment on the agent's pull request leads back to the thread, as far as that can be read. */
export async function isBacklinkThere(session: Session, { identity, job, thread }: Run): Promise<boolean> {
  const pull = pullRequestOf(job?.prLink ?? '', session.runner.serverUrl)
  if (
    pull === undefined ||
    !isInRepository(session.runner.repository, pull) ||
    pull.number === thread?.number
  )
    return false
  const place = new Thread(pull.number)
  const isRead = await place.read(session).then(
    () => true,
    () => false,
  )
  return (
    isRead && (place.recordsFor(identity).facts.job?.id === job?.id || place.holds(identity.requestDigest))
  )
}

/** What became of the effects. */
export interface Effects {
  /** All is done, or GitHub refuses it for good: what GitHub does not answer is left open. */
  readonly isDone: boolean
  /** A comment on the agent's pull request leads back to the thread. */
  readonly hasBacklink: boolean
}

/** Does all effects at once. @param isFirstAttempt no process has done any of it yet; else each looks first for what is there */
export async function doEffects(
  session: Session,
  run: Run,
  report: Report,
  isFirstAttempt: boolean,
): Promise<Effects> {
  // The backlink's record says on which pull request reviewers and labels were set, so it comes after them.
  const onPullRequest = async () => {
    const isSet = await setReviewersAndLabels(session, run, report, isFirstAttempt)
    return { isSet, ...(await addBacklink(session, run, isFirstAttempt)) }
  }
  const [isShown, pull, isDecided] = await Promise.all([
    react(session, run, report, isFirstAttempt),
    onPullRequest(),
    // The status of changes whose checks are followed is set after the checks.
    (report.checks !== undefined && isFollowed(report.checks)) || setFinalStatus(session, run, report),
  ])
  return { isDone: isShown && pull.isSet && pull.isDone && isDecided, hasBacklink: pull.hasBacklink }
}

/** How long the comment waits for the effects, in ms. A cancelled run has 4.5 s for all that is left. */
const COMMENT_WAIT_MS = 10_000
const CANCELLED_WAIT_MS = 500

/** What the work gives, or this, half a second after the run was cancelled. */
export async function unlessCancelled<T>(
  { sleep, cancellation: { requested } }: Session['deps'],
  work: Promise<T>,
  otherwise: T,
): Promise<T> {
  const done = new AbortController()
  const { signal } = done
  const over = new Promise<T>((resolve) => {
    const giveUp = () =>
      void sleep(CANCELLED_WAIT_MS, signal).then(
        () => resolve(otherwise),
        () => undefined,
      )
    if (requested.aborted) giveUp()
    requested.addEventListener('abort', giveUp, { once: true, signal })
  })
  return await Promise.race([work, over]).finally(() => done.abort())
}

/** What the work gives, or this if that takes longer than the comment waits, or the run is cancelled meanwhile. */
export async function inTimeForComment<T>(deps: Session['deps'], work: Promise<T>, otherwise: T): Promise<T> {
  const done = new AbortController()
  const enough = deps.sleep(COMMENT_WAIT_MS, done.signal).then(
    () => otherwise,
    () => otherwise,
  )
  return await Promise.race([unlessCancelled(deps, work, otherwise), enough]).finally(() => done.abort())
}
