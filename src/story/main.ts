import type { Deps } from '../base/deps.ts'
import type { BadInput } from '../base/errors.ts'
import { type Command, parseCommand } from '../event/command.ts'
import { type Gate, gate, isPullRequestEvent, secretsAreWithheld } from '../event/gate.ts'
import { type MergeGroup, type Runner, readTrigger, type Trigger } from '../event/trigger.ts'
import { countAsk, refusedToday } from '../features/daily-limit/daily-limit.ts'
import { withoutCommitStatus } from '../features/dry-run/dry-run.ts'
import {
  answerBot,
  answerMergeQueue,
  setDenied,
  setOnNewHead,
} from '../features/pull-request/pull-request.ts'
import type { WaitOptions } from '../http/retry.ts'
import { type Inputs, memoryKeyFault, readInputs } from '../inputs/inputs.ts'
import { requireKey } from '../inputs/readers.ts'
import { BUDGETS } from '../prompt/budgets.ts'
import { readReferences } from '../prompt/references.ts'
import { asksNothing, requestText, type Task } from '../prompt/task.ts'
import { type Ending, ending, isJobOutcome, type SkipReason } from '../record/outcome.ts'
import type { AskResult } from '../record/report.ts'
import { endingAfter } from '../thread/ending-after.ts'
import { Run } from '../thread/run.ts'
import { openSession, type Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { NO_MEMORY_KEY, unreadVerdict } from '../words/commit-verdict.ts'
import { CAUSES, notListed } from '../words/notes.ts'
import type { Omission } from '../words/side-tasks.ts'
import { ask, checkPermission } from './ask.ts'
import { conclude } from './conclude.ts'
import { follow } from './follow.ts'
import { distinguishingIn, newIdentity, sourceOf } from './new-identity.ts'
import { StepOutputs } from './step-outputs.ts'
import { sweepThread } from './sweep-thread.ts'

/** One run of the root action, from the event to the result in the thread: begin, ask, follow, look once more, conclude. */
export async function mainStep(given: Deps, readRunner: () => Promise<Runner>): Promise<void> {
  const step = new StepOutputs(given)
  try {
    const begun = await begin(step, readRunner)
    if ('outcome' in begun) return await step.showEnding(begun)
    const { session, run, task, answer } = begun
    const { inputs, deadline } = task
    const { deps } = session
    const waiting: WaitOptions = { deadline, pollMs: inputs.pollMs, startedAt: step.startedAt }
    const cutOff = (error: unknown): AskResult => endingAfter(deps, error)
    const result = await answer(session, run, task).catch(cutOff)
    const { seen } = result
    const sweepOwnThread = () => sweepThread(session, run, seen)
    const end =
      'outcome' in result
        ? result
        : {
            ...(await follow(session, run, { ...waiting, waits: inputs.wait, meanwhile: sweepOwnThread })),
            ...result,
          }
    await readUnreadThread(session, run)
    const { timeoutMs, minPermission, fixAttempts, checkLogs, dailyLimit } = inputs
    const quota = {
      end: () => refusedToday(session, run, dailyLimit),
      count: () => countAsk(session, run),
    }
    const concluded = await conclude(session, run, end, {
      role: 'main step',
      timeoutMs,
      minPermission,
      show: (report, messages, url) => step.show(report, messages, url),
      checks: run.followsChecks ? { waiting, fixAttempts, checkLogs, quota } : undefined,
    })
    if (end.reason === 'github-unavailable')
      await setOnNewHead(session, run, task, unreadVerdict(inputs.command))
    if (end.denied !== undefined && end.denied.login === task.trigger.sender?.login)
      await setDenied(session, run, task)
    const { state } = run
    // A run that followed its job has read the others meanwhile.
    const hasFollowed = inputs.wait && !('outcome' in result)
    if (!hasFollowed && !inputs.dryRun) await sweepOwnThread()
    // The end of its own job is also that of the earlier turns of this job.
    if (state.state === 'ended' && isJobOutcome(state.ending.outcome))
      await sweepThread(session, run, seen, state)
    await run.settingStatus
    await step.addWarning(session.warnings.flush(concluded?.threadNow))
    // Otherwise the post step says what GitHub did not take.
    if (concluded?.isFinished) step.clearPostState()
  } catch (error) {
    await step.showEnding(endingAfter(step.deps, error))
  }
}

interface Beginning {
  readonly session: Session
  readonly run: Run
  readonly task: Task
  readonly answer: typeof ask
}

/** Reads inputs and event. @returns the ending of a run that answers no request */
async function begin(step: StepOutputs, readRunner: () => Promise<Runner>): Promise<Beginning | Ending> {
  const { deps, startedAt } = step
  const requestedAt = deps.now()
  const given = readInputs(deps.core.getInput)
  const inputs = withoutCommitStatus(given)
  step.inputs = inputs
  const runner = await readRunner()
  const trigger = readTrigger(runner)
  if (trigger.mergeGroup !== undefined)
    return await answerMergeGroup(step, runner, trigger.mergeGroup, inputs)
  const [author] = trigger.authors
  const command = parseCommand(trigger.body, inputs.command, { isBot: author?.bot === true })
  const gated = gate(trigger, inputs, command)
  // The gate tells whether a comment is for people alone.
  const isForAgent = trigger.comment === undefined || !('skip' in gated)
  const { apiKey, memoryKey } = inputs.access
  const fault = memoryKeyFault(inputs, trigger)
  const lacksSecret = apiKey === '' || (fault !== undefined && memoryKey === '')
  if (lacksSecret && isForAgent && secretsAreWithheld(trigger, runner.actor))
    return ending('skipped', 'missing-secret', trigger.inFork ? CAUSES.fork : '')
  // An unlisted bot's event of a pull request asks nothing, but keeps the commit status of known changes.
  const isOfBot = 'skip' in gated && gated.skip === 'bot' && isPullRequestEvent(trigger)
  const isServed = isOfBot && apiKey !== '' && fault === undefined
  if ('skip' in gated && !isServed) return endingOfGate(gated)
  requireKey(inputs.access)
  const { omissions, ...instruction } =
    'skip' in gated ? NO_INSTRUCTION : readInstruction(gated, inputs, runner, trigger)
  const deadline = startedAt + inputs.timeoutMs
  const source = sourceOf(inputs, runner, trigger)
  const distinguishing = distinguishingIn(given, instruction.text, instruction.references)
  const task = { ...instruction, inputs, trigger, deadline, source, distinguishing }
  const number = trigger.subject?.number ?? inputs.issueNumber
  const thread = number === undefined ? undefined : new Thread(number)
  const followsChecks = inputs.wait && inputs.fixAttempts > 0
  const identity = newIdentity(task, runner, requestedAt)
  const run = new Run(identity, { thread, view: step, deadline, followsChecks })
  const session = await openSession({ deps, runner, inputs, deadline })
  session.warnings.omit(...omissions)
  if (fault !== undefined && !inputs.dryRun) return { session, run, task, answer: refuseAll(fault) }
  return { session, run, task, answer: isOfBot ? answerBot : ask }
}

/** Without `memory-key`, a request could be neither found again nor told from what others write: nothing is asked. */
const refuseAll =
  (fault: BadInput): typeof ask =>
  async (session, run, task) => {
    const denied = await checkPermission(session, run.thread, task)
    if (denied !== undefined) return denied
    run.permit()
    await setOnNewHead(session, run, task, NO_MEMORY_KEY)
    return endingAfter(session.deps, fault)
  }

/** It needs neither key, prompt nor permission. */
async function answerMergeGroup(
  step: StepOutputs,
  runner: Runner,
  group: MergeGroup,
  inputs: Inputs,
): Promise<Ending> {
  const { deps, startedAt } = step
  const session = await openSession({ deps, runner, inputs, deadline: startedAt + inputs.timeoutMs })
  return await answerMergeQueue(session, group, inputs).finally(() => session.warnings.flush())
}

/** A run that the gate lets in no further. */
function endingOfGate({ skip, login = '' }: { readonly skip: SkipReason; readonly login?: string }): Ending {
  if (skip === 'help') return ending('skipped', skip, CAUSES.noThreadHere)
  return ending('skipped', skip, login === '' ? '' : notListed(login))
}

interface Instruction extends Pick<Task, 'command' | 'text' | 'references' | 'usedCommand'> {
  readonly omissions: readonly Omission[]
}

const NO_INSTRUCTION: Instruction = {
  command: { kind: 'input' },
  text: '',
  references: [],
  omissions: [],
  usedCommand: false,
}

/** What the event, or the inputs, ask the agent. */
function readInstruction(
  { command: given, usedCommand }: Exclude<Gate, { readonly skip: SkipReason }>,
  inputs: Inputs,
  { workspace }: Runner,
  trigger: Trigger,
) {
  const command: Command = given === 'input' ? { kind: 'input' } : given
  const text = requestText(command, inputs, workspace)
  const files = asksNothing(command, trigger) ? [] : inputs.referenceFiles
  const { sections: references, cut } = readReferences(files, workspace)
  const omissions = cut.map((path) => ({ kind: 'file', path, most: BUDGETS.references }) as const)
  return { command, text, references, omissions, usedCommand }
}

/** Reads what the thread says of the request, where this run was cut off before it did. */
async function readUnreadThread(session: Session, run: Run): Promise<void> {
  const thread = run.writableThread(session)
  if (thread === undefined || run.stage !== 'begun') return
  if (!thread.isRead && thread.refusal === undefined) await thread.readOrWarn(session)
  if (thread.isRead) run.resumeFromThread()
  // An earlier attempt may have left what GitHub does not show.
  else if (session.runner.runAttempt > 1) run.leaveThreadAlone()
}
