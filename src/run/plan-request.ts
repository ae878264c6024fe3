import { ifKnown } from '../agent/agent-client.ts'
import { throwIfCancelled } from '../deps.ts'
import { UNREAD_THREAD } from '../messages/notes.ts'
import type { RunEnd } from '../messages/phrases.ts'
import type { Task } from '../prompt/task.ts'
import { reread } from '../request/job.ts'
import { ending } from '../request/outcome.ts'
import { type Plan, planForId, planForJob } from '../request/plan.ts'
import type { Reading } from '../request/reading.ts'
import { isOfRun, type RequestIdentity } from '../request/record.ts'
import { pullRequestNow } from '../thread/docs-pull-request.ts'
import type { Session } from '../thread/session.ts'

/**
 * Where the request goes, as the thread tells now: to the job of the thread, or to a new one.
 * @param reading undefined where the thread cannot be read @param isFresh the command asks for a new job
 * @returns how the run ends where it asks nothing @throws {GitHubError} where GitHub does not answer
 */
export async function planRequest(
  session: Session,
  reading: Reading | undefined,
  identity: Pick<RequestIdentity, 'run'>,
  { inputs, deadline }: Task,
  isFresh: boolean,
): Promise<Plan | RunEnd> {
  const { deps, client, context } = session
  if (reading === undefined && !inputs.dryRun) {
    // A first attempt has no earlier one to know of, and works even if GitHub refuses to show the thread.
    const reason =
      context.runAttempt > 1 ? 'creation-uncertain' : inputs.conversation === 'skip' ? 'bad-input' : undefined
    if (reason !== undefined) return { ending: ending('error', reason, UNREAD_THREAD[reason]) }
  }
  const remembered = reading?.memory.latest.job
  if (inputs.jobId !== undefined) return planForId(inputs.jobId, remembered)
  if (remembered === undefined || isFresh || inputs.conversation === 'new') return { kind: 'send', note: {} }
  const own = reading?.own?.record
  const isReRun = own !== undefined && isOfRun(own, identity)
  // The thread usually knows the pull request already, so both are read at the same time.
  const [read, known] = await Promise.all([
    inputs.dryRun
      ? remembered
      : ifKnown(client.read(remembered.id, { deadline, pollMs: inputs.pollMs, isKnown: true })),
    pullRequestNow(session, remembered.prLink),
  ])
  if (read !== undefined && 'timedOut' in read) return { ending: ending('timed-out', '', read.timedOut) }
  const job = read && reread(remembered, read)
  const link = job?.prLink ?? ''
  const pull = link === '' || link === remembered.prLink ? known : await pullRequestNow(session, link)
  throwIfCancelled(deps.cancellation)
  return planForJob({ conversation: inputs.conversation, remembered, job, pull, isReRun })
}
