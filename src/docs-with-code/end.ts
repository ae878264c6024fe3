import { orCancelled } from '../deps.ts'
import { isRefused } from '../errors.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import type { Trigger } from '../event/trigger.ts'
import { fullName, isInRepository, pullRequestOf } from '../link.ts'
import { endComment } from '../messages/comments.ts'
import { pullRequestLink } from '../messages/phrases.ts'
import type { PromptSource } from '../prompt/prompt.ts'
import type { History } from '../request/history.ts'
import type { Job } from '../request/job.ts'
import { isWaitedFor } from '../request/lease.ts'
import { ending } from '../request/outcome.ts'
import { threadJob } from '../request/plan.ts'
import type { RequestComment } from '../request/precedence.ts'
import type { RequestIdentity } from '../request/record.ts'
import { jobOf } from '../request/states.ts'
import { type Answer, answer } from '../thread/answer.ts'
import { leaveElsewhere, pullRequestNow } from '../thread/docs-pull-request.ts'
import { readThread } from '../thread/read-thread.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { textDigestOf } from './digest.ts'
import { latestInStep } from './increment.ts'

/** The docs are kept in step with the thread: a request of any step brought its changes to the agent, or is about to. */
function isKeptInStep({ deps }: Session, { history, identity }: Request): boolean {
  const ofAnyStep = { ...identity, head: { ...identity.head, step: '' } }
  const isSending = ({ record }: RequestComment) =>
    record.state === 'sending' && record.head.sha !== '' && isWaitedFor(record, deps.now())
  return (
    latestInStep({ history, identity: ofAnyStep }) !== undefined || history?.others.some(isSending) === true
  )
}

/** If the docs are kept in step with an open pull request, notes that the result is to look for the end of that. */
export function rememberCode(session: Session, request: Request, { subject }: Trigger): void {
  if (subject?.isPullRequest !== true || subject.state !== 'open') return
  request.amend({ saysCodeEnd: request.identity.head.sha !== '' || isKeptInStep(session, request) })
}

/**
 * Says once for each end that the code's pull request was merged or closed, while the docs' pull request is open: on
 * that one, or else in the thread (contract 3.13). If the job still works, the run that reports its end also looks for
 * the end of the code.
 * @returns undefined for every other event, and where no request keeps the docs in step
 */
export async function tellOfEnd(
  session: Session,
  request: Request,
  asked: PromptSource,
): Promise<Answer | undefined> {
  const { thread, identity } = request
  const { trigger, inputs } = asked
  if (!isPullRequestEvent(trigger) || trigger.action !== 'closed' || trigger.subject === undefined)
    return undefined
  await orCancelled(session.deps.cancellation, readThread(session, request, asked))
  const { history } = request
  if (!isKeptInStep(session, request)) return undefined
  const end = ending('skipped', 'pull-request-closed')
  const job = history && threadJob(history)
  if (history === undefined || job === undefined || thread === undefined || inputs.dryRun) return answer(end)
  if (!isToldWithResult(history, job)) {
    // This event asks nothing: with this time, the job's request stays the latest one of the thread.
    const { requestedAt = identity.requestedAt } = history.jobComment?.record ?? {}
    await sayEnd(session, { ...identity, requestedAt }, thread, job, trigger.subject)
  }
  return answer(end, job.prLink === '' || session.commentMode === 'off' ? {} : { job })
}

/** By the run that reports the latest request of the job: an earlier one may stay `running` until a sweep reports it. */
function isToldWithResult({ others }: History, job: Job): boolean {
  const latest = others.find(({ record }) => jobOf(record)?.id === job.id)?.record
  return latest?.state === 'running' && latest.saysCodeEnd
}

/**
 * Says after the result that the code's pull request ended while the job worked. If that pull request ends later, its
 * event finds the result in the thread, and says the end itself.
 * @returns as `sayEnd`
 */
export async function tellOfEndSince(
  session: Session,
  identity: RequestIdentity,
  thread: Thread,
  job: Job | undefined,
): Promise<boolean> {
  const { forge, warnings } = session
  let code: PullRequest | undefined
  const isRead = await warnings.doneOrRefused('head', async () => {
    code = await forge.pullRequest({ ...forge.repository, number: thread.number })
  })
  if (code === undefined || code.state === 'open') return isRead
  return await sayEnd(session, identity, thread, job, code)
}

/**
 * Says on the pull request of the docs, or else in the thread, that the code's one ended.
 * @param identity of the request that says it @param thread of the code
 * @returns whether it is said, is no news, or GitHub refuses it
 */
async function sayEnd(
  session: Session,
  identity: RequestIdentity,
  thread: Thread,
  job: Job | undefined,
  { state: ended, closedAt: at }: Pick<PullRequest, 'state' | 'closedAt'>,
): Promise<boolean> {
  const { warnings, context, commentMode } = session
  const link = job?.prLink ?? ''
  if (job === undefined || link === '' || commentMode === 'off') return true
  const pull = pullRequestOf(link, context.serverUrl)
  const isHere = pull !== undefined && isInRepository(context.repository, pull)
  const code = `${fullName(context.repository)}#${thread.number}`
  const isMerged = ended === 'merged'
  // Each workflow that keeps the docs in step gets the event of this end: they share its key.
  const ofThisEnd = { ...identity, key: textDigestOf(`${thread.number} ${ended} ${at}`) }
  return await warnings.doneOrRefused('end', async () => {
    const { state } = await pullRequestNow(session, link)
    if (state === 'merged' || state === 'closed' || thread.holds(ofThisEnd)) return
    // A list can lag: an earlier request of the sweep may have said it.
    if (thread.wasSaidElsewhere(ofThisEnd)) return
    if (pull !== undefined && !isHere) {
      if (await leaveElsewhere(session, pull, endComment(code, isMerged), false, at))
        return thread.noteSaidElsewhere(ofThisEnd)
    }
    if (isHere) {
      const place = new Thread(pull.number)
      const isThere = await sayIn(session, place, ofThisEnd, job, endComment(code, isMerged), thread.number)
      if (isThere) return thread.noteSaidElsewhere(ofThisEnd)
    }
    // Another run may have said it since this one read the thread.
    await sayIn(session, thread, ofThisEnd, job, endComment(code, isMerged, pullRequestLink(link)))
  })
}

/** @param from the thread that the place is to lead to @returns whether it is there @throws {ForgeError} where GitHub does not answer */
async function sayIn(
  session: Session,
  place: Thread,
  ofThisEnd: RequestIdentity,
  job: Job,
  text: string,
  from?: number,
): Promise<boolean> {
  try {
    await place.read(session)
    if (!place.holds(ofThisEnd)) await place.link(session, ofThisEnd, job, text, from)
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}
