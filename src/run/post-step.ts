import type { Deps } from '../deps.ts'
import { finishSkip } from '../docs-with-code/skip.ts'
import type { RunContext } from '../event/trigger.ts'
import { readInputs } from '../inputs/inputs.ts'
import { explainError } from '../messages/explain.ts'
import { WARNINGS } from '../messages/notes.ts'
import { ending } from '../request/outcome.ts'
import { followsChecks } from '../request/parts.ts'
import { identityOf } from '../request/record.ts'
import { Request } from '../thread/request.ts'
import { openSession } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { adoptKept } from './adopt.ts'
import { asPostStep } from './callers.ts'
import { settle } from './settle.ts'
import { readSavedState, type SavedState, Step } from './step.ts'

/**
 * Reports what a main step that was killed, or that GitHub did not answer, could not report (contract 5.6, 6.2). It
 * never undoes a reported result.
 */
export async function postStep(given: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  // The main step's own exit code counts: the post step only annotates.
  const core = { ...given.core, setFailed: given.core.error }
  const saved = readSavedState(core)
  if (saved === undefined) return
  const step = new Step({ ...given, core })
  try {
    await report(step, saved, readContext)
  } catch (error) {
    step.deps.core.error(explainError(step.deps.core, error))
  }
}

async function report(step: Step, saved: SavedState, readContext: () => Promise<RunContext>): Promise<void> {
  const { deps } = step
  const { record } = saved
  // The main step had a key. Inside a composite action, its post step gets the inputs of that one instead.
  if (deps.core.getInput('api-key') === '') return deps.core.warning(WARNINGS.noInputs)
  const inputs = readInputs(deps.core.getInput)
  step.inputs = inputs
  const context = await readContext()
  const session = await openSession({ deps, context, inputs })
  const { timeoutMs, minPermission } = inputs
  const request = new Request(identityOf(record), { timeoutMs, minPermission })
  if (saved.thread !== undefined) request.answerIn(new Thread(saved.thread))
  await adoptKept(session, request, record)
  // What the main step said stands, and what the thread says, also of an earlier attempt.
  const shown = request.history?.own?.record
  const hasSaid = [shown, record].some((one) => one?.ending !== undefined && !followsChecks(one))
  const skipped = await finishSkip(session, request)
  const otherwise = request.state.ending ?? record.ending ?? ending('cancelled')
  const caller = asPostStep(deps, otherwise, (report, messages, url) =>
    hasSaid ? undefined : step.show(report, messages, url),
  )
  const settled = await settle(session, request, caller, skipped)
  await step.addWarning(session.warnings.flush(settled?.threadNow))
}
