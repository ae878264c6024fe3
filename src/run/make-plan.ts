import { type ReadResult, readJob } from '../agent/client.ts'
import { throwIfCancelled } from '../cancellation.ts'
import { ServiceError } from '../http/service.ts'
import { pullRequestOf } from '../link.ts'
import { type Plan, type PullRequestState, planForJob, planFromHistory } from '../request/plan.ts'
import type { RequestRun } from './request-run.ts'

/** Reads what the plan depends on beyond the thread: its job, and the pull request of the job (contract 4.9). */
export async function makePlan(run: RequestRun, fresh: boolean): Promise<Plan> {
  const { inputs, context } = run.setup
  const { history } = run.thread
  const plan = planFromHistory(history, inputs, { fresh, runAttempt: context.runAttempt })
  if (plan.kind !== 'inspect') return plan
  const remembered = plan.job
  // The thread usually knows the pull request already, so both are read at the same time.
  const [read, knownState] = await Promise.all([
    inputs.dryRun ? { job: remembered } : readOrGone(run, remembered.id),
    pullRequestState(run, remembered.prLink),
  ])
  if (read !== undefined && 'timedOut' in read) return { kind: 'late', message: read.timedOut }
  const job = read?.job
  const link = job?.prLink ?? ''
  const state = link === '' || link === remembered.prLink ? knownState : await pullRequestState(run, link)
  throwIfCancelled(run.deps.cancellation)
  return planForJob(inputs, remembered, job, state)
}

/** Whether the run goes on with what an earlier attempt of the same request left. */
export function takesUpEarlier({ setup, thread }: RequestRun, fresh: boolean): boolean {
  const { inputs, context } = setup
  const { kind } = planFromHistory(thread.history, inputs, { fresh, runAttempt: context.runAttempt })
  return kind === 'resume' || kind === 'unknown'
}

/** @returns undefined for a job that the service no longer knows */
async function readOrGone(run: RequestRun, jobId: string): Promise<ReadResult | undefined> {
  const { deps, client, deadline, setup } = run
  try {
    return await readJob(deps, client, { jobId, deadline, pollMs: setup.inputs.pollMs })
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'job-not-found') return undefined
    throw error
  }
}

async function pullRequestState(run: RequestRun, link: string): Promise<PullRequestState> {
  if (link === '') return 'none'
  const pull = pullRequestOf(link, run.setup.context.serverUrl)
  if (pull === undefined) return 'unreadable'
  const { owner, repo, number } = pull
  try {
    return (await run.forge.pullRequest({ owner, repo }, number)).state
  } catch {
    return 'unreadable'
  }
}
