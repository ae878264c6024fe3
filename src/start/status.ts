import { ifKnown, lookAtJob } from '../agent/agent-client.ts'
import { CAUSES } from '../messages/notes.ts'
import { type Ending, ending } from '../request/outcome.ts'
import { threadJob } from '../request/plan.ts'
import type { AgentRequest } from '../step/agent-request.ts'
import type { StartOptions } from './start-options.ts'

/** `/docs status`: reads the thread's job once (contract 3.2). */
export async function answerStatus(
  request: AgentRequest,
  { inputs, deadline }: StartOptions,
): Promise<Ending> {
  const { session, thread } = request
  const { deps, client } = session
  if (thread.history === undefined) return ending('skipped', 'status', CAUSES.unreadStatus)
  const known = threadJob(thread.history)
  request.shownJob = known
  if (known === undefined || inputs.dryRun) return ending('skipped', 'status')
  if (deps.monotonic() >= deadline) return ending('timed-out')
  request.reactions.acknowledge()
  request.shownJob = await ifKnown(lookAtJob(deps, client, known, deadline))
  return ending('skipped', 'status', request.shownJob === undefined ? CAUSES.goneStatus : '')
}
