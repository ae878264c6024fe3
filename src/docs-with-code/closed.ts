import { isRefused } from '../errors.ts'
import type { Trigger } from '../event/trigger.ts'
import { fullName } from '../link.ts'
import { endComment } from '../messages/comments.ts'
import { pullRequestLink } from '../messages/phrases.ts'
import type { PromptSource } from '../prompt/task.ts'
import type { Job } from '../request/job.ts'
import { ending } from '../request/outcome.ts'
import { isAtWork, isOfPullRequestEvent } from '../request/record.ts'
import type { RunEnd } from '../request/report.ts'
import { digestOfText } from '../request/request-key.ts'
import { docsPullRequest, leaveElsewhere, pullRequestNow } from '../thread/docs-pull-request.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'

/**
 * The code's pull request was merged or closed: says so where that of the docs is open.
 * @param request whose thread is read
 * @returns undefined where the changes of the pull request never went to the agent
 */
export async function sayClosed(
  session: Session,
  request: Pick<Request, 'records' | 'thread' | 'identity'>,
  { trigger, inputs }: PromptSource,
): Promise<RunEnd | undefined> {
  const { thread, identity } = request
  const records = request.records()
  if (records === undefined || thread === undefined) return undefined
  const isOut = records.others.some(({ record }) => isAtWork(record) && isOfPullRequestEvent(record))
  if (!isOut && !records.known.code.some(({ step }) => step !== '')) return undefined
  const end = ending('skipped', 'pull-request-closed')
  const { job } = records.known
  if (job === undefined || job.prLink === '' || inputs.dryRun || session.commentMode === 'off') return end
  await session.warnings.warnOnFailure('end', () => say(session, identity, thread, job, trigger))
  return { ...end, job }
}

/** On the pull request of the docs, or else in the thread; a re-run, or a second workflow, finds it there. @throws {GitHubError} */
async function say(
  session: Session,
  identity: Request['identity'],
  thread: Thread,
  job: Job,
  { subject }: Trigger,
): Promise<void> {
  const { context } = session
  const { state: ended = 'closed', closedAt = 0 } = subject ?? {}
  const name = `${fullName(context.repository)}#${thread.number}`
  const key = digestOfText(`${thread.number} ${ended} ${closedAt}`)
  // It is no request, so it is never the newest, and the job accepted nothing.
  const record = { ...identity, requestedAt: 0, acceptedAt: 0, key, job }
  const isMerged = ended === 'merged'
  const pull = await docsPullRequest(session, job.prLink)
  const { state } = await pullRequestNow(session, job.prLink)
  if (state === 'merged' || state === 'closed' || thread.holds(key)) return
  const words = endComment(name, isMerged)
  if (pull?.isHere) {
    const place = new Thread(pull.number)
    try {
      await place.read(session)
      if (!place.holds(key)) await place.leadTo(session, thread.number, record, words)
      return
    } catch (error) {
      if (!isRefused(error)) throw error
    }
  } else if (pull !== undefined && (await leaveElsewhere(session, pull, words, false, closedAt))) return
  await thread.leadTo(session, thread.number, record, endComment(name, isMerged, pullRequestLink(job.prLink)))
}
