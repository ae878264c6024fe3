import { isRefused } from '../errors.ts'
import { fullName, isInRepository, type PullRequestRef, pullRequestOf } from '../link.ts'
import { linkComment } from '../messages/comments.ts'
import { missingReviewers } from '../messages/notes.ts'
import type { Report } from '../messages/phrases.ts'
import { stillOpen, WITH_CHECKS } from '../request/history.ts'
import type { Job } from '../request/job.ts'
import { appearanceOf, type Ending, type Reaction } from '../request/outcome.ts'
import { PARTS, type Part } from '../request/record.ts'
import { MOST_AUTHORS, resolveReviewers } from '../request/reviewers.ts'
import { jobOf } from '../request/states.ts'
import { plainText } from '../text.ts'
import { setReaction } from '../thread/reactions.ts'
import type { Session } from '../thread/session.ts'
import { isUnwritten, Thread } from '../thread/thread.ts'
import { updateTrackingIssue } from '../thread/tracking-issue.ts'
import { leaveElsewhere } from './agent-pull-requests.ts'
import { endCommitStatus, verdictOn } from './commit-status.ts'
import { endingOfRecord, type Request } from './request.ts'
import type { Result } from './result.ts'

/** What is to follow the result (contract 5.6), besides its preview and its checks. */
export function partsOf(session: Session, request: Request, report: Ending): readonly Part[] {
  const { context, commentMode } = session
  const { identity, state, thread } = request
  const { reviewers, labels } = identity.settings
  const link = jobOf(state)?.prLink ?? ''
  const pull = pullRequestOf(link, context.serverUrl)
  const isOnServer = pull !== undefined
  const isThread = isOnServer && isInRepository(context.repository, pull) && pull.number === thread?.number
  const parts = {
    reaction: identity.comment !== '',
    // Where nothing leads back to the thread yet (contract 5.5).
    link: isOnServer && !isThread && thread !== undefined && commentMode !== 'off' && !request.isLinked(link),
    reviewers: isOnServer && reviewers.length > 0,
    labels: isOnServer && labels.length > 0,
    issue: identity.tracking && report.outcome !== 'skipped',
    status: verdictOn(request, { job: jobOf(state), ...report }) !== undefined,
    checks: false,
  } satisfies Readonly<Record<Part, boolean>>
  return PARTS.filter((part) => parts[part])
}

/**
 * Does what follows the result, and then deletes the comments that it replaces. What GitHub does not answer stays open
 * for the post step, a re-run or the next sweep.
 * @returns whether nothing is left to do
 */
export async function doOpenParts(session: Session, request: Request, result: Result): Promise<boolean> {
  if (!request.isGranted) return true
  if (isUnwritten(result)) return false
  const { report } = result
  const { own, ownComments = [] } = request.history ?? {}
  // By now the thread has the record that was written with the result.
  const isRemembered = request.state.state === 'reported' && own?.record.state === 'reported'
  if (result.standing === 'theirs' && !isRemembered) {
    // What an earlier attempt said stands, and so does its reaction: only the eyes of this one go.
    const isOver = own?.record.state === 'unknown' || own?.record.state === 'notSent'
    const eyesGo = !isOver || (await setReaction(session, request.identity.comment, 'confused', undefined))
    const isTidy = await request.thread?.keepOne(session, request.identity)
    return eyesGo && isTidy !== false
  }
  const open = isRemembered ? stillOpen(own.record, ownComments) : partsOf(session, request, report)
  // However this run ends, what follows belongs to the result that the thread shows.
  const shown = isRemembered ? { ...report, ...endingOfRecord(request) } : report
  // The rest waits for the checks of the pull request.
  const due = open.includes('checks') ? open.filter((part) => !WITH_CHECKS.includes(part)) : open
  const done = await Promise.all(
    due.map(async (part) => {
      const isPartDone = await doPart(part, session, request, shown)
      if (isPartDone && request.isOpen(part)) request.apply({ type: 'close', part })
      return isPartDone
    }),
  )
  const isDone = done.every(Boolean)
  const { thread, state } = request
  if (thread === undefined) return isDone
  const keepOne = () => thread.keepOne(session, request.identity)
  if (!isRemembered || state.state !== 'reported' || open.length === 0) {
    return (await keepOne()) && isDone
  }
  // The deletion of the comment that the result replaces says that all is done; else the record has to. A comment on the
  // pull request, once it is left, changes the words of the result as well: a reply there works.
  const saysAll = state.replacedId !== 0 && isDone && !result.isOutdated
  if (saysAll && (await keepOne())) return true
  request.apply({ type: 'forgetReplaced' })
  const amended = result.amend()
  if (!isDone) await amended
  if (isUnwritten(result)) return false
  const [isTidy] = await Promise.all([!saysAll && keepOne(), amended])
  return isTidy && isDone && !isUnwritten(result)
}

/** The eyes stay where the job goes on without this run. */
export const reactionTo = ({ outcome, reason }: Ending): Reaction =>
  appearanceOf(outcome, reason).reaction ?? 'eyes'

/** @returns whether it is done, or never will be */
export async function doPart(
  part: Part,
  session: Session,
  request: Request,
  report: Report,
): Promise<boolean> {
  const { forge, warnings, context } = session
  const { identity, thread, state } = request
  const job = jobOf(state)
  const pull = pullRequestOf(job?.prLink ?? '', context.serverUrl)
  switch (part) {
    case 'reaction': {
      const eyes = await request.eyes
      const others = request.isFirstRun ? [eyes ?? []].flat() : undefined
      return await setReaction(session, identity.comment, reactionTo(report), others)
    }
    case 'link':
      return (
        job === undefined || pull === undefined || (await linkFromPullRequest(session, request, job, pull))
      )
    case 'reviewers':
      return pull === undefined || (await requestReviews(session, request, pull))
    case 'labels':
      return (
        pull === undefined ||
        (await warnings.doneOrRefused(['labels', pull], () =>
          forge.addLabels(pull, identity.settings.labels),
        ))
      )
    case 'issue':
      return await warnings.doneOrRefused('tracking-issue', async () => {
        if (thread !== undefined) await updateTrackingIssue(session, thread.number, identity, report)
      })
    case 'status':
      return await endCommitStatus(session, request, verdictOn(request, report))
    case 'checks':
      return true
  }
}

/**
 * Leaves one comment on the job's own pull request that leads to the thread. In this repository, a command there
 * continues the same job.
 * @returns whether it is there, or never will be
 */
async function linkFromPullRequest(
  session: Session,
  request: Request,
  job: Job,
  pull: PullRequestRef,
): Promise<boolean> {
  const { warnings, context } = session
  const { identity, state, thread } = request
  const isHere = isInRepository(context.repository, pull)
  const text = linkComment(`${fullName(context.repository)}#${thread?.number}`, identity.command, isHere)
  // Nothing leads back from the pull request of a new job yet.
  const isNew = request.isFirstRun && request.jobAction === 'created'
  return await warnings.doneOrRefused('link', async () => {
    if (isHere) {
      const place = new Thread(pull.number)
      if (!isNew) await place.read(session)
      const latest = place.historyOf(identity)?.jobComment?.record
      if (latest === undefined || !('job' in latest) || latest.job.id !== job.id)
        await place.link(session, identity, job, text)
    } else if (!(await leaveElsewhere(session, pull, text, isNew))) return
    if (state.state === 'reported') request.apply({ type: 'link' })
  })
}

/** Contract 4.11. @returns whether it is done, or GitHub refuses it */
async function requestReviews(session: Session, request: Request, pull: PullRequestRef): Promise<boolean> {
  const { deps, warnings, forge } = session
  const { settings, requestedBy, authors: authorsOfCode } = request.identity
  const resolved = resolveReviewers(settings.reviewers, requestedBy, pull.owner)
  const missing = missingReviewers(resolved, pull.owner)
  if (missing !== '') deps.core.warning(plainText(missing))
  const { people, teams } = resolved
  return await warnings.doneOrRefused(['reviewers', pull], async () => {
    const authors = authorsOfCode.length === 0 ? [] : await othersThanAuthor(session, pull, authorsOfCode)
    // Authors may not be collaborators, and the person who asked may be the author, who cannot review.
    const named = people.filter((name) => settings.reviewers.includes(name))
    const all = [[...new Set([...people, ...authors])], people, named]
    const tries = all.filter(({ length }, at) => all.findIndex((one) => one.length === length) === at)
    let refusal: unknown
    for (const [at, names] of tries.entries()) {
      if (names.length + teams.length === 0) break
      try {
        await forge.requestReviews(pull, names, teams)
        break
      } catch (error) {
        if (at === tries.length - 1 || !isRefused(error, 422)) throw error
        // The author of a pull request cannot review it, which is no news.
        if (names.length === people.length && !/\bauthor\b/i.test(error.detail)) refusal = error
      }
    }
    if (refusal !== undefined) throw refusal
  })
}

/** Without the author of the docs' pull request, who cannot review it, as far as that can be read. */
async function othersThanAuthor(
  { forge }: Session,
  pull: PullRequestRef,
  logins: readonly string[],
): Promise<readonly string[]> {
  const docs = await forge.pullRequest(pull).catch((error: unknown) => {
    if (isRefused(error)) return undefined
    throw error
  })
  return logins.filter((login) => login !== docs?.author?.login).slice(0, MOST_AUTHORS)
}
