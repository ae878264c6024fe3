import { orCancelled } from '../deps.ts'
import { isRefused } from '../errors.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import { fullName, isInRepository, pullRequestOf } from '../link.ts'
import { endComment } from '../messages/comments.ts'
import { pullRequestLink } from '../messages/phrases.ts'
import type { PromptSource } from '../prompt/prompt.ts'
import type { History } from '../request/history.ts'
import type { Job } from '../request/job.ts'
import { ending } from '../request/outcome.ts'
import { threadJob } from '../request/plan.ts'
import type { CodeEnd, RequestIdentity } from '../request/record.ts'
import { withoutRecord } from '../request/signed-record.ts'
import { leaveElsewhere, pullRequestNow } from '../thread/docs-pull-request.ts'
import { readThread } from '../thread/read-thread.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import type { Answer, CodeRequest } from './code-request.ts'
import { textDigestOf } from './digest.ts'
import { hasHead, latestInStep } from './increment.ts'

/**
 * Says that the code's pull request was merged or closed, while the one of the docs is open: there, or else in the thread;
 * once for each end (contract 3.13). Where the job still works, it is left to the run that reports the end of the job.
 * @returns undefined for every other event, and where no request keeps the docs in step
 */
export async function tellOfEnd(
  session: Session,
  request: CodeRequest,
  asked: PromptSource,
): Promise<Answer | undefined> {
  const { thread, identity } = request
  const { trigger, inputs } = asked
  if (!isPullRequestEvent(trigger) || trigger.action !== 'closed') return undefined
  await orCancelled(session.deps.cancellation, readThread(session, request, asked))
  const { history } = request
  // Another job of the workflow may take this event alone.
  const anyStep = { ...identity, head: { ...identity.head, step: '' } }
  if (latestInStep({ history, identity: anyStep }) === undefined) return undefined
  const end = ending('skipped', 'pull-request-closed')
  const job = history && threadJob(history)
  if (history === undefined || job === undefined || thread === undefined || inputs.dryRun) return { end }
  const { state, closedAt: at = 0 } = trigger.subject ?? {}
  const codeEnd = { state: state === 'merged' ? state : 'closed', at } as const
  if (!(await leaveToReport(session, history, thread, job, codeEnd))) {
    // As the run that reported it meanwhile has it.
    const known = request.history ?? history
    // It asks nothing, so the thread's latest request stays the one that the job worked on.
    const { requestedAt = identity.requestedAt } = known.jobComment?.record ?? {}
    await sayEnd(session, { ...identity, requestedAt }, thread, threadJob(known), codeEnd)
  }
  return job.prLink === '' || session.commentMode === 'off' ? { end } : { end, job }
}

/**
 * Leaves it in the record of the request that the job works on.
 * @returns false where none works, or where its run reported it meanwhile, which did not know of this end
 */
async function leaveToReport(
  session: Session,
  history: History | undefined,
  thread: Thread,
  job: Job,
  codeEnd: CodeEnd,
): Promise<boolean> {
  const working = history?.others.find(
    ({ record }) => record.state === 'running' && record.job.id === job.id && hasHead(record),
  )
  if (working === undefined) return false
  const { record, body } = working
  await thread.amend(session, 'end of the pull request', record, { codeEnd }, withoutRecord(body))
  await thread.readOrWarn(session)
  const now = thread.historyOf(record)?.own?.record
  return now === undefined || now.state === 'running' || now.codeEnd.state !== ''
}

/**
 * Says what the event of the end left to the result, unless somebody reopened the pull request meanwhile.
 * @returns as `sayEnd`
 */
export async function sayEndWithResult(
  session: Session,
  identity: RequestIdentity,
  thread: Thread,
  job: Job | undefined,
): Promise<boolean> {
  const { forge, warnings } = session
  let isOpen = false
  const isRead = await warnings.doneOrRefused('head', async () => {
    isOpen = (await forge.pullRequest({ ...forge.repository, number: thread.number })).state === 'open'
  })
  if (!isRead || isOpen) return isRead
  return await sayEnd(session, identity, thread, job, identity.codeEnd)
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
  { state: ended, at }: CodeEnd,
): Promise<boolean> {
  const { warnings, context, commentMode } = session
  const link = job?.prLink ?? ''
  if (job === undefined || link === '' || commentMode === 'off') return true
  const pull = pullRequestOf(link, context.serverUrl)
  const isHere = pull !== undefined && isInRepository(context.repository, pull)
  const code = `${fullName(context.repository)}#${thread.number}`
  const isMerged = ended === 'merged'
  // Each workflow that keeps the docs in step gets the event of the same end.
  const ofThisEnd = { ...identity, key: textDigestOf(`${thread.number} ${ended} ${at}`) }
  return await warnings.doneOrRefused('end', async () => {
    const { state } = await pullRequestNow(session, link)
    if (state === 'merged' || state === 'closed' || thread.holds(ofThisEnd)) return
    if (pull !== undefined && !isHere) {
      if (await leaveElsewhere(session, pull, endComment(code, isMerged), false, at)) return
    }
    if (isHere) {
      const place = new Thread(pull.number)
      const isThere = await sayIn(session, place, ofThisEnd, job, endComment(code, isMerged), thread.number)
      if (isThere) return
    }
    await thread.link(session, ofThisEnd, job, endComment(code, isMerged, pullRequestLink(link)))
  })
}

/** On a pull request of this repository. @returns whether it is there @throws {ForgeError} where GitHub does not answer */
async function sayIn(
  session: Session,
  place: Thread,
  ofThisEnd: RequestIdentity,
  job: Job,
  text: string,
  from: number,
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
