import { setFinalStatus, verdictOn } from '../docs-with-code/commit-status.ts'
import { sayEndWithResult } from '../docs-with-code/end.ts'
import { replaceEarlier } from '../docs-with-code/overtaken.ts'
import { fullName, isInRepository, type PullRequestRef, pullRequestOf } from '../link.ts'
import { linkComment } from '../messages/comments.ts'
import type { Report } from '../messages/phrases.ts'
import { type Job, namedLink } from '../request/job.ts'
import { appearanceOf, type Ending, isJobOutcome, type Reaction } from '../request/outcome.ts'
import { PARTS, type Part } from '../request/record.ts'
import { jobOf } from '../request/states.ts'
import { leaveElsewhere } from '../thread/docs-pull-request.ts'
import { mayHaveEyes, setReaction } from '../thread/reactions.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { updateTrackingIssue } from '../thread/tracking-issue.ts'
import type { StartResult } from './endings.ts'
import type { Reporter } from './reporter.ts'
import type { Request } from './request.ts'
import { requestReviews } from './request-reviews.ts'

/** What follows the end of a request, from now on (contract 5.6); a run that follows the checks opens those itself. */
export function partsOf(session: Session, request: Request, end: Ending): Part[] {
  const { context, commentMode } = session
  const { identity, state, thread, isFirstRun } = request
  const { reviewers, labels, preview } = identity.settings
  const job = jobOf(state)
  const link = namedLink(job)
  const pull = pullRequestOf(link, context.serverUrl)
  const isOnServer = pull !== undefined
  const hasEnded = isJobOutcome(end.outcome)
  const isThread = isOnServer && isInRepository(context.repository, pull) && pull.number === thread?.number
  const parts = {
    // The eyes of a first run stay where the job goes on without it.
    reaction: identity.comment !== '' && !(isFirstRun && reactionTo(end) === 'eyes'),
    // Where nothing leads back to the thread yet (contract 5.5).
    link: isOnServer && !isThread && thread !== undefined && commentMode !== 'off' && !request.isLinked(link),
    // A turn that goes on may still change the pull request.
    reviewers: hasEnded && isOnServer && reviewers.length > 0,
    labels: hasEnded && isOnServer && labels.length > 0,
    issue: identity.tracking && end.outcome !== 'skipped',
    end: identity.codeEnd.state !== '' && (hasEnded || end.reason === 'job-not-found'),
    preview: end.outcome === 'pull-request' && preview,
    checks: false,
    status: verdictOn(request, { ...end, job }) !== undefined,
  } satisfies Readonly<Record<Part, boolean>>
  return PARTS.filter((part) => parts[part])
}

/**
 * Does what is open and due, and deletes the comments that the result replaces. What GitHub does not answer stays open for
 * the post step, a re-run or the next sweep.
 * @returns whether the thread has no other comment of the request
 */
export async function doOpenParts(
  session: Session,
  request: Request,
  reporter: Reporter,
  { eyes, mayHaveLeftEyes = eyes !== undefined }: StartResult,
): Promise<boolean> {
  // What follows a result waits for it: another process finds it there.
  if (reporter.isAway && request.state.state === 'reported') return false
  const shown = { ...reporter.report, ...request.state.ending }
  const tidying = reporter.isAway ? false : request.thread?.keepOne(session, request.identity)
  // Of this run, where the words of another one stay.
  const eyesGo = reporter.isTheirs && mayHaveLeftEyes && request.state.ending !== undefined
  const due = new Set([...dueOf(request.state.openParts), ...(eyesGo ? (['reaction'] as const) : [])])
  const doing = [...due].map(async (part) => {
    if (await doPart(part, session, request, shown, eyes)) request.apply({ type: 'close', part })
  })
  const replace = async () => {
    // Lines lead to the one copy that stays.
    if (request.thread?.mayHoldUnknown === true) await tidying
    return await replaceEarlier(session, request)
  }
  const replacing = reporter.isAway || replace()
  const [isTidy = true, isReplaced] = await Promise.all([tidying, replacing, ...doing])
  return isTidy && isReplaced
}

/** The checks that a run follows, and the commit status, which waits for them. */
const ofChecks = (part: Part, open: readonly Part[]): boolean =>
  part === 'checks' || (part === 'status' && open.includes('checks'))

/** A preview takes a run that waits for it. */
const dueOf = (open: readonly Part[]): readonly Part[] =>
  open.filter((part) => part !== 'preview' && !ofChecks(part, open))

/** Whether something is open for the next process. At the end of a run, checks are open only where another run follows them. */
export const isLeft = (open: readonly Part[]): boolean => open.some((part) => !ofChecks(part, open))

/** The eyes stay where the job goes on without this run. */
export const reactionTo = ({ outcome, reason }: Ending): Reaction =>
  appearanceOf(outcome, reason).reaction ?? 'eyes'

/** @returns whether it is done, or never will be */
async function doPart(
  part: Part,
  session: Session,
  request: Request,
  report: Report,
  eyes: StartResult['eyes'],
): Promise<boolean> {
  const { forge, warnings, context } = session
  const { identity, thread, state } = request
  const job = jobOf(state)
  const pull = pullRequestOf(job?.prLink ?? '', context.serverUrl)
  switch (part) {
    case 'reaction': {
      // Where the record says that it is done, this run may have left its eyes beside it.
      if (!request.isOpen(part) && !(await mayHaveEyes(session, identity.comment))) return true
      const others = request.isFirstRun ? [(await eyes) ?? []].flat() : undefined
      return await setReaction(session, identity.comment, reactionTo(report), others)
    }
    case 'link':
      if (job === undefined || pull === undefined || thread === undefined) return true
      return await linkFromPullRequest(session, request, thread.number, job, pull)
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
    case 'end':
      return thread === undefined || (await sayEndWithResult(session, identity, thread, job))
    case 'status':
      return await setFinalStatus(session, request, verdictOn(request, report))
    case 'preview':
    case 'checks':
      return false
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
  const { identity, state } = request
  const isHere = isInRepository(context.repository, pull)
  const text = linkComment(`${fullName(context.repository)}#${thread}`, identity.command, isHere)
  // Nothing leads back from the pull request of a new job yet.
  const isNew = request.isFirstRun && request.jobAction === 'created'
  return await warnings.doneOrRefused('link', async () => {
    if (isHere) {
      const place = new Thread(pull.number)
      if (!isNew) await place.read(session)
      const latest = place.historyOf(identity)?.jobComment?.record
      if (latest === undefined || !('job' in latest) || latest.job.id !== job.id)
        await place.link(session, identity, job, text, thread)
    } else if (!(await leaveElsewhere(session, pull, text, isNew))) return
    if (state.state === 'reported') request.apply({ type: 'link' })
  })
}
