import type { BadInput } from '../base/errors.ts'
import { parseCommand } from '../event/command.ts'
import { type Gate, gate, isPullRequestEvent, requesterOf, secretsAreWithheld } from '../event/gate.ts'
import { type MergeGroup, type Runner, readTrigger, runName, type Trigger } from '../event/trigger.ts'
import { answerBot, answerMergeQueue, setOnNewHead } from '../features/pull-request/pull-request.ts'
import { type Inputs, memoryKeyFault, readInputs } from '../inputs/inputs.ts'
import { textOfPaths } from '../inputs/paths.ts'
import { requireKey } from '../inputs/readers.ts'
import { BUDGETS } from '../prompt/budgets.ts'
import type { Section } from '../prompt/parts.ts'
import { readReferences } from '../prompt/references.ts'
import { asksNothing, requestText, type Task } from '../prompt/task.ts'
import { type Ending, ending, type SkipReason } from '../record/outcome.ts'
import { NO_IDENTITY, type RequestIdentity } from '../record/record.ts'
import {
  digestOfAttempts,
  digestOfRequest,
  digestOfWorkflowStep,
  type RequestSource,
} from '../record/request-identity.ts'
import { commentRef } from '../thread/asking-comment.ts'
import { endingAfter } from '../thread/ending-after.ts'
import { Run } from '../thread/run.ts'
import { openSession, type Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { NO_MEMORY_KEY } from '../words/commit-verdict.ts'
import { CAUSES, notListed } from '../words/notes.ts'
import type { Omission } from '../words/side-tasks.ts'
import { ask, checkPermission } from './ask.ts'
import type { StepOutputs } from './step-outputs.ts'

/** A request that is to be answered. */
export interface Beginning {
  readonly session: Session
  readonly run: Run
  readonly task: Task
  readonly answer: typeof ask
}

/** Reads inputs and event. @returns the ending of a run that answers no request */
export async function begin(
  step: StepOutputs,
  readRunner: () => Promise<Runner>,
): Promise<Beginning | Ending> {
  const { deps, startedAt } = step
  const requestedAt = deps.now()
  const given = readInputs(deps.core.getInput)
  // A dry run sets no status. What tells two requests apart stays as the workflow gives it.
  const inputs = given.dryRun ? { ...given, commitStatus: '' } : given
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
    run.markPermitted()
    await setOnNewHead(session, run, task, NO_MEMORY_KEY)
    return endingAfter(session.deps, fault)
  }

/** The event of a merge queue needs neither key, prompt nor permission. */
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

/** How a run ends that the gate lets in no further. */
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
  { command, usedCommand }: Exclude<Gate, { readonly skip: SkipReason }>,
  inputs: Inputs,
  { workspace }: Runner,
  trigger: Trigger,
) {
  const text = requestText(command, inputs, workspace)
  const files = asksNothing(command, trigger) ? [] : inputs.referenceFiles
  const { sections: references, cut } = readReferences(files, workspace)
  const omissions = cut.map((path) => ({ kind: 'file', path, most: BUDGETS.references }) as const)
  return { command, text, references, omissions, usedCommand }
}

function sourceOf(
  { access, matrixIndex }: Inputs,
  { runId, workflow, workflowJob, stepId }: Runner,
  { comment }: Trigger,
): RequestSource {
  const asked = comment === undefined ? '' : `${comment.kind}:${comment.id}`
  return { runId, workflow, workflowJob, matrixIndex, stepId, projectId: access.projectId, comment: asked }
}

/** Two calls of one reusable workflow, or two jobs of a matrix, can differ by nothing else. */
export const distinguishingIn = (
  inputs: Inputs,
  text: string,
  references: readonly Section[],
): readonly unknown[] => [
  text,
  references,
  inputs.guidelines,
  inputs.context,
  inputs.jobId,
  inputs.conversation,
  inputs.issueNumber,
  inputs.issueTitle,
  inputs.changesSince,
  inputs.mergedLabels,
  inputs.reviewers,
  inputs.labels,
  inputs.commitStatus,
]

/** The identity of a request that no attempt asked before. @param requestedAt in ms since the epoch */
function newIdentity(
  { inputs, trigger, source, distinguishing }: Pick<Task, 'inputs' | 'trigger' | 'source' | 'distinguishing'>,
  runner: Runner,
  requestedAt: number,
): RequestIdentity {
  const { fixAttempts, dailyLimit, minPermission, checkLogs, prompt, promptFile, referenceFiles } = inputs
  const isOfChanges = isPullRequestEvent(trigger)
  const paths = textOfPaths(inputs.paths)
  const requestedBy = requesterOf(trigger)
  return {
    ...NO_IDENTITY,
    // Two calls that differ only in `paths` are two requests.
    requestDigest: digestOfRequest(source, [...distinguishing, paths]),
    attemptsDigest: digestOfAttempts(source),
    attempt: runName(runner),
    requestedAt,
    requestedBy,
    command: inputs.command,
    comment: commentRef(trigger.comment),
    settings: {
      reviewers: [...inputs.reviewers],
      labels: [...inputs.labels],
      fixAttempts,
      dailyLimit: dailyLimit ?? 0,
      // Failures of what an event brought, or a bot asked, go back without a look at a person's permission.
      ...(trigger.comment !== undefined && requestedBy !== '' && { minPermission }),
      checkLogs,
    },
    head: {
      sha: isOfChanges ? (trigger.subject?.headSha ?? '') : '',
      digest: '',
      workflowStep: isOfChanges
        ? digestOfWorkflowStep(source, [
            prompt,
            promptFile,
            referenceFiles,
            ...distinguishingIn(inputs, '', []),
            paths,
          ])
        : '',
    },
    paths: inputs.commitStatus === '' ? '' : paths,
  }
}
