import { fullName, isInRepository, pullRequestOf } from '../link.ts'
import { linkComment } from '../messages/comments.ts'
import { linkTask } from '../messages/side-tasks.ts'
import { signRecord } from '../request/signed-record.ts'
import { jobOf } from '../request/states.ts'
import type { Session } from '../thread/session.ts'
import { readHistory } from '../thread/thread.ts'
import type { Request } from './request.ts'
import { isLinked } from './result.ts'

/** Whether the job's pull request lies here, is another thread, and nothing leads back from it yet (contract 5.5). */
export function takesLink({ context, commentMode }: Session, request: Request): boolean {
  const link = jobOf(request.state)?.prLink ?? ''
  const pull = pullRequestOf(link, context.serverUrl)
  if (pull === undefined || request.thread === undefined || commentMode === 'off') return false
  const isHere = isInRepository(context.repository, pull) && pull.number !== request.thread.number
  return isHere && !isLinked(request, link)
}

/**
 * Leaves one comment on the job's own pull request, so that a command there continues the same job.
 * @returns whether it is there, or GitHub refuses it
 */
export async function linkFromPullRequest(session: Session, request: Request): Promise<boolean> {
  const { deps, forge, warnings, context, scope } = session
  const { identity, facts, state, thread } = request
  const job = jobOf(state)
  const pull = pullRequestOf(job?.prLink ?? '', context.serverUrl)
  if (job === undefined || pull === undefined) return true
  return await warnings.settled(linkTask, async () => {
    // Nothing leads back from the pull request of a new job yet.
    const isNew = facts.isFirst && facts.jobAction === 'created'
    const latest = isNew ? undefined : (await readHistory(session, pull.number, identity)).job?.record
    if (latest === undefined || !('job' in latest) || latest.job.id !== job.id) {
      const text = linkComment(`${fullName(context.repository)}#${thread?.number}`, identity.command)
      const fields = { ...identity, state: 'link', job, writtenAt: deps.now(), waitsMs: 0 } as const
      const record = signRecord(fields, { ...scope, thread: pull.number })
      await forge.createComment(pull.number, `${text}\n\n${record}`)
    }
    if (state.state === 'reported') request.apply({ type: 'link' })
  })
}
