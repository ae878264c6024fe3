import { isRefused } from '../errors.ts'
import { asObject } from '../json.ts'
import { fullName, isInRepository, type PullRequestRef, pullRequestOf } from '../link.ts'
import { linkComment } from '../messages/comments.ts'
import { linkTask } from '../messages/side-tasks.ts'
import { signRecord } from '../request/signed-record.ts'
import { jobOf } from '../request/states.ts'
import type { Session } from '../thread/session.ts'
import { readHistory } from '../thread/thread.ts'
import type { Request } from './request.ts'
import { isLinked } from './result.ts'

/** Whether the job's pull request is on this server, is another thread, and nothing leads back from it yet (contract 5.5). */
export function takesLink({ context, commentMode }: Session, request: Request): boolean {
  const link = jobOf(request.state)?.prLink ?? ''
  const pull = pullRequestOf(link, context.serverUrl)
  if (pull === undefined || request.thread === undefined || commentMode === 'off') return false
  const isThread = isInRepository(context.repository, pull) && pull.number === request.thread.number
  return !isThread && !isLinked(request, link)
}

/**
 * Leaves one comment on the job's own pull request that leads to the thread. In this repository, a command there
 * continues the same job.
 * @returns whether it is there, or never will be
 */
export async function linkFromPullRequest(session: Session, request: Request): Promise<boolean> {
  const { deps, forge, warnings, context, scope } = session
  const { identity, facts, state, thread } = request
  const job = jobOf(state)
  const pull = pullRequestOf(job?.prLink ?? '', context.serverUrl)
  if (job === undefined || pull === undefined) return true
  const isHere = isInRepository(context.repository, pull)
  const text = linkComment(`${fullName(context.repository)}#${thread?.number}`, identity.command, isHere)
  // Nothing leads back from the pull request of a new job yet.
  const isNew = facts.isFirst && facts.jobAction === 'created'
  return await warnings.settled(linkTask, async () => {
    if (isHere) {
      const latest = isNew ? undefined : (await readHistory(session, pull.number, identity)).job?.record
      if (latest === undefined || !('job' in latest) || latest.job.id !== job.id) {
        const fields = { ...identity, state: 'link', job, writtenAt: deps.now(), waitsMs: 0 } as const
        const record = signRecord(fields, { ...scope, thread: pull.number })
        await forge.createComment(pull.number, `${text}\n\n${record}`)
      }
    } else if (!(await leaveElsewhere(session, pull, text, isNew))) return
    if (state.state === 'reported') request.apply({ type: 'link' })
  })
}

/** @returns whether it is there: what another repository refuses is no fault of the workflow */
async function leaveElsewhere(
  { forge, context }: Session,
  pull: PullRequestRef,
  text: string,
  isNew: boolean,
): Promise<boolean> {
  try {
    // What is public names no private thread. Where the event does not tell, the thread counts as one.
    const isPublic = asObject(context.payload.repository).private === false
    if (!isPublic && (await forge.pullRequest(pull)).isPrivate !== true) return false
    const { listComments, createComment } = forge.threadsOf(pull)
    const isThere = !isNew && (await listComments(pull.number)).some(({ body }) => body.trim() === text)
    if (!isThere) await createComment(pull.number, text)
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}
