import type { Deps } from '../deps.ts'
import { ActionError, Cancelled, CreationUncertain, ForgeError } from '../errors.ts'
import { gate, isPullRequestEvent, requesterOf, secretsAreWithheld } from '../event/gate.ts'
import { type RunContext, readTrigger, runName, type Trigger } from '../event/trigger.ts'
import { beforeAsking, NO_MORE, whileReporting } from '../http/failure.ts'
import { type Inputs, readInputs } from '../inputs/inputs.ts'
import { requireKey } from '../inputs/readers.ts'
import { explainAway, explainError } from '../messages/explain.ts'
import { unsure } from '../messages/notes.ts'
import { type Command, parseCommand, requestText } from '../prompt/command.ts'
import { readReferences } from '../prompt/prompt.ts'
import { type Ending, ending } from '../request/outcome.ts'
import type { RequestIdentity } from '../request/record.ts'
import { originKey, requestKey } from '../request/request-key.ts'
import { jobOf } from '../request/states.ts'
import { commentRef } from '../thread/reactions.ts'
import { during, openSession, type Session } from '../thread/session.ts'
import { type FinishOptions, finish, report } from './finish.ts'
import { type Asked, endingOfRecord, Request } from './request.ts'
import type { Show } from './result.ts'
import { mayAskAgent, start } from './start.ts'
import { Step } from './step.ts'

/** One run of the root action, from the event to the result in the thread. */
export async function mainStep(given: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  const step = new Step(given)
  try {
    const begun = await begin(step, readContext)
    if ('outcome' in begun) await step.showEnding(begun)
    else await serve(step, begun)
  } catch (error) {
    await step.showEnding(endingAfter(step.deps, error))
  }
}

interface Begun {
  /** Of the phase before the agent is asked. */
  readonly session: Session
  readonly request: Request
  readonly asked: Asked
}

/** Reads inputs and event. @returns the ending of a run that serves no request */
async function begin(step: Step, readContext: () => Promise<RunContext>): Promise<Begun | Ending> {
  const { deps, startedAt } = step
  const requestedAt = deps.now()
  const inputs = readInputs(deps.core.getInput)
  step.inputs = inputs
  const context = await readContext()
  const trigger = readTrigger(context)
  const open = () => openSession({ deps, context, inputs, limits: beforeAsking(inputs.timeoutMs) })
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
  const { timeoutMs, minPermission } = inputs
  const identity = { ...newIdentity(inputs, context, trigger, text), requestedAt }
  const request = new Request(identity, { text, timeoutMs, minPermission }, step)
  const thread = trigger.subject?.number ?? inputs.issueNumber
  if (thread !== undefined) request.useThread(thread)
  const asked = { ...gated, command, inputs, trigger, references, deadline: startedAt + timeoutMs }
  return { session: await open(), request, asked }
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
  const askedBy = comment === undefined ? '' : `${comment.kind}:${comment.id}`
  const origin = { runId, workflow, job, matrixIndex, step, projectId, comment: askedBy }
  return {
    key: requestKey(origin, text),
    origin: originKey(origin),
    run: runName(context),
    requestedBy: requesterOf(trigger),
    command: inputs.command,
    comment: commentRef(comment),
    settings: { preview: inputs.preview, reviewers: [...inputs.reviewers], labels: [...inputs.labels] },
    commitStatus: { name: '', sha: '' },
    head: {
      sha: '',
      digest: '',
      step: isPullRequestEvent(trigger) ? originKey({ ...origin, runId: 0 }) : '',
    },
    coversUntil: 0,
    merged: [],
    authors: [],
    tracking: false,
  }
}

async function serve(step: Step, { session, request, asked }: Begun): Promise<void> {
  const { deps } = session
  const show: Show = (shown, messages, url) => step.show(shown, messages, url)
  const end = await start(session, request, asked).catch((error: unknown) => endingAfter(deps, error))
  // Where GitHub is away and nothing was sent, nothing is left to ask of it.
  const isOver = end?.reason === 'github-unavailable' && !request.hasSent
  const reporting = during(session, isOver ? NO_MORE : whileReporting())
  const result =
    end === undefined
      ? await finish(reporting, request, { ...finishOptions(session, request, asked), show })
      : await report(reporting, request, await withEarlier(reporting, request, end), { show })
  await step.addWarning(session.warnings.flush(result?.threadNow))
  // Otherwise the post step writes what GitHub did not take.
  if (result?.isFinished !== false) step.keepNothing()
}

function finishOptions(
  { deps, client }: Session,
  request: Request,
  { inputs, deadline }: Asked,
): Omit<FinishOptions, 'show'> {
  const waiting = { deadline, pollMs: inputs.pollMs, startedAt: deadline - inputs.timeoutMs }
  const ifNotEnded = (error?: unknown) => (error === undefined ? ending('started') : endingAfter(deps, error))
  if (inputs.wait) {
    return {
      job: { follow: waiting },
      pullRequestWait: () => waiting,
      fixAttempts: inputs.fixAttempts,
      ifNotEnded,
    }
  }
  const look = async () => {
    const job = jobOf(request.state)
    // The answer to the request is as good as a read.
    if (job === undefined || request.jobAction !== 'resumed') return job
    return await client.readOnce(job, { deadline, isKnown: true })
  }
  return { job: { look }, ifNotEnded }
}

/** A run that ends before it has a plan takes nothing back of what an earlier attempt sent (contract 5.2, 6.1). */
async function withEarlier(session: Session, request: Request, end: Ending): Promise<Ending> {
  const { thread } = request
  if (request.hasSent || !request.isGranted || end.outcome === 'skipped') return end
  if (end.reason === 'github-unavailable') {
    // The thread cannot be written either.
    request.isGranted = false
    return end
  }
  const wasRead = request.history !== undefined
  if (!wasRead) await thread?.readOrWarn(session)
  const own = request.history?.own
  if (!wasRead && own !== undefined) request.goOnFrom(own.record, own.body)
  return request.state.state === 'sending' ? (endingOfRecord(request) ?? end) : end
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
