import { orCancelled, throwIfCancelled } from '../cancellation.ts'
import type { Deps } from '../deps.ts'
import { ActionError, Cancelled, CreationUncertain, unexpectedError } from '../errors.ts'
import { checkAccess, gate, secretsAreWithheld } from '../event/gate.ts'
import { fullName, type RunContext } from '../event/run-context.ts'
import { readTrigger, type Trigger } from '../event/trigger.ts'
import { openForge } from '../github/open-forge.ts'
import type { Patience } from '../github/requests.ts'
import { beforeAsking, whileReporting } from '../http/retry-rules.ts'
import { requireKey } from '../input-readers.ts'
import { type Inputs, readInputs } from '../inputs.ts'
import { explainGitHub } from '../messages/errors.ts'
import { logHeader } from '../messages/summary.ts'
import { type Command, parseCommand, requestText } from '../prompt/command.ts'
import { readMaterial, readReferences } from '../prompt/material.ts'
import {
  type Ending,
  ending,
  type RequestEvent,
  type RequestState,
  transition,
} from '../request/lifecycle.ts'
import { threadJob } from '../request/plan.ts'
import { plainText } from '../text.ts'
import { isAgentPullRequest } from './agent-pull-request.ts'
import { listChanges } from './changes.ts'
import { execute, reconcile } from './execute.ts'
import { type Located, locateThread, NOT_LOCATED, readThread } from './locate-thread.ts'
import { reportEnding, reportRun } from './report.ts'
import { beginStep, RequestRun, type StepSetup } from './request-run.ts'

/** One run of the root action, from the event to the result in the thread. */
export async function mainStep(deps: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  const step = beginStep(deps, { at: deps.now(), monotonic: deps.monotonic() })
  const begun = await begin(step, readContext).catch(
    (error: unknown) => transition(RECEIVED, eventOf(deps, error, RECEIVED)).ending,
  )
  if (begun === undefined || 'outcome' in begun) return await reportEnding(step, begun)
  const { run } = begun
  await serve(begun).catch((error: unknown) => endWith(run, eventOf(deps, error, run.state)))
  begun.patience.limits = whileReporting()
  await reportRun(run)
}

const RECEIVED: RequestState = { state: 'received' }

/** A request to serve. */
interface Begun {
  readonly run: RequestRun
  readonly patience: Patience
  readonly command: Command | 'input'
  /** The text of the reference files; '' for none. */
  readonly references: string
}

/** @returns the ending of a run that serves no request */
async function begin(step: StepSetup, readContext: () => Promise<RunContext>): Promise<Begun | Ending> {
  const { deps } = step
  const inputs = readInputs(deps.core.getInput)
  step.inputs = inputs
  const context = await readContext()
  const trigger = readTrigger(context)
  const gated = gate(trigger, inputs, parseCommand(trigger.comment?.body ?? '', inputs.command))
  if ('skip' in gated) return ending('skipped', gated.skip)
  const { command, tellsOfDenial } = gated
  if (inputs.access.apiKey === '' && (await withholdsSecrets(deps, inputs, context, trigger))) {
    return ending('skipped', 'missing-secret')
  }
  requireKey(inputs.access)
  const request = requestText(command, inputs, context.workspace)
  const references = mayAskAgent(command, trigger)
    ? readReferences(inputs.referenceFiles, context.workspace)
    : ''
  const patience = { limits: beforeAsking(inputs.timeoutMs) }
  const forge = await openForge(deps, context, inputs.githubToken, patience)
  const run = new RequestRun({ ...step, inputs, trigger, context, request }, forge)
  run.tellsOfDenial = tellsOfDenial
  return { run, command, references, patience }
}

/** The command alone asks the agent where a review has line comments, which are not read yet. */
function mayAskAgent(command: Command | 'input', { comment }: Trigger): boolean {
  if (command === 'input' || command.kind === 'prompt') return true
  return command.kind === 'help' && command.fresh !== undefined && comment?.kind === 'submitted-review'
}

async function serve({ run, command, references }: Begun): Promise<void> {
  const { deps, setup } = run
  const { core, cancellation } = deps
  const { inputs, trigger, context } = setup
  const isPrompt = mayAskAgent(command, trigger)
  const changesSince = isPrompt ? inputs.changesSince : undefined
  // Requests that do not depend on each other go out together (contract 5.8).
  const deciding = checkAccess(run.forge, trigger, inputs.minPermission).then((access) => {
    run.mayWrite = access.granted
    // From here on a kill is the post step's to report.
    if (access.granted) run.saveState()
    return access
  })
  run.access = deciding
  const listing = changesSince && listChanges(run, changesSince)
  listing?.catch(() => undefined)
  const found = isPrompt ? await orCancelled(cancellation, locateThread(run, deciding)) : NOT_LOCATED

  const { identity, number } = run.thread
  const hasThread = number !== undefined
  const where = `${fullName(context.repository)}${hasThread ? `#${number}` : ''}`
  core.info(logHeader(trigger, identity.requestedBy, where))
  if (!hasThread && inputs.conversation === 'skip') core.warning(NOTHING_TO_SKIP_BY)
  if (!hasThread && changesSince === 'last-run' && !found.isLost) core.warning(NO_LAST_RUN)

  const read = (pushed: Located['pushed']) => readMaterial(run, command, pushed, references)
  const reading = readThread(run, found)
  const shown = isPrompt ? read(found.pushed) : undefined
  const round = Promise.all([deciding, reading, shown, isAgentPullRequest(run, reading)])
  const [access, located, material, isAgents] = await orCancelled(cancellation, round)
  if (!access.granted) {
    run.denied = access
    if (access.unreadable !== undefined) {
      const doing = `read the permission of ${access.login}, so it counts as none`
      core.warning(plainText(explainGitHub(access.unreadable, doing, '')))
    }
    return await run.skip('permission-denied')
  }
  run.saveState()
  if (isPrompt) void run.thread.reactions.acknowledge()
  // The command counts as readers see it, without what is hidden in the comment.
  const seen = material?.command ?? command
  if (isAgents) await run.skip('agent-pull-request')
  else if (located.skip !== undefined) await run.skip(located.skip.skip, located.skip.message)
  else if (seen !== 'input' && seen.kind === 'help') await run.skip('help')
  else if (seen !== 'input' && seen.kind === 'status') await answerStatus(run)
  else if (material !== undefined) {
    const settled = located.pushed === found.pushed ? material : await read(located.pushed)
    await execute(run, settled, { fresh: seen !== 'input' && seen.fresh, listing })
  }
}

const NOTHING_TO_SKIP_BY =
  'Input conversation is skip, but this run has no thread that remembers a job, so every run starts a new one. Set issue-number or issue-title.'

const NO_LAST_RUN =
  'Input changes-since is last-run, but this run has no thread that remembers the last one, so it goes back seven days. Set issue-title.'

/** An error as the event that it is for the request. */
function eventOf({ core }: Deps, error: unknown, { state }: RequestState): RequestEvent {
  if (error instanceof Cancelled) return { type: 'cancelled' }
  const sending = state === 'sending'
  if (error instanceof CreationUncertain && sending) return { type: 'noAnswer', message: error.message }
  if (error instanceof ActionError) return { type: 'failed', reason: error.reason, message: error.message }
  const message = unexpectedError(core, error)
  // Whatever went wrong went wrong while the request may have been under way.
  if (sending) return { type: 'noAnswer', message: new CreationUncertain(message.replace(/\.$/, '')).message }
  return { type: 'failed', reason: 'internal', message }
}

/** A run that ends before it has a plan takes nothing back of what earlier attempts sent (5.2, 6.1). */
async function endWith(run: RequestRun, event: RequestEvent): Promise<void> {
  if (run.ending !== undefined) return
  await run.access.catch(() => undefined)
  if (!run.reconciled) {
    if (run.mayWrite && run.thread.history === undefined) await run.thread.read()
    await reconcile(run)
    if (run.ending !== undefined) return
  }
  await run.apply(event)
}

/** `/docs status`: reads the thread's job once (contract 3.2). */
async function answerStatus(run: RequestRun): Promise<void> {
  const { deps, client, thread, setup } = run
  if (thread.history === undefined) return await run.skip('status', UNREAD)
  const known = threadJob(thread.history)
  if (known === undefined || setup.inputs.dryRun) {
    run.shownJob = known
    return await run.skip('status')
  }
  const { leftMs } = run
  if (leftMs <= 0) return await run.apply({ type: 'deadline', message: '' })
  const [result] = await Promise.all([
    client.read(known.id, leftMs, deps.cancellation.requested),
    thread.reactions.acknowledge(),
  ])
  throwIfCancelled(deps.cancellation)
  if ('job' in result) {
    run.shownJob = result.job
    return await run.skip('status')
  }
  if (result.reason === 'job-not-found') return await run.skip('status', GONE)
  throw result
}

const UNREAD = 'I can’t read this thread, so I don’t know its job'
const GONE = 'The job of this thread no longer exists'

/** Whether the forge gives this run no secrets (contract 1.3), which it tells where the event does not. */
async function withholdsSecrets(
  deps: Deps,
  inputs: Inputs,
  context: RunContext,
  trigger: Trigger,
): Promise<boolean> {
  if (secretsAreWithheld(trigger, context.actor)) return true
  const { comment, subject } = trigger
  if (comment?.kind !== 'issue' || subject?.isPullRequest !== true) return false
  try {
    const patience = { limits: beforeAsking(inputs.timeoutMs) }
    const forge = await openForge(deps, context, inputs.githubToken, patience)
    return await forge.withholdsSecretsOn(subject.number)
  } catch {
    // The error about the missing input then says what to do.
    return false
  }
}
