import { orCancelled } from '../cancellation.ts'
import { type Access, checkAccess } from '../event/gate.ts'
import { fullName } from '../event/run-context.ts'
import { unreadPermission, WARNINGS } from '../messages/notes.ts'
import { logHeader } from '../messages/summary.ts'
import { readMaterial } from '../prompt/material.ts'
import { type Ending, ending } from '../request/outcome.ts'
import type { AgentRequest } from '../step/agent-request.ts'
import { skipAgentPullRequest } from './agent-pull-request.ts'
import { askAgent } from './ask-agent.ts'
import { listChanges } from './changes.ts'
import { findThread, NO_PLACE, type Place, readThread } from './find-thread.ts'
import { mayAskAgent, type StartOptions } from './start-options.ts'
import { answerStatus } from './status.ts'

/**
 * Brings a request to the agent, once: permission, thread and texts together, then plan, prompt, record, job.
 * @returns how the request ended without the agent; undefined once it is with the agent
 * @throws {ForgeError} where GitHub stays away before the agent is asked: nothing was sent
 */
export async function start(request: AgentRequest, options: StartOptions): Promise<Ending | undefined> {
  const { session } = request
  const { deps, context } = session
  const { inputs, trigger, command } = options
  const asksAgent = mayAskAgent(command, trigger)
  // Requests that do not depend on each other go out together (contract 5.8).
  const deciding = decideAccess(request, options)
  const listing =
    asksAgent && inputs.changesSince ? listChanges(request, options, inputs.changesSince) : undefined
  listing?.catch(() => undefined)
  deciding.catch(() => undefined)
  const found = asksAgent
    ? await orCancelled(deps.cancellation, findThread(request, options, deciding))
    : NO_PLACE
  logStart(request, options)

  const read = ({ pushed }: Place) => readMaterial(session, options, request.text, pushed)
  const reading = readThread(request, found, inputs)
  const round = Promise.all([deciding, reading, asksAgent ? read(found) : undefined])
  const [access, place, material] = await orCancelled(deps.cancellation, round)
  request.isFirst = context.runAttempt === 1 && request.thread.history?.own === undefined
  if (!access.granted) {
    const { login, has, unreadable } = access
    request.denied = { login, has, isSilent: !options.tellsOfDenial }
    if (unreadable !== undefined) deps.core.warning(unreadPermission(login, unreadable))
    return ending('skipped', 'permission-denied')
  }
  // Once more: now the thread is known, and read.
  request.thread.save(request.state)
  // What is reported stays so, and a kill would leave the eyes.
  const isReported = request.thread.history?.own?.record.state === 'reported'
  if (asksAgent && !isReported) request.reactions.acknowledge()
  const skipped = place.skip ?? (await skipAgentPullRequest(request, options))
  if (skipped !== undefined) return skipped
  // The command counts as readers see it, without what is hidden in the comment.
  const { kind } = material?.command ?? command
  if (kind === 'status') return await answerStatus(request, options)
  if (kind === 'help' || material === undefined) return ending('skipped', 'help')
  const settled = place.pushed === found.pushed ? material : await read(place)
  return await askAgent(request, options, settled, listing)
}

async function decideAccess(request: AgentRequest, { trigger, inputs }: StartOptions): Promise<Access> {
  const access = await checkAccess(request.session.forge, trigger, inputs.minPermission)
  request.isGranted = access.granted
  // From here on a kill is the post step's to report.
  if (access.granted) request.thread.save(request.state)
  return access
}

function logStart({ session, thread, identity }: AgentRequest, { inputs, trigger }: StartOptions): void {
  const { core } = session.deps
  const hasThread = thread.number !== undefined
  const where = `${fullName(session.context.repository)}${hasThread ? `#${thread.number}` : ''}`
  core.info(logHeader(trigger, identity.requestedBy, where))
  // Where the title finds no issue, a warning says why, or a dry run has none to create.
  if (hasThread || inputs.issueTitle !== undefined) return
  if (inputs.conversation === 'skip') core.warning(WARNINGS.nothingToSkipBy)
  if (inputs.changesSince === 'last-run') core.warning(WARNINGS.noLastRun)
}
