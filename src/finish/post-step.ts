import type { Deps } from '../deps.ts'
import type { RunContext } from '../event/run-context.ts'
import { whileReporting, whileStopping } from '../http/retry-rules.ts'
import { readInputs } from '../inputs.ts'
import { foldedPromptOf } from '../messages/comments.ts'
import { WARNINGS } from '../messages/notes.ts'
import { ending } from '../request/outcome.ts'
import { isTold, stateAtEnd } from '../request/precedence.ts'
import { identityOf } from '../request/record.ts'
import { jobOf } from '../request/states.ts'
import { AgentRequest } from '../step/agent-request.ts'
import { readSavedState, type SavedState, STATE_NAME } from '../step/saved-state.ts'
import { StepReport } from '../step/step-report.ts'
import { openSession } from '../thread/session.ts'
import { finish } from './finish.ts'
import { settleReaction } from './thread-result.ts'

/**
 * Reports what a main step that was killed, or that GitHub did not answer, could not report (contract 5.6, 6.2). It
 * never undoes a reported result.
 */
export async function postStep(given: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  // The main step's own exit code counts: the post step only annotates.
  const deps = { ...given, core: { ...given.core, setFailed: given.core.error } }
  const saved = readSavedState(deps.core.getState(STATE_NAME))
  if (saved === undefined) return
  const step = new StepReport(deps)
  const inputs = readInputs(deps.core.getInput)
  step.inputs = inputs
  const context = await readContext()
  const isCancelled = saved.said?.outcome === 'cancelled'
  const limits = isCancelled ? whileStopping() : whileReporting()
  const session = await openSession({ deps, context, limits, secrets: step.secrets, inputs })
  if (await session.forge.tokenIsRevoked()) {
    deps.core.info(WARNINGS.tokenRevoked)
    return
  }
  const { record, thread } = saved
  const request = new AgentRequest({ session, thread, identity: identityOf(record), inputs })
  await reportLeft(step, request, saved)
  await step.addWarning(session.warnings.flush())
}

async function reportLeft(
  step: StepReport,
  request: AgentRequest,
  { record, said }: SavedState,
): Promise<void> {
  const { thread } = request
  const history = await thread.readOrWarn()
  const own = history?.own
  if (own !== undefined && isTold(own.record, record)) {
    await settleReaction(request, own.record, said)
    return await thread.keepOne()
  }
  request.text = foldedPromptOf(own?.body ?? '')
  // The main step saved its state once the permission was known. A thread that cannot be read may hold a result.
  request.isGranted = history !== undefined
  request.goOnFrom(stateAtEnd(record, own?.record))
  await finish(request, {
    // What the thread or the main step knows of the job is enough for a step that has seconds.
    patience: { read: async () => jobOf(request.state) },
    ifNotEnded: () => said ?? ending('cancelled'),
    // What the main step said stands in its log and summary.
    show: (report, url) => (said === undefined ? step.show(report, request.messages, url) : undefined),
  })
}
