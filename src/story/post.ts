import { isJobNotFound } from '../agent/agent-client.ts'
import type { Deps } from '../base/deps.ts'
import { messageOf } from '../base/errors.ts'
import type { Runner } from '../event/trigger.ts'
import { DEFAULT_POLL_MS } from '../http/retry.ts'
import { readInputs } from '../inputs/inputs.ts'
import type { RequestComment } from '../record/fold.ts'
import { isLeased } from '../record/log.ts'
import { type Ending, ending, endsJob } from '../record/outcome.ts'
import { identityOf, type RequestRecord } from '../record/record.ts'
import { isOfSameRun } from '../record/request-identity.ts'
import { areChecksFollowed, endingIn, IDLE } from '../record/states.ts'
import { Run } from '../thread/run.ts'
import { openSession, type Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { explainError } from '../words/explain.ts'
import { WARNINGS } from '../words/notes.ts'
import { conclude } from './conclude.ts'
import { lastKnownEnding } from './decide.ts'
import { readJobOnce } from './follow.ts'
import { readSavedState, type SavedState, StepOutputs } from './step-outputs.ts'

/** How long a post step waits for the job, in ms. */
const READING_MS = 10_000

/** Ends the request of a main step that was killed, or that GitHub did not answer. */
export async function postStep(given: Deps, readRunner: () => Promise<Runner>): Promise<void> {
  // The main step's own exit code counts: the post step only annotates.
  const core = { ...given.core, setFailed: given.core.error }
  const saved = readSavedState(core)
  if (saved === undefined) return
  const step = new StepOutputs({ ...given, core })
  try {
    await concludeKept(step, saved, readRunner)
  } catch (error) {
    step.deps.core.error(explainError(step.deps.core, error))
  }
}

async function concludeKept(
  step: StepOutputs,
  { record: kept, thread: number }: SavedState,
  readRunner: () => Promise<Runner>,
): Promise<void> {
  const { deps } = step
  // The main step had a key. Inside a composite action, its post step gets the inputs of that one instead.
  if (deps.core.getInput('api-key') === '') return deps.core.warning(WARNINGS.noInputs)
  const inputs = readInputs(deps.core.getInput)
  step.inputs = inputs
  const runner = await readRunner()
  const said = endingIn(kept)
  const session = await openSession({ deps, runner, inputs })
  const thread = number === undefined ? undefined : new Thread(number)
  // A thread that cannot be read may hold a result.
  const mayWrite = thread === undefined || (await thread.readOrWarn(session))
  const record = newerOf(kept, thread?.recordsFor(kept).current, session.github.clock())
  const run = Run.fromRecord({ ...record, attempt: kept.attempt }, thread, mayWrite)
  // The main step may have been cut off before it read the thread.
  if (record.state === 'idle') run.makeLatest()
  const { timeoutMs, minPermission } = inputs
  const end = await readEnding(session, run)
  const concluded = await conclude(session, run, end, {
    role: 'post step',
    timeoutMs,
    minPermission,
    show: (report, messages, url) => {
      // Else the main step has shown the end.
      if (said === undefined || areChecksFollowed(kept)) return step.show(report, messages, url)
    },
  })
  await step.addWarning(session.warnings.flush(concluded?.threadNow))
}

/** The end in the record, or that of the job, which is read once. */
async function readEnding(session: Session, run: Run): Promise<Ending> {
  const { state } = run
  const recorded = lastKnownEnding(state)
  if (state.state !== 'running' || endsJob(recorded)) return recorded
  try {
    const deadline = session.deps.monotonic() + READING_MS
    const end = await readJobOnce(session, run, state, { deadline, pollMs: DEFAULT_POLL_MS })
    return endsJob(end) ? end : recorded
  } catch (error) {
    if (isJobNotFound(error)) return ending('error', 'job-not-found', error.message)
    session.deps.core.debug(messageOf(error))
    return recorded
  }
}

/** The record in the thread, if it is newer, or if the main step was cut off before it went on with it. */
function newerOf(kept: RequestRecord, own: RequestComment | undefined, now: number): RequestRecord {
  if (own === undefined) return kept
  const { record: written, updatedAt } = own
  // The main step yielded to another run, which holds the same request.
  if (!isOfSameRun(written, kept) && isLeased(written, updatedAt, now))
    return { ...identityOf(kept), ...IDLE, writtenAt: kept.writtenAt, leaseMs: 0 }
  return kept.state === 'idle' || written.writtenAt > kept.writtenAt ? written : kept
}
