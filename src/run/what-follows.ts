import { PullRequestChecks } from '../checks/pull-request-checks.ts'
import { previewOf } from '../checks/pull-request-preview.ts'
import { setFinalStatus, verdictOn } from '../docs-with-code/commit-status.ts'
import { tellOfEndSince } from '../docs-with-code/end.ts'
import { replaceEarlier } from '../docs-with-code/overtaken.ts'
import { fullName, isInRepository, type PullRequestRef, pullRequestOf } from '../link.ts'
import { linkComment } from '../messages/comments.ts'
import type { PullRequestFacts, Report } from '../messages/phrases.ts'
import type { Job } from '../request/job.ts'
import { type DuePart, dueParts, partsThatShow, reactionTo } from '../request/parts.ts'
import type { StateName } from '../request/record.ts'
import type { SettlePlan } from '../request/settle-plan.ts'
import { jobOf } from '../request/states.ts'
import { leaveElsewhere } from '../thread/docs-pull-request.ts'
import { mayHaveEyes, setReaction } from '../thread/reactions.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { updateTrackingIssue } from '../thread/tracking-issue.ts'
import type { Caller } from './callers.ts'
import type { Reporter } from './reporter.ts'
import { requestReviews } from './request-reviews.ts'

interface Following {
  readonly caller: Caller
  readonly plan: SettlePlan
}

/**
 * Does what is open, follows checks and preview at the same time, and says what that changed. What GitHub does not answer
 * stays open for the post step, a re-run or the next sweep.
 * @returns whether no comment is left to delete, or to make a line of
 */
export async function doWhatFollows(
  session: Session,
  request: Request,
  reporter: Reporter,
  following: Following,
): Promise<boolean> {
  const doOpen = async (): Promise<boolean> => {
    const before: StateName = request.state.state
    const isTidy = await doOpenParts(session, request, reporter, following)
    if (!reporter.isAway) await reporter.say()
    if (before === 'reported' || request.state.state !== 'reported') return isTidy
    // A sweep reported the job meanwhile, and this process may have shown its own end over that of the sweep.
    for (const part of partsThatShow(request.identity)) request.apply({ type: 'reopen', part })
    return await doOpen()
  }
  const [isTidy, hasLearned] = await Promise.all([
    doOpen(),
    followPullRequest(session, request, reporter, following),
  ])
  if (!hasLearned) return isTidy
  await reporter.say()
  if (!request.mayWrite) return true
  // What waited for the checks, and what GitHub did not answer before them.
  return await doOpen()
}

/** Follows checks and preview of the pull request, or the preview alone. @returns whether something became known */
async function followPullRequest(
  session: Session,
  request: Request,
  reporter: Reporter,
  { caller: { waiting, fixAttempts }, plan: { awaits } }: Following,
): Promise<boolean> {
  // Where another run reported the job meanwhile, that one waits for them.
  if (awaits === undefined || reporter.isTheirs) return false
  if (awaits === 'checks') {
    const say = (more: PullRequestFacts) => reporter.say(more)
    const checks = new PullRequestChecks(session, request, { waiting: waiting(), fixAttempts, say })
    reporter.learn(await checks.follow())
    return true
  }
  const preview = await previewOf(session, request, jobOf(request.state), waiting)
  if (preview === undefined) return false
  reporter.learn({ preview })
  return true
}

/** @returns as `doWhatFollows` */
async function doOpenParts(
  session: Session,
  request: Request,
  reporter: Reporter,
  { caller }: Following,
): Promise<boolean> {
  // What follows a result waits for it: another process finds it there.
  if (reporter.isAway && request.state.state === 'reported') return false
  // If another process said how the request ended, that end decides what follows.
  const asRecorded = { ...reporter.report, ...request.state.ending }
  const tidying = reporter.isAway ? false : request.thread?.keepOne(session, request.identity)
  const hasStrayEyes = reporter.isTheirs && (request.eyes !== undefined || caller.speaksFor === 'main step')
  const doing = dueParts(request.state, hasStrayEyes).map(async (part) => {
    const link = jobOf(request.state)?.prLink
    const isDone = await doPart(part, session, request, asRecorded)
    // Meanwhile, a fix may have come as another pull request.
    const isSame = jobOf(request.state)?.prLink === link
    // Stray eyes that are left become a part of the record.
    request.apply({ type: isDone && isSame ? 'close' : 'reopen', part })
    if (!isDone) request.noteMaybeDone(part)
  })
  // The lines are made even if they were before: the comment that they lead to may be another one by now.
  const replace = async () => {
    // They lead to the one copy that stays.
    if (request.thread?.mayHoldUnknown === true) await tidying
    const isDone = await replaceEarlier(session, request)
    if (isDone) request.apply({ type: 'close', part: 'lines' })
    return isDone
  }
  const replacing = reporter.isAway || replace()
  const [isTidy = true, isReplaced] = await Promise.all([tidying, replacing, ...doing])
  return isTidy && isReplaced
}

/** @returns whether it is done, or never will be */
async function doPart(part: DuePart, session: Session, request: Request, report: Report): Promise<boolean> {
  const { forge, warnings, context } = session
  const { identity, thread, state } = request
  const job = jobOf(state)
  const pull = pullRequestOf(job?.prLink ?? '', context.serverUrl)
  switch (part) {
    case 'reaction': {
      // Eyes that GitHub is still to answer would come after the look for them.
      const added = request.eyes === undefined ? [] : await request.eyes
      // If the reaction stands already, only eyes are to go.
      if (!request.isOpen(part) && !(await mayHaveEyes(session, identity.comment))) return true
      const others = request.isFirstRun ? added : undefined
      return await setReaction(session, identity.comment, reactionTo(report), others)
    }
    case 'link':
      if (job === undefined || pull === undefined || thread === undefined) return true
      if (session.commentMode === 'off' || request.isLinked(job.prLink)) return true
      return await linkFromPullRequest(session, request, thread.number, job, pull)
    case 'reviewers':
      return (
        pull === undefined ||
        identity.settings.reviewers.length === 0 ||
        (await requestReviews(session, request, pull))
      )
    case 'labels':
      // An empty list would remove all labels.
      return (
        pull === undefined ||
        identity.settings.labels.length === 0 ||
        (await warnings.doneOrRefused(['labels', pull], () =>
          forge.addLabels(pull, identity.settings.labels),
        ))
      )
    case 'issue':
      return await warnings.doneOrRefused('tracking-issue', async () => {
        if (thread !== undefined) await updateTrackingIssue(session, thread.number, identity, report)
      })
    case 'end':
      return thread === undefined || (await tellOfEndSince(session, identity, thread, job))
    case 'status':
      return await setFinalStatus(session, request, verdictOn(request, report))
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
  thread: number,
  job: Job,
  pull: PullRequestRef,
): Promise<boolean> {
  const { warnings, context } = session
  const { identity } = request
  const isHere = isInRepository(context.repository, pull)
  const text = linkComment(`${fullName(context.repository)}#${thread}`, identity.command, isHere)
  // Nothing leads back from the pull request of a new job yet.
  const isNew = request.isFirstRun && request.jobAction === 'created' && !request.mayBeDone('link')
  return await warnings.doneOrRefused('link', async () => {
    if (isHere) {
      const place = new Thread(pull.number)
      if (!isNew) await place.read(session)
      const latest = place.historyOf(identity)?.jobComment?.record
      if (latest === undefined || !('job' in latest) || latest.job.id !== job.id)
        await place.link(session, identity, job, text, thread)
    } else if (!(await leaveElsewhere(session, pull, text, isNew))) return
    // Only a result remembers it. After another end, the next process looks for the comment again.
    const { state } = request
    if (state.state === 'reported' && state.job.prLink === job.prLink) request.apply({ type: 'link' })
  })
}
