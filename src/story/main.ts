import type { Deps } from '../base/deps.ts'
import type { Runner } from '../event/trigger.ts'
import { quotaOf } from '../features/daily-limit/daily-limit.ts'
import { setDenied, setOnNewHead } from '../features/pull-request/pull-request.ts'
import type { WaitOptions } from '../http/retry.ts'
import type { Task } from '../prompt/task.ts'
import { isJobOutcome } from '../record/outcome.ts'
import type { AskResult, RunEnding } from '../record/report.ts'
import { endingAfter } from '../thread/ending-after.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { unreadVerdict } from '../words/commit-verdict.ts'
import { type Beginning, begin } from './begin.ts'
import { conclude } from './conclude.ts'
import { follow } from './follow.ts'
import type { ConcludeOptions } from './result.ts'
import { StepOutputs } from './step-outputs.ts'
import { sweepThread } from './sweep-thread.ts'

/** One run of the root action, from the event to the result in the thread. */
export async function mainStep(given: Deps, readRunner: () => Promise<Runner>): Promise<void> {
  const step = new StepOutputs(given)
  try {
    const begun = await begin(step, readRunner)
    await ('outcome' in begun ? step.showEnding(begun) : runRequest(step, begun))
  } catch (error) {
    await step.showEnding(endingAfter(step.deps, error))
  }
}

/** Asks, follows the job, concludes, and sweeps the thread. */
async function runRequest(step: StepOutputs, { session, run, task, answer }: Beginning): Promise<void> {
  const { deadline, inputs } = task
  const waiting: WaitOptions = { deadline, pollMs: inputs.pollMs, startedAt: step.startedAt }
  const asked = await answer(session, run, task).catch(
    (error: unknown): AskResult => endingAfter(session.deps, error),
  )
  const end = await followAsked(session, run, asked, waiting, inputs.wait)
  await readUnreadThread(session, run)
  const concluded = await conclude(session, run, end, mainConcluder(step, session, run, task, waiting))
  await setUnaskedStatus(session, run, task, end)
  await sweepAtTheEnd(session, run, task, asked)
  await run.lastStatusWrite
  await step.addWarning(session.warnings.flush(concluded?.threadNow))
  // With its state kept, the post step writes what GitHub did not take.
  if (concluded?.isFinished) step.clearPostState()
}

/** Follows the job of a request that the agent has. In a run that waits, the thread is swept meanwhile. */
async function followAsked(
  session: Session,
  run: Run,
  asked: AskResult,
  waiting: WaitOptions,
  waits: boolean,
): Promise<RunEnding> {
  if (asked.outcome !== 'accepted') return asked
  const { outcome: _, ...sent } = asked
  const meanwhile = () => sweepThread(session, run, sent.snapshot)
  return { ...(await follow(session, run, { ...waiting, waits, meanwhile })), ...sent }
}

function mainConcluder(
  step: StepOutputs,
  session: Session,
  run: Run,
  { inputs }: Task,
  waiting: WaitOptions,
): ConcludeOptions {
  const { timeoutMs, minPermission, fixAttempts, checkLogs, dailyLimit } = inputs
  const quota = quotaOf(session, run, dailyLimit)
  return {
    role: 'main step',
    timeoutMs,
    minPermission,
    show: (report, messages, url) => step.show(report, messages, url),
    checks: run.followsChecks ? { waiting, fixAttempts, checkLogs, quota } : undefined,
  }
}

/** A head about which nothing could be asked gets a commit status that says so. */
async function setUnaskedStatus(session: Session, run: Run, task: Task, end: RunEnding): Promise<void> {
  const { inputs, trigger } = task
  if (end.reason === 'github-unavailable')
    await setOnNewHead(session, run, task, unreadVerdict(inputs.command))
  if (end.denied !== undefined && end.denied.login === trigger.sender?.login)
    await setDenied(session, run, task)
}

async function sweepAtTheEnd(session: Session, run: Run, { inputs }: Task, asked: AskResult): Promise<void> {
  const { state } = run
  const { snapshot } = asked
  // A run that waited for its job has swept the thread meanwhile.
  const hasWaited = inputs.wait && asked.outcome === 'accepted'
  if (!hasWaited && !inputs.dryRun) await sweepThread(session, run, snapshot)
  // With the end of its job, the earlier turns of this job have ended, too.
  if (state.state === 'ended' && isJobOutcome(state.ending.outcome))
    await sweepThread(session, run, snapshot, state)
}

/** Reads what the thread says of the request, where this run was cut off before it did. */
async function readUnreadThread(session: Session, run: Run): Promise<void> {
  const thread = run.writableThread(session)
  if (thread === undefined || run.stage !== 'unread') return
  if (!thread.isRead && thread.readError === undefined) await thread.readOrWarn(session)
  if (thread.isRead) run.resumeOrStart()
  // An earlier attempt may have left what GitHub does not show.
  else if (session.runner.runAttempt > 1) run.leaveThreadAlone()
}
