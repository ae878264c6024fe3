import type { Access } from '../event/gate.ts'
import type { PullRequest } from '../event/pull-request.ts'
import { isDeletion, type Push } from '../event/trigger.ts'
import type { Inputs } from '../inputs.ts'
import { CAUSES } from '../messages/notes.ts'
import { readTask } from '../messages/side-tasks.ts'
import { type PushedChanges, planPush, readPush } from '../prompt/push.ts'
import { type Ending, ending } from '../request/outcome.ts'
import type { AgentRequest } from '../step/agent-request.ts'
import { findTrackingIssue } from '../thread/tracking-issue.ts'
import { readAgentJobs, withoutAgents } from './agent-pull-request.ts'
import type { StartOptions } from './start-options.ts'

/** Where a request belongs, and what a push brought. */
export interface Place {
  /** Of a push; undefined for every other event. */
  readonly pushed: PushedChanges | undefined
  /** How the run ends where the push asks for nothing. */
  readonly skip?: Ending
}

/** Of an event that names its thread, or has none. */
export const NO_PLACE: Place = { pushed: undefined }

/**
 * Finds the thread of an event that names none (contract 3.6): the tracking issue, or the pull request that a push
 * merged last.
 * @param access nothing is created for a person who may not use the action
 * @throws {ForgeError} where GitHub does not answer
 */
export async function findThread(
  request: AgentRequest,
  { trigger, inputs }: StartOptions,
  access: Promise<Access>,
): Promise<Place> {
  const { issueTitle, dryRun } = inputs
  const place = trigger.push === undefined ? NO_PLACE : await findMerged(request, trigger.push, inputs)
  if (place.skip !== undefined || request.thread.number !== undefined) return place
  const last = place.pushed?.merged.at(-1)
  if (issueTitle === undefined) {
    // A re-run may learn that a pull request which could not be read now was merged last.
    if (last !== undefined && place.pushed?.unread !== true) request.useThread(last.number)
  } else if ((await access).granted) {
    const number = await findTrackingIssue(request.session, issueTitle, request.identity, !dryRun)
    if (number === undefined) return place
    request.amendIdentity({ tracking: true })
    request.useThread(number)
  }
  return place
}

type MergeInputs = Pick<Inputs, 'allowedBots' | 'mergedLabels'>

async function findMerged(request: AgentRequest, push: Push, inputs: MergeInputs): Promise<Place> {
  if (isDeletion(push)) return { ...NO_PLACE, skip: ending('skipped', 'no-changes', CAUSES.deleted) }
  const [pushed, { links }] = await Promise.all([
    readPush(request.session, push),
    readAgentJobs(request.session),
  ])
  return placeOf(request, pushed, withoutAgents(request, inputs.allowedBots, pushed.merged, links), inputs)
}

/** @param others of the merged pull requests, those that are not the agent's own */
function placeOf(
  request: AgentRequest,
  pushed: PushedChanges,
  others: readonly PullRequest[],
  { mergedLabels }: MergeInputs,
): Place {
  const plan = planPush(pushed.merged, others, mergedLabels)
  if ('outcome' in plan) return { pushed: { ...pushed, merged: [] }, skip: plan }
  request.amendIdentity({ merged: plan.map(({ number }) => number) })
  return { pushed: { ...pushed, merged: plan } }
}

/**
 * Reads the thread. The thread of a merged pull request may say that it is the agent's own, longer ago than the newest
 * comments of the repository tell: then the one before it is the thread.
 * @throws {ForgeError} where GitHub does not answer
 */
export async function readThread(request: AgentRequest, place: Place, inputs: MergeInputs): Promise<Place> {
  const { thread, session } = request
  const { pushed } = place
  if (thread.number === undefined) {
    // An earlier attempt may have read them, and started its job in one of their threads.
    if (pushed?.unread === true && session.context.runAttempt > 1) thread.history = undefined
    return place
  }
  await session.warnings.warnIfRefused(readTask(thread.number), () => thread.read())
  const last = pushed?.merged.at(-1)
  if (pushed === undefined || last === undefined || thread.number !== last.number) return place
  if (withoutAgents(request, inputs.allowedBots, [last]).length > 0) return place
  const earlier = pushed.merged.slice(0, -1)
  const rest = placeOf(request, pushed, earlier, inputs)
  const next = earlier.at(-1)
  if (next === undefined) return rest
  request.useThread(next.number)
  return await readThread(request, rest, inputs)
}
