import { send } from '../agent/client.ts'
import { pollJob } from '../agent/poll.ts'
import { throwIfCancelled } from '../cancellation.ts'
import { Cancelled, messageOf } from '../errors.ts'
import { retryRead } from '../http/retry.ts'
import { ServiceError } from '../http/service.ts'
import { pullRequestOf } from '../link.ts'
import { logPrompt } from '../messages/summary.ts'
import { type Material, promptOf } from '../prompt/material.ts'
import type { Job } from '../request/job.ts'
import { jobOf } from '../request/lifecycle.ts'
import { isTerminal } from '../request/outcome.ts'
import { GONE, type Plan, type PullRequestState, planForJob, planFromHistory } from '../request/plan.ts'
import { plainText } from '../text.ts'
import { type Listing, readChanges } from './changes.ts'
import type { RequestRun } from './request-run.ts'

/** Makes the plan, does what it says, and waits for the job to end. */
export async function execute(
  run: RequestRun,
  material: Material,
  { fresh, listing }: { readonly fresh: boolean; readonly listing: Promise<Listing> | undefined },
): Promise<void> {
  const { inputs, context } = run.setup
  throwIfCancelled(run.deps.cancellation)
  const known = planFromHistory(run.thread.history, inputs, { fresh, runAttempt: context.runAttempt })
  // What an earlier attempt sent is not read again.
  if (known.kind === 'resume') return await resume(run)
  const changes = listing && (await readChanges(run, await listing))
  throwIfCancelled(run.deps.cancellation)
  if (changes !== undefined && 'none' in changes) return await run.skip('no-changes', changes.none)
  const plan = known.kind === 'inspect' ? await inspect(run, known.job) : known
  if ('timedOut' in plan) return await run.apply({ type: 'deadline', message: plan.timedOut })
  if (plan.kind === 'skip') {
    run.shownJob = plan.job
    return await run.skip(plan.reason, plan.unreadable ? UNREADABLE : '')
  }
  await ask(run, plan, { ...material, changes: changes?.text ?? '' })
}

const UNREADABLE = 'Give the token `pull-requests: read` on that repository, or set `conversation: continue`.'

/** Reads what the plan depends on beyond the thread: its job, and the pull request of the job (contract 4.9). */
async function inspect(run: RequestRun, remembered: Job): Promise<Plan | { readonly timedOut: string }> {
  const { inputs } = run.setup
  // The thread usually knows the pull request already, so both are read at the same time.
  const [read, knownState] = await Promise.all([
    inputs.dryRun ? { job: remembered } : readKnown(run, remembered.id).catch(undefinedIfGone),
    pullRequestState(run, remembered.prLink),
  ])
  if (read !== undefined && 'timedOut' in read) return read
  const link = read?.job.prLink ?? ''
  const state = link === '' || link === remembered.prLink ? knownState : await pullRequestState(run, link)
  throwIfCancelled(run.deps.cancellation)
  return planForJob(inputs, remembered, read?.job, state)
}

const readKnown = ({ deps, client, waiting }: RequestRun, jobId: string) =>
  retryRead(deps, waiting, (left, signal) => client.read(jobId, left, signal))

/** The service no longer knows the job. */
const isGone = (error: unknown): boolean => error instanceof ServiceError && error.reason === 'job-not-found'

function undefinedIfGone(error: unknown): undefined {
  if (!isGone(error)) throw error
}

async function pullRequestState(run: RequestRun, link: string): Promise<PullRequestState> {
  if (link === '') return 'none'
  const pull = pullRequestOf(link, run.setup.context.serverUrl)
  if (pull === undefined) return 'unreadable'
  try {
    return (await run.forge.pullRequest(pull)).state
  } catch {
    return 'unreadable'
  }
}

/** Loads the state that an earlier attempt of this request, or another job of the same run, left in the thread. */
export async function reconcile(run: RequestRun): Promise<void> {
  run.reconciled = true
  const own = run.thread.history?.own?.record
  if (own === undefined) return
  const leftSomething = jobOf(own) !== undefined || own.state === 'sending' || own.state === 'unknown'
  if (!leftSomething || run.setup.inputs.dryRun) return
  run.takeUp(own)
  if (jobOf(own) !== undefined) run.jobAction = 'resumed'
  await run.apply({ type: 'resume' })
}

type Ask = Extract<Plan, { kind: 'create' | 'continue' }>

/** Sends the request to the agent. The thread and the post step know of it before the service does (contract 5.2). */
async function ask(run: RequestRun, plan: Ask, material: Material): Promise<void> {
  const { deps, client, setup, thread, waiting } = run
  const { core } = deps
  run.reconciled = true
  run.note = plan.note
  const jobId = plan.kind === 'continue' ? plan.jobId : undefined
  const prompt = promptOf(material, plan.kind, setup.inputs.guidelines, deps.random)
  run.prompt = prompt
  core.info(logPrompt(material.request, prompt))
  if (setup.inputs.dryRun) return await run.skip('dry-run')
  if (run.leftMs <= 0) return await run.apply({ type: 'deadline', message: '' })
  warnOfLostMemory(run)

  await Promise.all([run.apply({ type: 'send', jobId: jobId ?? '' }), thread.reactions.acknowledge()])
  // GitHub may have been slow.
  if (run.leftMs <= 0) return await run.apply({ type: 'deadline', message: '' })
  let job: Job
  try {
    job = await send(deps, client, { prompt, jobId, deadline: waiting.deadline })
  } catch (error) {
    if (!isGone(error) || plan.kind !== 'continue' || plan.explicit) throw error
    await run.apply({ type: 'jobGone' })
    return await ask(run, { kind: 'create', note: GONE }, material)
  }
  run.jobAction = jobId === undefined ? 'created' : 'continued'
  await run.apply({ type: 'accepted', job, messagedAt: jobId === undefined ? 0 : deps.now() })
  core.info(`Job ${job.id} ${run.jobAction}${job.model === '' ? '' : ` (${job.model})`}`)
  await waitForJob(run, job)
}

/** Picks up the job that an earlier attempt of this run started. */
async function resume(run: RequestRun): Promise<void> {
  const { deps } = run
  await reconcile(run)
  const known = jobOf(run.state)
  if (run.ending !== undefined || known === undefined) return
  deps.core.info(`Job ${known.id} resumed: an earlier attempt started it`)
  const reading = readKnown(run, known.id)
  if (run.state.state === 'reported') {
    // The request has its result: what the job did since then, or that it cannot be read now, changes nothing.
    const result = await reading.catch((error: unknown) => {
      if (isGone(error) || error instanceof Cancelled) throw error
      deps.core.info(plainText(messageOf(error)))
      return undefined
    })
    const job = result !== undefined && 'job' in result && isTerminal(result.job.status) ? result.job : known
    if (isTerminal(job.status)) return await run.apply({ type: 'ended', job })
    return await run.apply({ type: 'failed', reason: 'job-not-found', message: NO_LONGER })
  }
  const result = await reading
  if ('timedOut' in result) return await run.apply({ type: 'deadline', message: result.timedOut })
  await run.apply({ type: 'read', job: result.job })
  await waitForJob(run, result.job)
}

const NO_LONGER = 'The service no longer knows it. Look at the dashboard, or ask for a new job.'

async function waitForJob(run: RequestRun, job: Job): Promise<void> {
  const { deps, client, state } = run
  const { inputs, start } = run.setup
  const messaged = 'messagedAt' in state ? state.messagedAt : 0
  // How long ago the message was, as far as the clocks of two runners agree.
  const ago = Math.max(0, deps.now() - messaged)
  const messagedAt = messaged === 0 ? undefined : deps.monotonic() - ago
  // A job that already ended gets its result, not a status. After a message that needs a second look (4.8).
  if (isTerminal(job.status) && messagedAt === undefined) return await run.apply({ type: 'ended', job })
  if (!inputs.wait) return await run.apply({ type: 'leave' })
  throwIfCancelled(deps.cancellation)
  const until = start.at + inputs.timeoutMs
  await Promise.all([run.apply({ type: 'wait', until }), run.thread.reactions.acknowledge()])
  const polled = await pollJob(deps, client, {
    ...run.waiting,
    job,
    messagedAt,
    onJob: (read) => run.apply({ type: 'read', job: read }),
  })
  if (polled.timedOut !== undefined) return await run.apply({ type: 'deadline', message: polled.timedOut })
  await run.apply({ type: 'ended', job: polled.job })
}

/** Without memory a re-run starts again: people should know before they look for one job and find two. */
function warnOfLostMemory({ deps, setup, thread }: RequestRun): void {
  if (setup.context.runAttempt <= 1 || thread.remembers) return
  const why = thread.number === undefined ? 'it has no thread (issue-number)' : 'comment is off'
  deps.core.warning(
    `This is a re-run, and what its earlier attempt started is not known, because ${why}: a second job may be under way.`,
  )
}
