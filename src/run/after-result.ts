import { isRefused } from '../errors.ts'
import { fullName, isInRepository, type PullRequestRef, pullRequestOf } from '../link.ts'
import { linkComment } from '../messages/comments.ts'
import { missingReviewers, type Report } from '../messages/phrases.ts'
import { appearanceOf, type Ending, type Reaction } from '../request/outcome.ts'
import { PARTS, type Part } from '../request/record.ts'
import { MOST_AUTHORS, resolveReviewers } from '../request/reviewers.ts'
import { jobOf } from '../request/states.ts'
import { plainText } from '../text.ts'
import { setReaction } from '../thread/reactions.ts'
import type { Session } from '../thread/session.ts'
import { readHistory, Thread } from '../thread/thread.ts'
import { updateTrackingIssue } from '../thread/tracking-issue.ts'
import { leaveElsewhere } from './agent-pull-requests.ts'
import { endCommitStatus, verdictOn } from './commit-status.ts'
import type { Request } from './request.ts'

/** What is to follow the result (contract 5.6), besides its preview and its checks. */
export function partsOf(session: Session, request: Request, report: Ending): readonly Part[] {
  const { context } = session
  const { identity, state } = request
  const { reviewers, labels } = identity.settings
  const link = jobOf(state)?.prLink ?? ''
  const isOnServer = pullRequestOf(link, context.serverUrl) !== undefined
  const parts = {
    reaction: identity.comment !== '',
    link: takesLink(session, request),
    reviewers: isOnServer && reviewers.length > 0,
    labels: isOnServer && labels.length > 0,
    issue: identity.tracking && report.outcome !== 'skipped',
    status: verdictOn(request, { job: jobOf(state), ...report }) !== undefined,
    checks: false,
  } satisfies Readonly<Record<Part, boolean>>
  return PARTS.filter((part) => parts[part])
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
  const { identity, thread } = request
  switch (part) {
    case 'reaction': {
      const eyes = await request.eyes
      const others = request.isFirst ? [eyes ?? []].flat() : undefined
      return await setReaction(session, identity.comment, reactionTo(report), others)
    }
    case 'link':
      return await linkFromPullRequest(session, request)
    case 'reviewers':
      return await requestReviews(session, request)
    case 'labels':
      return await addLabels(session, request)
    case 'issue':
      return await session.warnings.doneOrRefused('tracking-issue', async () => {
        if (thread !== undefined) await updateTrackingIssue(session, thread.number, identity, report)
      })
    case 'status':
      return await endCommitStatus(session, request, verdictOn(request, report))
    case 'checks':
      return true
  }
}

/** Whether the job's pull request is on this server, is another thread, and nothing leads back from it yet (contract 5.5). */
function takesLink({ context, commentMode }: Session, request: Request): boolean {
  const link = jobOf(request.state)?.prLink ?? ''
  const pull = pullRequestOf(link, context.serverUrl)
  if (pull === undefined || request.thread === undefined || commentMode === 'off') return false
  const isThread = isInRepository(context.repository, pull) && pull.number === request.thread.number
  return !isThread && !request.isLinked(link)
}

/**
 * Leaves one comment on the job's own pull request that leads to the thread. In this repository, a command there
 * continues the same job.
 * @returns whether it is there, or never will be
 */
async function linkFromPullRequest(session: Session, request: Request): Promise<boolean> {
  const { warnings, context } = session
  const { identity, state, thread } = request
  const job = jobOf(state)
  const pull = pullRequestOf(job?.prLink ?? '', context.serverUrl)
  if (job === undefined || pull === undefined) return true
  const isHere = isInRepository(context.repository, pull)
  const text = linkComment(`${fullName(context.repository)}#${thread?.number}`, identity.command, isHere)
  // Nothing leads back from the pull request of a new job yet.
  const isNew = request.isFirst && request.jobAction === 'created'
  return await warnings.doneOrRefused('link', async () => {
    if (isHere) {
      const latest = isNew
        ? undefined
        : (await readHistory(session, pull.number, identity)).jobComment?.record
      if (latest === undefined || !('job' in latest) || latest.job.id !== job.id) {
        await new Thread(pull.number).link(session, identity, job, text)
      }
    } else if (!(await leaveElsewhere(session, pull, text, isNew))) return
    if (state.state === 'reported') request.apply({ type: 'link' })
  })
}

const pullOf = ({ context }: Session, { state }: Request): PullRequestRef | undefined =>
  pullRequestOf(jobOf(state)?.prLink ?? '', context.serverUrl)

/** Contract 4.11. @returns whether it is done, or GitHub refuses it */
async function addLabels(session: Session, request: Request): Promise<boolean> {
  const { warnings, forge } = session
  const pull = pullOf(session, request)
  if (pull === undefined) return true
  return await warnings.doneOrRefused(['labels', pull], () =>
    forge.addLabels(pull, request.identity.settings.labels),
  )
}

/** Contract 4.11. @returns whether it is done, or GitHub refuses it */
async function requestReviews(session: Session, request: Request): Promise<boolean> {
  const { deps, warnings, forge } = session
  const { settings, requestedBy, authors: authorsOfCode } = request.identity
  const pull = pullOf(session, request)
  if (pull === undefined) return true
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
