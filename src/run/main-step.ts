import type { Deps } from '../deps.ts'
import { followBot } from '../docs-with-code/bot.ts'
import { type Command, parseCommand } from '../event/command.ts'
import { type Gate, gate, isPullRequestEvent, requesterOf, secretsAreWithheld } from '../event/gate.ts'
import { type RunContext, readTrigger, runName, type Trigger } from '../event/trigger.ts'
import { type Inputs, readInputs } from '../inputs/inputs.ts'
import { requireKey } from '../inputs/readers.ts'
import type { LeftOut } from '../messages/left-out.ts'
import { CAUSES, notListed } from '../messages/notes.ts'
import { REFERENCE_BUDGET, readReferences } from '../prompt/prompt.ts'
import { requestText } from '../prompt/request-text.ts'
import { type Ending, ending, type SkipReason } from '../request/outcome.ts'
import type { RequestIdentity } from '../request/record.ts'
import { originKey, requestKey } from '../request/request-key.ts'
import { answer } from '../thread/answer.ts'
import { commentRef } from '../thread/reactions.ts'
import { Request } from '../thread/request.ts'
import { openSession, type Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import type { Asked } from './asked.ts'
import { asMainStep } from './callers.ts'
import { endingAfter } from './endings.ts'
import { settle } from './settle.ts'
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
  /** An unlisted bot's event of a pull request: it asks the agent nothing (contract 3.4). */
  readonly isBots: boolean
}

/** Reads inputs and event. @returns the ending of a run that serves no request */
async function begin(step: Step, readContext: () => Promise<RunContext>): Promise<Begun | Ending> {
  const { deps, startedAt } = step
  const requestedAt = deps.now()
  const inputs = readInputs(deps.core.getInput)
  step.inputs = inputs
  const context = await readContext()
  const trigger = readTrigger(context)
  const { body = '', author } = trigger.comment ?? {}
  const gated = gate(trigger, inputs, parseCommand(body, inputs.command, author?.bot))
  // The gate tells whether a comment is for people alone.
  const isForAgent = trigger.comment === undefined || !('skip' in gated)
  if (inputs.access.apiKey === '' && isForAgent && secretsAreWithheld(trigger, context.actor))
    return ending('skipped', 'missing-secret', trigger.inFork ? CAUSES.fork : '')
  const isBots = 'skip' in gated && gated.skip === 'bot' && isPullRequestEvent(trigger)
  if ('skip' in gated && (!isBots || inputs.access.apiKey === '')) return endingOfGate(gated)
  requireKey(inputs.access)
  const { text, leftOut, ...asks } = 'skip' in gated ? NOTHING : readAsks(gated, inputs, context, trigger)
  const { timeoutMs, minPermission } = inputs
  const deadline = startedAt + timeoutMs
  const identity = { ...newIdentity(inputs, context, trigger, text), requestedAt }
  const request = new Request(identity, { text, timeoutMs, deadline, minPermission }, step)
  const thread = trigger.subject?.number ?? inputs.issueNumber
  if (thread !== undefined) request.answerIn(new Thread(thread))
  const session = await openSession({ deps, context, inputs, deadline })
  if (asks.command.kind !== 'input') session.warnings.leaveOut(...asks.command.leftOut)
  session.warnings.leaveOut(...leftOut)
  return { session, request, asked: { ...asks, inputs, trigger, deadline }, isBots }
}

/** A run that the gate lets in no further. */
const endingOfGate = ({ skip, login = '' }: { readonly skip: SkipReason; readonly login?: string }): Ending =>
  ending('skipped', skip, login === '' ? '' : notListed(login))

interface Asks extends Pick<Asked, 'command' | 'references' | 'tellsOfDenial'> {
  readonly text: string
  readonly leftOut: readonly LeftOut[]
}

/** What a bot asks by its event. */
const NOTHING: Asks = {
  ...{ command: { kind: 'input' }, text: '', references: '', leftOut: [], tellsOfDenial: false },
}

/** What the event, or the inputs, ask the agent. */
function readAsks(
  gated: Exclude<Gate<Command>, { readonly skip: SkipReason }>,
  inputs: Inputs,
  { workspace }: RunContext,
  trigger: Trigger,
): Asks {
  const { tellsOfDenial } = gated
  const command: Command = gated.command === 'input' ? { kind: 'input' } : gated.command
  const text = requestText(command, inputs, workspace)
  const files = mayAskAgent(command, trigger) ? inputs.referenceFiles : []
  const { text: references, cut } = readReferences(files, workspace)
  const leftOut = cut.map((path) => ({ kind: 'file', path, most: REFERENCE_BUDGET }) as const)
  return { command, text, references, leftOut, tellsOfDenial }
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
    textDigest: '',
    origin: originKey(origin),
    run: runName(context),
    round: 0,
    requestedBy: requesterOf(trigger),
    command: inputs.command,
    comment: commentRef(comment),
    settings: {
      preview: inputs.preview,
      reviewers: [...inputs.reviewers],
      labels: [...inputs.labels],
      followsChecks: inputs.wait && inputs.fixAttempts > 0,
    },
    commitStatus: { name: '', sha: '' },
    head: {
      sha: isPullRequestEvent(trigger) ? (trigger.subject?.headSha ?? '') : '',
      digest: '',
      step: isPullRequestEvent(trigger) ? originKey({ ...origin, runId: 0 }) : '',
    },
    saysCodeEnd: false,
    coversUntil: 0,
    merged: [],
    authors: [],
    tracking: false,
  }
}

async function serve(step: Step, { session, request, asked, isBots }: Begun): Promise<void> {
  const { inputs, deadline } = asked
  const started = isBots
    ? await followBot(session, request, asked).catch((error: unknown) =>
        answer(endingAfter(session.deps, error)),
      )
    : await start(session, request, asked)
  const settled = await settle(
    session,
    request,
    asMainStep(inputs, deadline, (report, messages, url) => step.show(report, messages, url)),
    started,
  )
  await step.addWarning(session.warnings.flush(settled?.threadNow))
  // Otherwise the post step writes what GitHub did not take.
  if (settled?.isFinished !== false) step.keepNothing()
}
