import { lookAtJob } from '../agent/agent-client.ts'
import type { Deps } from '../deps.ts'
import { ActionError, Cancelled, CreationUncertain, ForgeError } from '../errors.ts'
import { gate, requesterOf, secretsAreWithheld } from '../event/gate.ts'
import { type RunContext, runName } from '../event/run-context.ts'
import { readTrigger, type Trigger } from '../event/trigger.ts'
import { type FinishOptions, finish, type ReportOptions, reportEnd } from '../finish/finish.ts'
import { beforeAsking, NO_MORE, whileReporting } from '../http/retry-rules.ts'
import { requireKey } from '../input-readers.ts'
import { type Inputs, readInputs } from '../inputs.ts'
import { explainAway, explainError } from '../messages/explain.ts'
import { unanswered, unsure } from '../messages/notes.ts'
import { type Command, parseCommand, requestText } from '../prompt/command.ts'
import { readReferences } from '../prompt/material.ts'
import type { Job } from '../request/job.ts'
import { type Ending, ending } from '../request/outcome.ts'
import type { RequestIdentity } from '../request/record.ts'
import { originKey, requestKey } from '../request/request-key.ts'
import { jobOf } from '../request/states.ts'
import { AgentRequest } from '../step/agent-request.ts'
import { STATE_NAME, savedState } from '../step/saved-state.ts'
import { StepReport } from '../step/step-report.ts'
import { commentRef } from '../thread/reactions.ts'
import { openSession, type Session } from '../thread/session.ts'
import { start } from './start.ts'
import { mayAskAgent, type StartOptions } from './start-options.ts'

/** One run of the root action, from the event to the result in the thread. */
export async function mainStep(deps: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  const step = new StepReport(deps)
  try {
    const begun = await begin(step, readContext)
    if ('outcome' in begun) await step.showEnding(begun)
    else await serve(step, begun)
  } catch (error) {
    await step.showEnding(endingAfter(deps, error))
  }
}

/** A request to serve. */
interface Begun {
  readonly request: AgentRequest
  readonly options: StartOptions
}

/** @returns the ending of a run that serves no request */
async function begin(step: StepReport, readContext: () => Promise<RunContext>): Promise<Begun | Ending> {
  const { deps, secrets, startedAt } = step
  const requestedAt = deps.now()
  const inputs = readInputs(deps.core.getInput)
  step.inputs = inputs
  const context = await readContext()
  const trigger = readTrigger(context)
  const limits = beforeAsking(inputs.timeoutMs)
  const save: Session['save'] = (record, thread) =>
    deps.core.saveState(STATE_NAME, savedState(record, thread, step.said))
  const open = () => openSession({ deps, context, limits, secrets, inputs, save })
  const gated = gate(trigger, inputs, parseCommand(trigger.comment?.body ?? '', inputs.command))
  // A comment may be for people alone: the gate tells.
  const isForAgent = trigger.comment === undefined || !('skip' in gated)
  if (inputs.access.apiKey === '' && isForAgent && (await withholdsSecrets(trigger, context, open))) {
    return ending('skipped', 'missing-secret')
  }
  if ('skip' in gated) return ending('skipped', gated.skip)
  requireKey(inputs.access)
  const command: Command = gated.command === 'input' ? { kind: 'input' } : gated.command
  const text = requestText(command, inputs, context.workspace)
  const files = mayAskAgent(command, trigger) ? inputs.referenceFiles : []
  const references = readReferences(files, context.workspace)
  const request = new AgentRequest({
    session: await open(),
    thread: trigger.subject?.number ?? inputs.issueNumber,
    identity: { ...newIdentity(inputs, context, trigger, text), requestedAt },
    inputs,
    outputs: step.outputs,
  })
  request.text = text
  const deadline = startedAt + inputs.timeoutMs
  return { request, options: { ...gated, command, inputs, trigger, references, deadline } }
}

/** Whether the forge gives this run no secrets (contract 1.3), which it tells where the event does not. */
async function withholdsSecrets(
  trigger: Trigger,
  { actor }: RunContext,
  open: () => Promise<Session>,
): Promise<boolean> {
  if (secretsAreWithheld(trigger, actor)) return true
  const { comment, subject } = trigger
  if (comment?.kind !== 'issue' || subject?.isPullRequest !== true) return false
  try {
    const { forge } = await open()
    return await forge.withholdsSecretsOn(subject.number)
  } catch {
    // The error about the missing input then says what to do.
    return false
  }
}

function newIdentity(
  inputs: Inputs,
  context: RunContext,
  trigger: Trigger,
  text: string,
): Omit<RequestIdentity, 'requestedAt'> {
  const { comment } = trigger
  const { runId, workflow, job, step } = context
  const { matrixIndex, access } = inputs
  const { projectId } = access
  const asked = comment === undefined ? '' : `${comment.kind}:${comment.id}`
  const origin = { runId, workflow, job, matrixIndex, step, projectId, comment: asked }
  return {
    key: requestKey(origin, text),
    origin: originKey(origin),
    run: runName(context),
    requestedBy: requesterOf(trigger),
    command: inputs.command,
    comment: commentRef(comment),
    settings: { preview: inputs.preview, reviewers: inputs.reviewers, labels: inputs.labels },
    coversUntil: 0,
  }
}

async function serve(step: StepReport, { request, options }: Begun): Promise<void> {
  const { session } = request
  const { deps } = step
  const show: ReportOptions['show'] = (shown, url) => step.show(shown, request.messages, url)
  const end = await start(request, options).catch((error: unknown) => endingAfter(deps, error))
  // Where GitHub is away and nothing was sent, nothing is left to ask of it.
  const isOver = end?.reason === 'github-unavailable' && !request.hasSent
  session.enterPhase(isOver ? NO_MORE : whileReporting())
  const finished =
    end === undefined
      ? await finish(request, { ...finishOptions(request, options), show })
      : await reportEnd(request, await withEarlier(request, end), { show })
  await step.addWarning(session.warnings.flush())
  // Otherwise the post step writes what GitHub did not take.
  if (finished?.isUnwritten !== true) deps.core.saveState(STATE_NAME, '')
}

function finishOptions(
  request: AgentRequest,
  { inputs, deadline }: StartOptions,
): Omit<FinishOptions, 'show'> {
  const { deps, client } = request.session
  const waiting = { deadline, pollMs: inputs.pollMs, startedAt: request.startedAt }
  const ifNotEnded = (error?: unknown) => (error === undefined ? ending('started') : endingAfter(deps, error))
  if (inputs.wait) {
    return { patience: waiting, waiting: () => waiting, fixAttempts: inputs.fixAttempts, ifNotEnded }
  }
  const read = async (): Promise<Job | undefined> => {
    const job = jobOf(request.state)
    // The answer to the request is as good as a read.
    if (job === undefined || request.jobAction !== 'resumed') return job
    return await lookAtJob(deps, client, job, deadline)
  }
  return { patience: { read }, ifNotEnded }
}

/** A run that ends before it has a plan takes nothing back of what an earlier attempt sent (contract 5.2, 6.1). */
async function withEarlier(request: AgentRequest, end: Ending): Promise<Ending> {
  const { thread } = request
  if (request.hasSent || !request.isGranted || end.outcome === 'skipped') return end
  if (end.reason === 'github-unavailable') {
    // The thread cannot be written either.
    request.isGranted = false
    return end
  }
  const history = thread.history ?? (await thread.readOrWarn())
  const own = history?.own
  if (own === undefined) return end
  const { record } = own
  request.goOnFrom(record)
  return record.state === 'sending' ? ending('error', 'creation-uncertain', unanswered(record.jobId)) : end
}

/** How an error ends the run. */
function endingAfter({ core, cancellation }: Pick<Deps, 'core' | 'cancellation'>, error: unknown): Ending {
  if (error instanceof Cancelled) return ending('cancelled')
  if (error instanceof ActionError) return ending('error', error.reason, error.message)
  if (error instanceof CreationUncertain) {
    return ending('error', 'creation-uncertain', unsure(error.message, error.jobId))
  }
  if (error instanceof ForgeError && error.kind === 'away') {
    // A cancelled run cuts its requests off.
    if (cancellation.requested.aborted) return ending('cancelled')
    return ending('error', 'github-unavailable', explainAway(error))
  }
  return ending('error', 'internal', explainError(core, error))
}
