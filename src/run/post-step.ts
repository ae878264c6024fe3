import type { Deps } from '../deps.ts'
import type { RunContext } from '../event/trigger.ts'
import { whileReporting, whileStopping } from '../http/failure.ts'
import { readInputs } from '../inputs/inputs.ts'
import { WARNINGS } from '../messages/notes.ts'
import { recordThatCounts } from '../request/history.ts'
import { ending } from '../request/outcome.ts'
import { identityOf, type RequestRecord } from '../request/record.ts'
import { jobOf } from '../request/states.ts'
import { setReaction } from '../thread/reactions.ts'
import { openSession } from '../thread/session.ts'
import { reactionTo } from './after-result.ts'
import { endCommitStatus, verdictOn } from './commit-status.ts'
import { finish } from './finish.ts'
import { Request } from './request.ts'
import { readSavedState, Step } from './step.ts'

/**
 * Reports what a main step that was killed, or that GitHub did not answer, could not report (contract 5.6, 6.2). It
 * never undoes a reported result.
 */
export async function postStep(given: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  // The main step's own exit code counts: the post step only annotates.
  const core = { ...given.core, setFailed: given.core.error }
  const saved = readSavedState(core)
  if (saved === undefined) return
  const { record, said } = saved
  const step = new Step({ ...given, core })
  const { deps } = step
  const inputs = readInputs(deps.core.getInput)
  step.inputs = inputs
  const context = await readContext()
  const limits = said?.outcome === 'cancelled' ? whileStopping() : whileReporting()
  const session = await openSession({ deps, context, inputs, limits })
  if (await session.forge.tokenIsRevoked()) {
    deps.core.info(WARNINGS.tokenRevoked)
    return
  }
  const { timeoutMs, minPermission } = inputs
  const request = new Request(identityOf(record), { timeoutMs, minPermission })
  if (saved.thread !== undefined) request.useThread(saved.thread)
  const { thread } = request
  // A thread that cannot be read may hold a result. The main step saved its state once the permission was known.
  const isRead = (await thread?.readOrWarn(session)) ?? true
  if (thread !== undefined) thread.mayHoldMore = true
  const own = request.history?.own
  // Of equals, the comment counts.
  const kept = { id: Number.POSITIVE_INFINITY, record }
  const counts = recordThatCounts([own ?? kept, kept])?.record ?? record
  const isTold = own !== undefined && counts === own.record && !wasAtWork(counts)
  request.isGranted = isRead
  let now: string | undefined
  request.goOnFrom(counts, own?.body)
  if (isTold && counts.state !== 'reported') {
    if (said !== undefined) {
      const verdict = verdictOn(request, { ...said, job: jobOf(counts) })
      await Promise.all([
        setReaction(session, counts.comment, reactionTo(said), undefined),
        endCommitStatus(session, request, verdict),
      ])
    }
    await thread?.keepOne(session, request.identity)
  } else {
    const result = await finish(session, request, {
      // What the thread or the main step knows of the job is enough for a step that has seconds.
      job: { look: async () => jobOf(request.state) },
      ifNotEnded: () => said ?? ending('cancelled'),
      // What the thread or the main step said stands.
      show: (report, messages, url) =>
        said === undefined && !isTold ? step.show(report, messages, url) : undefined,
    })
    now = result?.threadNow
  }
  await step.addWarning(session.warnings.flush(now))
}

/** The run that wrote the record was still at work. */
const wasAtWork = ({ state, waitsMs }: RequestRecord): boolean => state === 'sending' || waitsMs > 0
