import { readJob, send } from '../agent/client.ts'
import type { Job } from '../agent/job.ts'
import { pollJob } from '../agent/poll.ts'
import { throwIfCancelled } from '../cancellation.ts'
import { Cancelled, CreationUncertain, messageOf } from '../errors.ts'
import { ServiceError } from '../http/service.ts'
import { logPrompt } from '../messages/run.ts'
import { jobOf } from '../request/lifecycle.ts'
import { isTerminal } from '../request/outcome.ts'
import { GONE, type Plan } from '../request/plan.ts'
import { coverageOf, stateOf } from '../request/record.ts'
import { plainText } from '../text.ts'
import { type Material, promptOf } from '../trigger/material.ts'
import type { RequestRun } from './request-run.ts'

type Ask = Extract<Plan, { kind: 'create' | 'continue' }>

/** Does what the plan says, and waits for the job to end. */
export async function executePlan(run: RequestRun, plan: Plan, material: Material): Promise<void> {
  switch (plan.kind) {
    case 'skip': {
      run.shownJob = plan.job
      const message = plan.unreadable ? UNREADABLE : ''
      return await run.apply({ type: 'answered', reason: plan.reason, message })
    }
    case 'unknown':
      throw new CreationUncertain(plan.cause)
    case 'late':
      return await run.apply({ type: 'deadline', message: plan.message })
    case 'resume':
      return await resume(run)
    default:
      return await ask(run, plan, material)
  }
}

const UNREADABLE = 'Give the token `pull-requests: read` on that repository, or set `conversation: continue`.'

/** Loads the state that an earlier attempt of this request, or another job of the same run, left in the thread. */
export async function reconcile(run: RequestRun): Promise<void> {
  run.reconciled = true
  const own = run.thread.history?.own?.record
  if (own === undefined) return
  const leftSomething = jobOf(own) !== undefined || own.state === 'sending' || own.state === 'unknown'
  if (!leftSomething || run.setup.inputs.dryRun) return
  run.state = stateOf(own)
  run.identify(coverageOf(own))
  if (jobOf(own) !== undefined) run.jobAction = 'resumed'
  await run.apply({ type: 'resume' })
}

/** Sends the request to the agent. The thread and the post step know of it before the service does (contract 5.2). */
async function ask(run: RequestRun, plan: Ask, material: Material): Promise<void> {
  const { deps, client, setup, thread } = run
  const { core } = deps
  run.reconciled = true
  run.note = plan.note
  const jobId = plan.kind === 'continue' ? plan.jobId : ''
  run.prompt = promptOf(material, plan.kind, setup.inputs.guidelines, deps.random)
  core.info(logPrompt(material.request, run.prompt))
  if (setup.inputs.dryRun) return await run.apply({ type: 'answered', reason: 'dry-run', message: '' })
  if (run.isLate) return await run.apply({ type: 'deadline', message: '' })
  warnOfLostMemory(run)

  await Promise.all([run.apply({ type: 'send', jobId }), thread.reactions.acknowledge()])
  // GitHub may have been slow.
  if (run.isLate) return await run.apply({ type: 'deadline', message: '' })
  let job: Job
  try {
    const target = jobId === '' ? {} : { jobId }
    job = await send(deps, client, { prompt: run.prompt, deadline: run.deadline, ...target })
  } catch (error) {
    const gone = error instanceof ServiceError && error.reason === 'job-not-found'
    if (!gone || plan.kind !== 'continue' || plan.explicit) throw error
    await run.apply({ type: 'jobGone' })
    return await ask(run, { kind: 'create', note: GONE }, material)
  }
  const messagedAt = deps.monotonic()
  run.jobAction = jobId === '' ? 'created' : 'continued'
  await run.apply({ type: 'accepted', job, messagedAt: jobId === '' ? 0 : deps.now() })
  core.info(`Job ${job.id} ${run.jobAction}${job.model === '' ? '' : ` (${job.model})`}`)
  await waitForJob(run, job, jobId === '' ? undefined : messagedAt)
}

/** Picks up the job that an earlier attempt of this run started. */
async function resume(run: RequestRun): Promise<void> {
  const { deps, client, setup, deadline } = run
  await reconcile(run)
  const known = jobOf(run.state)
  if (run.ending !== undefined || known === undefined) return
  deps.core.info(`Job ${known.id} resumed: an earlier attempt started it`)
  const reading = readJob(deps, client, { jobId: known.id, deadline, pollMs: setup.inputs.pollMs })
  if (run.state.state === 'reported') {
    // The request has its result: what the job did since then, or that it cannot be read now, changes nothing.
    const result = await reading.catch(unlessGone(run))
    const job = result !== undefined && 'job' in result && isTerminal(result.job.status) ? result.job : known
    if (isTerminal(job.status)) return await run.apply({ type: 'ended', job })
    return await run.apply({ type: 'failed', reason: 'job-not-found', message: NO_LONGER })
  }
  const result = await reading
  if ('timedOut' in result) return await run.apply({ type: 'deadline', message: result.timedOut })
  await run.apply({ type: 'read', job: result.job })
  const messaged = 'messagedAt' in run.state ? run.state.messagedAt : 0
  // How long ago the message was, as far as the clocks of two runners agree.
  const ago = Math.max(0, deps.now() - messaged)
  await waitForJob(run, result.job, messaged === 0 ? undefined : deps.monotonic() - ago)
}

const NO_LONGER = 'The service no longer knows it. Look at the dashboard, or ask for a new job.'

/** @param messagedAt monotonic time of the message that the job works on, undefined for a new job */
async function waitForJob(run: RequestRun, job: Job, messagedAt: number | undefined): Promise<void> {
  const { deps, client, deadline, setup } = run
  const { inputs, start } = setup
  // A job that already ended gets its result, not a status. After a message that needs a second look (4.8).
  if (isTerminal(job.status) && messagedAt === undefined) return await run.apply({ type: 'ended', job })
  if (!inputs.wait) return await run.apply({ type: 'leave' })
  throwIfCancelled(deps.cancellation)
  const until = start.at + inputs.timeoutMs
  await Promise.all([run.apply({ type: 'wait', until }), run.thread.reactions.acknowledge()])
  const polled = await pollJob(deps, client, {
    job,
    messagedAt,
    deadline,
    pollMs: inputs.pollMs,
    startedAt: start.monotonic,
    onJob: (read) => run.apply({ type: 'read', job: read }),
  })
  if (polled.timedOut !== undefined) return await run.apply({ type: 'deadline', message: polled.timedOut })
  await run.apply({ type: 'ended', job: polled.job })
}

/** For a read whose failure changes nothing, unless the job is gone. */
const unlessGone =
  ({ deps }: RequestRun) =>
  (error: unknown): undefined => {
    const gone = error instanceof ServiceError && error.reason === 'job-not-found'
    if (gone || error instanceof Cancelled) throw error
    deps.core.info(plainText(messageOf(error)))
    return undefined
  }

/** Without memory a re-run starts again: people should know before they look for one job and find two. */
function warnOfLostMemory({ deps, setup, thread, threadNumber }: RequestRun): void {
  if (setup.context.runAttempt <= 1 || thread.remembers) return
  const why = threadNumber === undefined ? 'it has no thread (issue-number)' : 'comment is off'
  deps.core.warning(
    `This is a re-run, and what its earlier attempt started is not known, because ${why}: a second job may be under way.`,
  )
}
