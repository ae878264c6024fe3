import { ifKnown, isJobNotFound, send } from '../agent/agent-client.ts'
import { throwIfCancelled } from '../cancellation.ts'
import { Cancelled, CreationUncertain, isRefused } from '../errors.ts'
import { retryRead } from '../http/retry.ts'
import { ServiceError } from '../http/service.ts'
import { pullRequestOf } from '../link.ts'
import { explainError } from '../messages/explain.ts'
import { CAUSES, lostMemory, UNREAD_THREAD } from '../messages/notes.ts'
import { logPrompt } from '../messages/summary.ts'
import { type Material, type PromptParts, promptOf } from '../prompt/material.ts'
import type { Job } from '../request/job.ts'
import { type Ending, ending } from '../request/outcome.ts'
import { type Plan, type PullRequestState, planForJob, planFromHistory } from '../request/plan.ts'
import type { AgentRequest } from '../step/agent-request.ts'
import { isUnwritten } from '../thread/thread.ts'
import { type Listing, readChanges } from './changes.ts'
import type { StartOptions } from './start-options.ts'

/**
 * Makes the plan, and does what it says.
 * @returns how the request ended without the agent; undefined once it is with the agent
 */
export async function askAgent(
  request: AgentRequest,
  options: StartOptions,
  material: Material,
  listing: Promise<Listing> | undefined,
): Promise<Ending | undefined> {
  const { session, thread } = request
  const { deps, context } = session
  const { inputs } = options
  const { command } = material
  const fresh = command.kind === 'prompt' && command.fresh
  throwIfCancelled(deps.cancellation)
  const known = planFromHistory(thread.history, inputs, { fresh, runAttempt: context.runAttempt })
  if (known.kind === 'stop') return ending('error', known.reason, UNREAD_THREAD[known.reason])
  if (known.kind === 'resume') return resume(request)
  const changes = listing === undefined ? '' : await readChanges(request, await listing, options)
  throwIfCancelled(deps.cancellation)
  if (typeof changes !== 'string') return changes
  const plan = known.kind === 'inspect' ? await inspect(request, options, known.job) : known
  if ('outcome' in plan) return plan
  if (plan.kind === 'skip') {
    request.shownJob = plan.job
    return ending('skipped', plan.reason, plan.unreadable ? CAUSES.unreadablePullRequest : '')
  }
  return await sendTo(request, options, plan, { ...material, changes, references: options.references })
}

/** Goes on from what an earlier attempt of this request left in the thread, and sends nothing. */
function resume(request: AgentRequest): undefined {
  const record = request.thread.history?.own?.record
  if (record === undefined) return
  request.goOnFrom(record)
  if ('job' in record) {
    request.session.deps.core.info(`Job ${record.job.id} resumed: an earlier attempt started it`)
  }
}

/** Reads what the plan depends on beyond the thread: its job, and the pull request of the job (contract 4.9). */
async function inspect(
  request: AgentRequest,
  options: StartOptions,
  remembered: Job,
): Promise<Plan | Ending> {
  const { deps, client } = request.session
  const { inputs, deadline } = options
  const readJob = () =>
    retryRead(deps, { deadline, pollMs: inputs.pollMs }, (left, signal) =>
      client.read(remembered.id, left, signal),
    )
  // The thread usually knows the pull request already, so both are read at the same time.
  const [job, knownState] = await Promise.all([
    inputs.dryRun ? remembered : ifKnown(readJob()),
    pullRequestState(request, remembered.prLink),
  ])
  if (job !== undefined && 'timedOut' in job) return ending('timed-out', '', job.timedOut)
  const link = job?.prLink ?? ''
  const state = link === '' || link === remembered.prLink ? knownState : await pullRequestState(request, link)
  throwIfCancelled(deps.cancellation)
  return planForJob(inputs, remembered, job, state)
}

/** @throws {ForgeError} where GitHub does not answer: a message must not go to merged work */
async function pullRequestState({ session }: AgentRequest, link: string): Promise<PullRequestState> {
  if (link === '') return 'none'
  const pull = pullRequestOf(link, session.context.serverUrl)
  if (pull === undefined) return 'unreadable'
  try {
    return (await session.forge.pullRequest(pull)).state
  } catch (error) {
    if (isRefused(error)) return 'unreadable'
    throw error
  }
}

type Sending = Extract<Plan, { kind: 'create' | 'continue' }>

/** Sends the request to the agent. The thread and the post step know of it before the service does (contract 5.2). */
async function sendTo(
  request: AgentRequest,
  options: StartOptions,
  plan: Sending,
  parts: PromptParts,
): Promise<Ending | undefined> {
  const { deps, client, context } = request.session
  const { inputs, deadline } = options
  const jobId = plan.kind === 'continue' ? plan.jobId : undefined
  request.note = plan.note
  request.prompt = promptOf(parts, plan.kind, inputs.guidelines, deps.random)
  deps.core.info(logPrompt(parts.request, request.prompt))
  if (inputs.dryRun) return ending('skipped', 'dry-run')
  if (deps.monotonic() >= deadline) return ending('timed-out')
  if (context.runAttempt > 1 && !request.thread.canRemember) {
    deps.core.warning(lostMemory(request.thread.number !== undefined))
  }

  request.apply({ type: 'send', jobId: jobId ?? '' })
  request.hasSent = true
  const written = await request.writeStatus()
  const isLate = deps.monotonic() >= deadline
  if (isUnwritten(written) || isLate) {
    // Without its record in the thread, a re-run could not tell that the request went out.
    request.apply({ type: 'notSent' })
    if (isLate) return ending('timed-out')
    throw written.failure
  }
  try {
    const job = await send(deps, client, { prompt: request.prompt, jobId, deadline })
    request.jobAction = jobId === undefined ? 'created' : 'continued'
    request.apply({ type: 'accepted', job, messagedAt: jobId === undefined ? 0 : deps.now() })
    deps.core.info(`Job ${job.id} ${request.jobAction}${job.model === '' ? '' : ` (${job.model})`}`)
    return undefined
  } catch (error) {
    const isRejected = error instanceof ServiceError || error instanceof Cancelled
    request.apply({ type: isRejected ? 'notSent' : 'noAnswer' })
    if (isJobNotFound(error) && jobId !== undefined && inputs.jobId === undefined) {
      return await sendTo(request, options, { kind: 'create', note: { job: 'gone' } }, parts)
    }
    if (isRejected || error instanceof CreationUncertain) throw error
    // Whatever went wrong went wrong while the request may have been under way.
    throw new CreationUncertain(explainError(deps.core, error), jobId ?? '', { cause: error })
  }
}
