import type { Access } from '../event/gate.ts'
import type { PullRequest } from '../event/pull-request.ts'
import type { Push } from '../event/trigger.ts'
import { type PushedChanges, type PushPlan, planPush, readPush } from '../prompt/push.ts'
import { findTrackingIssue } from '../thread/tracking-issue.ts'
import { agentPullRequests, withoutAgents } from './agent-pull-request.ts'
import type { RequestRun } from './request-run.ts'

export interface Located {
  /** Of a push; undefined for every other event. */
  readonly pushed: PushedChanges | undefined
  /** Why the push asks for nothing. */
  readonly skip?: Extract<PushPlan, { readonly skip: unknown }> | undefined
  /** There may be a thread that remembers an earlier attempt, and it cannot be found now. */
  readonly isLost: boolean
}

/** Of an event that names its thread, or has none. */
export const NOT_LOCATED: Located = { pushed: undefined, isLost: false }

/**
 * Finds the thread of an event that names none (contract 3.6): the tracking issue, or the pull request that a push
 * merged last.
 * @param access nothing is created for a person who may not use the action
 */
export async function locateThread(run: RequestRun, access: Promise<Access>): Promise<Located> {
  const { trigger, inputs } = run.setup
  const located = trigger.push === undefined ? NOT_LOCATED : await findMerged(run, trigger.push)
  if (located.skip !== undefined || run.thread.number !== undefined) return located
  if (inputs.issueTitle !== undefined) {
    if (!(await access).granted) return located
    const tracking = await findTrackingIssue(run, inputs.issueTitle)
    if (tracking === 'unknown') return { ...located, isLost: true }
    if (tracking === 'none') return located
    run.useThread(tracking)
    run.identify({ tracking: true })
    return located
  }
  // Another attempt may find that a pull request which could not be read now was merged last.
  if (located.pushed?.unread === true) return { ...located, isLost: true }
  const last = located.pushed?.merged.at(-1)
  if (last !== undefined) run.useThread(last.number)
  return located
}

async function findMerged(run: RequestRun, push: Push): Promise<Located> {
  const [pushed, links] = await Promise.all([readPush(run, push), agentPullRequests(run)])
  return choose(run, pushed, withoutAgents(run, pushed.merged, links))
}

/** @param others of the pull requests that the push merged, the ones that are not the agent's own */
function choose(run: RequestRun, pushed: PushedChanges, others: readonly PullRequest[]): Located {
  const plan = planPush(pushed.merged, others, run.setup.inputs.mergedLabels)
  if ('skip' in plan) return { pushed: { ...pushed, merged: [] }, skip: plan, isLost: false }
  run.identify({ merged: plan.merged.map(({ number }) => number) })
  return { pushed: { ...pushed, merged: plan.merged }, isLost: false }
}

/**
 * Reads the thread. The thread of a merged pull request may say that it is the agent's own, longer ago than the newest
 * comments of the repository tell: then the one before it is the thread.
 */
export async function readThread(run: RequestRun, located: Located): Promise<Located> {
  const { pushed, isLost } = located
  if (isLost) {
    run.thread.history = undefined
    return located
  }
  await run.thread.read()
  const last = pushed?.merged.at(-1)
  if (pushed === undefined || last === undefined || run.thread.number !== last.number) return located
  if (withoutAgents(run, [last]).length > 0) return located
  const earlier = pushed.merged.slice(0, -1)
  const rest = choose(run, pushed, earlier)
  const next = earlier.at(-1)
  if (next === undefined) return rest
  run.useThread(next.number)
  return await readThread(run, rest)
}
