import type { Deps } from '../deps.ts'
import type { RunContext } from '../event/run-context.ts'
import { readTrigger } from '../event/trigger.ts'
import { openForge } from '../github/open-forge.ts'
import { whileReporting } from '../http/retry-rules.ts'
import { readInputs } from '../inputs.ts'
import { asId, asObject, parseJson } from '../json.ts'
import { foldedPromptOf } from '../messages/comments.ts'
import { jobOf } from '../request/lifecycle.ts'
import { isRequestRecord, parseRecord, type RequestRecord } from '../request/record.ts'
import { reportRun } from './report.ts'
import { beginStep, RequestRun, STATE_NAME } from './request-run.ts'

/**
 * Reports what a main step that was killed could not report any more (contract 6.2). It never undoes a reported
 * result.
 */
export async function postStep(given: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  // The main step's own exit code counts: the post step only annotates.
  const deps = { ...given, core: { ...given.core, setFailed: given.core.error } }
  const state = deps.core.getState(STATE_NAME)
  const saved = parseRecord(state)
  if (saved === undefined || !isRequestRecord(saved) || !isOpen(saved)) return
  const ago = Math.max(0, deps.now() - saved.requestedAt)
  const step = beginStep(deps, { at: saved.requestedAt, monotonic: deps.monotonic() - ago })
  const inputs = readInputs(deps.core.getInput)
  const context = await readContext()
  const trigger = readTrigger(context)
  const forge = await openForge(deps, context, inputs.githubToken, { limits: whileReporting() })
  const run = new RequestRun({ ...step, inputs, trigger, context, request: '' }, forge)
  run.identify({ key: saved.key })
  if (await forge.tokenIsRevoked()) {
    deps.core.info(TOKEN_REVOKED)
    return
  }
  const number = asId(asObject(parseJson(state)).thread)
  if (run.thread.number === undefined && number !== undefined) run.useThread(number)
  // Killed before it read the thread, the main step may have left `eyes` that no record knows of.
  run.thread.reactions.expect()
  const history = await run.thread.read()
  const own = history?.own
  if (own !== undefined && isSettled(own.record, saved)) return await run.thread.settle()
  // The main step saved its state once the permission was known. A thread that cannot be read may hold a result.
  run.mayWrite = history !== undefined
  run.request = foldedPromptOf(own?.body ?? '')
  run.takeUp(recordAtKill(saved, own?.record))
  await run.apply({ type: 'killed' })
  await reportRun(run)
}

const TOKEN_REVOKED =
  'The cancelled run lost its token, so the thread still says that the agent is working. Re-run the workflow to pick the job up, or let `collect` report its end.'

/** The main step had not reported how it ended. */
const isOpen = ({ state }: RequestRecord): boolean =>
  state === 'received' || state === 'sending' || state === 'running'

/** A result always stands; so does what that run reported, or what an earlier one did if this one sent nothing. */
const isSettled = (own: RequestRecord, saved: RequestRecord): boolean =>
  own.state === 'reported' || (!isOpen(own) && (saved.state === 'received' || own.run === saved.run))

/** Where the main step had sent nothing, the request is where an earlier attempt left it. */
function recordAtKill(saved: RequestRecord, own: RequestRecord | undefined): RequestRecord {
  if (own === undefined) return saved
  if (jobOf(own) !== undefined && jobOf(saved) === undefined) return own
  return saved.state === 'received' && own.run !== saved.run ? own : saved
}
