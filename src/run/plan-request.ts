import { ifKnown } from '../agent/agent-client.ts'
import { sleepUnlessCancelled, throwIfCancelled } from '../deps.ts'
import { isRefused } from '../errors.ts'
import { CAUSES, endingAfter, UNREAD_THREAD } from '../messages/notes.ts'
import type { RunEnd } from '../messages/phrases.ts'
import type { Task } from '../prompt/task.ts'
import { reread } from '../request/job.ts'
import { ending } from '../request/outcome.ts'
import { planForId, planForJob, type Send } from '../request/plan.ts'
import { nextInQueue } from '../request/queue.ts'
import type { Reading } from '../request/reading.ts'
import { pullRequestNow } from '../thread/docs-pull-request.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'

/** What the run asks for, beside the inputs. */
export interface Wish {
  /** The command asks for a new job, whatever the thread has. */
  readonly isFresh: boolean
  /** An earlier attempt of the run asked, and its job failed, or nothing was sent. */
  readonly isReRun: boolean
}

/**
 * Where the request goes, as the thread tells now: to the job of the thread, or to a new one.
 * @param reading undefined where the thread cannot be read
 * @returns how the run ends where it asks nothing @throws {GitHubError} where GitHub does not answer
 */
export async function planRequest(
  session: Session,
  reading: Reading | undefined,
  { inputs, deadline }: Task,
  { isFresh, isReRun }: Wish,
): Promise<Send | RunEnd> {
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
  const plan = planForJob({ conversation: inputs.conversation, remembered, job, pull, isReRun })
  if (plan.kind === 'send') return plan
  const cause = plan.unreadable ? CAUSES.unreadablePullRequest : ''
  return { ending: ending('skipped', plan.reason, cause), job: plan.job }
}

export interface Queued {
  /** The plan from before the record was written. */
  readonly first: Send
  readonly wish: Wish
}

/**
 * Reads the thread once more, now that the record of the request stands there, and lets requests with older comments go first:
 * this one then goes to their job as a message.
 * @param renew writes the record once more
 * @returns the plan as the thread has it now @throws {GitHubError} where GitHub does not answer
 */
export async function planInQueue(
  session: Session,
  request: Request,
  task: Task,
  { first, wish }: Queued,
  renew: () => Promise<void>,
): Promise<Send | RunEnd> {
  const { deps, github } = session
  const { deadline, inputs } = task
  const thread = request.writableThread(session)
  const known = request.reading?.othersMemory.latest.job?.id
  let awaited: ReadonlySet<string> = new Set()
  for (;;) {
    const refused = await thread?.read(session).catch((error: unknown) => {
      if (!isRefused(error)) throw error
      return error
    })
    const { reading } = request
    // Without a record in the thread, others cannot wait for it, and GitHub may not show theirs.
    if (refused || thread === undefined || reading?.own === undefined) return first
    const { own, others, othersMemory } = reading
    const isLate = deps.monotonic() >= deadline
    const step = nextInQueue({ own, others, awaited, now: github.clock(), isLate })
    if (step.kind === 'lost') return { ending: ending('error', 'github-unavailable', CAUSES.lostItsTurn) }
    if (step.kind === 'look') {
      const { renews, behind } = step
      awaited = new Set([...awaited, ...behind])
      if (renews) await renew()
      if (request.lastWrite === 'unanswered') return { ending: endingAfter(deps, request.failure) }
      const pause = Math.min(inputs.pollMs, deadline - deps.monotonic())
      if (behind.length > 0 || request.lastWrite === 'refused') await sleepUnlessCancelled(deps, pause)
      continue
    }
    // What the others have learned by now is what this one goes on from.
    request.memory = othersMemory
    const isNewJob = othersMemory.latest.job?.id !== known
    if (isNewJob) request.becomeLatest()
    const plan = isNewJob
      ? await planRequest(session, { ...reading, memory: othersMemory }, task, wish)
      : first
    if ('ending' in plan || plan.job !== undefined || !step.isUnanswered) return plan
    return { ...plan, note: { ...plan.note, isEarlierUnanswered: true } }
  }
}
