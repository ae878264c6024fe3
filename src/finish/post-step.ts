import type { Deps } from '../deps.ts'
import type { RunContext } from '../event/run-context.ts'
import { readTrigger } from '../event/trigger.ts'
import { openForge } from '../github/open-forge.ts'
import { whileReporting, whileStopping } from '../http/retry-rules.ts'
import { readInputs } from '../inputs.ts'
import { foldedPromptOf } from '../messages/comments.ts'
import { readTask } from '../messages/side-tasks.ts'
import { type Ending, ending } from '../request/outcome.ts'
import { identityOf, type RequestRecord } from '../request/record.ts'
import { jobOf } from '../request/states.ts'
import { openSession, runUrl } from '../thread/session.ts'
import { finish } from './finish.ts'
import { Request } from './request.ts'
import { readSavedState, type SavedState, STATE_NAME } from './saved-state.ts'
import { StepReport } from './step-report.ts'
import { settle } from './thread-report.ts'

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
  const patience = { limits: isCancelled ? whileStopping() : whileReporting() }
  const forge = await openForge(deps, context, inputs.githubToken, patience)
  if (await forge.tokenIsRevoked()) {
    deps.core.info(TOKEN_REVOKED)
    return
  }
  const session = openSession({
    ...{ deps, context, forge, patience, access: inputs.access, secrets: step.secrets },
    commentMode: inputs.comment,
  })
  const { record, thread } = saved
  const ago = Math.max(0, deps.now() - record.requestedAt)
  const request = new Request({
    session,
    thread,
    identity: identityOf(record),
    text: '',
    messages: {
      command: inputs.command,
      timeoutMs: inputs.timeoutMs,
      minPermission: inputs.minPermission,
      runUrl: runUrl(session),
    },
    isComment: readTrigger(context).comment !== undefined,
    startedAt: deps.monotonic() - ago,
  })
  await reportLeft(step, request, saved)
  await step.addWarning(session.warnings.flush())
}

const TOKEN_REVOKED =
  'The cancelled run lost its token, so the thread still says that the agent is working. Re-run the workflow to pick the job up, or let `collect` report its end.'

async function reportLeft(step: StepReport, request: Request, saved: SavedState): Promise<void> {
  const { thread, session } = request
  const history = await session.warnings.warnOnFailure(readTask(thread.number ?? 0), () => thread.read())
  const own = history?.own
  if (own !== undefined && isTold(own.record, saved.record))
    return await settle(request, own.record, saved.said)
  request.text = foldedPromptOf(own?.body ?? '')
  // The main step saved its state once the permission was known. A thread that cannot be read may hold a result.
  request.isGranted = history !== undefined
  request.goOnFrom(stateAtEnd(saved.record, own?.record))
  const left: Ending = saved.said ?? ending('cancelled')
  await finish(request, {
    // What the thread or the main step knows of the job is enough for a step that has seconds.
    patience: { kind: 'look', read: async () => jobOf(request.state) },
    whileWorking: () => left,
    // What the main step said stands in its log and summary.
    show: (report, url) => (saved.said === undefined ? step.show(report, request.messages, url) : undefined),
  })
}

/** A result stands, and so does what that run reported, or what an earlier one reported if this one sent nothing. */
function isTold(own: RequestRecord, saved: RequestRecord): boolean {
  if (own.state === 'reported') return true
  const waits = own.state === 'sending' || (own.state === 'running' && own.waitsUntil > 0)
  return !waits && (saved.state === 'idle' || own.run === saved.run)
}

/** Where the main step had sent nothing, the request is where an earlier attempt left it. */
function stateAtEnd(saved: RequestRecord, own: RequestRecord | undefined): RequestRecord {
  if (own === undefined) return saved
  if (jobOf(own) !== undefined && jobOf(saved) === undefined) return own
  return saved.state === 'idle' && own.run !== saved.run ? own : saved
}
