import { orCancelled, throwIfCancelled } from '../cancellation.ts'
import type { Deps } from '../deps.ts'
import { ActionError, Cancelled, CreationUncertain, unexpectedError } from '../errors.ts'
import { openForge } from '../github/open-forge.ts'
import { maskSecrets, requireKey } from '../input-readers.ts'
import { type Inputs, readInputs } from '../inputs.ts'
import { logHeader } from '../messages/run.ts'
import { type Ending, ending, type RequestEvent, transition } from '../request/lifecycle.ts'
import { threadJob } from '../request/plan.ts'
import { fullName, type RunContext } from '../run-context.ts'
import { plainText } from '../text.ts'
import { type Command, requestText } from '../trigger/command.ts'
import { readTrigger, type Trigger } from '../trigger/event.ts'
import { checkAccess, gate, secretsAreWithheld } from '../trigger/gate.ts'
import { readMaterial, readReferences } from '../trigger/material.ts'
import { isAgentPullRequest } from './agent-pull-request.ts'
import { listChanges } from './changes.ts'
import { execute, reconcile } from './execute.ts'
import { type Located, locateThread, NOT_LOCATED, readThread } from './locate-thread.ts'
import { outputWriter } from './outputs.ts'
import { type ReportContext, reportRun } from './report.ts'
import { RequestRun, type Start } from './request-run.ts'

/** One run of the root action, from the event to the result in the thread. */
export async function mainStep(deps: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  const start: Start = { at: deps.now(), monotonic: deps.monotonic() }
  const secrets = maskSecrets(deps.core)
  const report: ReportContext = { start, secrets, outputs: outputWriter(deps.core, secrets) }
  try {
    report.early = await begin(deps, readContext, report)
  } catch (error) {
    const event = eventOf(deps, error, report.run)
    if (report.run === undefined) report.early = transition({ state: 'received' }, event).ending
    else await endWith(report.run, event)
  }
  await reportRun(deps, report)
}

/** @returns the ending of a run that serves no request */
async function begin(
  deps: Deps,
  readContext: () => Promise<RunContext>,
  report: ReportContext,
): Promise<Ending | undefined> {
  const inputs = readInputs(deps.core.getInput)
  report.inputs = inputs
  const context = await readContext()
  const trigger = readTrigger(context)
  const gated = gate(trigger, inputs)
  if ('skip' in gated) return ending('skipped', gated.skip)
  const { command } = gated
  if (inputs.access.apiKey === '' && (await withholdsSecrets(deps, inputs, context, trigger))) {
    return ending('skipped', 'missing-secret')
  }
  requireKey(inputs.access)
  const request = requestText(command, inputs, context.workspace)
  const references = asksAgent(command) ? readReferences(inputs.referenceFiles, context.workspace) : ''
  const { start, secrets, outputs } = report
  const run = await RequestRun.open(deps, { inputs, trigger, context, request, start, secrets, outputs })
  report.run = run
  await serve(run, command, references)
  return undefined
}

const asksAgent = (command: Command | 'input'): boolean => command === 'input' || command.kind === 'prompt'

async function serve(run: RequestRun, command: Command | 'input', references: string): Promise<void> {
  const { deps, setup } = run
  const { core, cancellation } = deps
  const { inputs, trigger, context } = setup
  const isPrompt = asksAgent(command)
  const changesSince = isPrompt ? inputs.changesSince : undefined
  // Requests that do not depend on each other go out together (contract 5.8).
  const deciding = checkAccess(run.forge, trigger, inputs.minPermission).then((access) => {
    run.granted = access.granted
    // From here on a kill is the post step's to report.
    if (access.granted) run.saveState()
    return access
  })
  run.access = deciding
  const listing = changesSince && listChanges(run, changesSince)
  listing?.catch(() => undefined)
  const found = isPrompt ? await orCancelled(cancellation, locateThread(run, deciding)) : NOT_LOCATED

  const hasThread = run.threadNumber !== undefined
  const repository = fullName(context.repository)
  const where = hasThread ? `${repository}#${run.threadNumber}` : repository
  core.info(logHeader(trigger, run.identity.requestedBy, where))
  if (!hasThread && inputs.conversation === 'skip') core.warning(NOTHING_TO_SKIP_BY)
  if (!hasThread && changesSince === 'last-run' && !found.isLost) core.warning(NO_LAST_RUN)

  const read = (pushed: Located['pushed']) => readMaterial(run, command, pushed, references)
  const reading = readThread(run, found)
  const shown = isPrompt ? read(found.pushed) : undefined
  const round = Promise.all([deciding, reading, shown, isAgentPullRequest(run, reading)])
  const [access, located, material, isAgents] = await orCancelled(cancellation, round)
  if (!access.granted) {
    run.denied = access
    if (access.unread !== undefined) core.warning(plainText(access.unread))
    return await run.skip('permission-denied')
  }
  run.saveState()
  if (isPrompt) void run.thread.reactions.acknowledge()
  // The command counts as readers see it, without what is hidden in the comment.
  const seen = material?.command ?? command
  if (located.isAgents || isAgents) await run.skip('agent-pull-request')
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
function eventOf({ core }: Deps, error: unknown, run: RequestRun | undefined): RequestEvent {
  if (error instanceof Cancelled) return { type: 'cancelled' }
  const sending = run?.state.state === 'sending'
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
  await run.access
  if (!run.reconciled) {
    if (run.granted && run.thread.history === undefined) await run.thread.read()
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
  const left = run.deadline - deps.monotonic()
  if (left <= 0) return await run.apply({ type: 'deadline', message: '' })
  const [result] = await Promise.all([
    client.read(known.id, left, deps.cancellation.requested),
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
  { githubToken: token }: Inputs,
  context: RunContext,
  trigger: Trigger,
): Promise<boolean> {
  if (secretsAreWithheld(trigger, context.actor)) return true
  const { comment, subject } = trigger
  if (comment?.kind !== 'issue' || subject?.isPullRequest !== true) return false
  try {
    const forge = await openForge(deps, context, token)
    return await forge.withholdsSecretsOn(subject.number)
  } catch {
    // The error about the missing input then says what to do.
    return false
  }
}
