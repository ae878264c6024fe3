import { fullName } from '../event/run-context.ts'
import { isInRepository, pullRequestOf } from '../link.ts'
import { linkComment } from '../messages/comments.ts'
import { linkTask } from '../messages/side-tasks.ts'
import type { Job } from '../request/job.ts'
import { signRecord } from '../request/signed-record.ts'
import type { AgentRequest } from '../step/agent-request.ts'
import { readHistory } from '../thread/read-records.ts'

/** Leaves one comment on the job's own pull request, so that a command there continues the same job (contract 5.5). */
export async function linkFromPullRequest(request: AgentRequest, job: Job | undefined): Promise<void> {
  const { session, thread, identity } = request
  const { deps, forge, warnings, context, scope } = session
  const pull = pullRequestOf(job?.prLink ?? '', context.serverUrl)
  if (job === undefined || pull === undefined || !thread.canRemember) return
  if (!isInRepository(context.repository, pull) || pull.number === thread.number) return
  const signing = { ...scope, thread: pull.number }
  // Nothing leads back from the pull request of a new job yet.
  const isNew = request.isFirst && request.jobAction === 'created'
  const isThere = await warnings.warnOnFailure(linkTask, async () => {
    const latest = isNew ? undefined : (await readHistory(forge, signing, identity)).job?.record
    if (latest !== undefined && 'job' in latest && latest.job.id === job.id) return true
    const text = linkComment(`${fullName(context.repository)}#${thread.number}`, identity.command)
    const record = signRecord({ ...identity, state: 'link', job, writtenAt: deps.now() }, signing)
    await forge.createComment(pull.number, `${text}\n\n${record}`)
    return true
  })
  request.linkFailed = isThere === undefined
}
