import type { AgentClient } from '../agent/client.ts'
import { type ReadDeps, read } from '../agent/read.ts'
import { throwIfCancelled } from '../core/cancellation.ts'
import { ActionError, BadInput } from '../core/errors.ts'
import { isTerminal, type Job, knownJob } from '../core/job.ts'
import { pullRequestOf } from '../core/link.ts'
import { type Marker, namesJob } from '../core/marker.ts'
import type { SkipReason } from '../core/outcome.ts'
import type { GitHub } from '../github/octokit.ts'
import { ServiceError } from '../http/service-error.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Memory } from '../thread/memory.ts'
import { EARLIER_UNDER_WAY } from './earlier.ts'

/** What a run is going to do about a job. `note` is a sentence for the comment, '' for none. */
export type Plan =
  | { readonly kind: 'create'; readonly note: string }
  | {
      readonly kind: 'continue'
      readonly jobId: string
      /** The input `job-id` named it. */
      readonly explicit: boolean
      readonly note: string
    }
  /** An earlier attempt of this very request has started it. */
  | { readonly kind: 'resume'; readonly own: Marker }
  | { readonly kind: 'skip'; readonly reason: SkipReason; readonly job: Job }
  /** An earlier attempt of this very request may have been processed. */
  | { readonly kind: 'uncertain'; readonly cause: string; readonly jobId: string }

export interface PlanDeps extends ReadDeps {
  readonly github: GitHub
}

export interface PlanRequest {
  readonly client: AgentClient
  /** Undefined when the thread could not be read. */
  readonly memory: Memory | undefined
  readonly inputs: Inputs
  /** The comment asks for a new job. */
  readonly fresh: boolean
  readonly runAttempt: number
  readonly serverUrl: string
  readonly deadline: number
}

/** Contract 4.9 and 5.2: what the thread's memory makes of the request. */
export async function planFor(deps: PlanDeps, request: PlanRequest): Promise<Plan> {
  const { memory, inputs } = request
  const earlier = memory === undefined ? forgotten(request) : planOfOwn(memory.own?.marker)
  if (earlier !== undefined && !inputs.dryRun) return earlier
  if (inputs.jobId !== undefined) return { kind: 'continue', jobId: inputs.jobId, explicit: true, note: '' }
  const remembered = memory?.job?.marker
  if (remembered === undefined || request.fresh || inputs.conversation === 'new') return create()
  return await planForJob(deps, request, remembered)
}

/**
 * A re-run that cannot read the thread cannot know what its earlier attempt did. A first attempt has nothing to know,
 * and an outage of GitHub does not keep it from its work.
 */
function forgotten({ runAttempt, inputs }: PlanRequest): Plan | undefined {
  if (inputs.conversation === 'skip' && !inputs.dryRun) {
    const fault = 'is `skip`, but the thread cannot be read, so nobody knows whether its pull request is open'
    throw new BadInput(
      'conversation',
      fault,
      'Check `issue-number` and the permissions of the job; nothing was started.',
    )
  }
  if (runAttempt <= 1) return undefined
  return {
    kind: 'uncertain',
    cause: 'this is a re-run, and the thread that knows what the earlier attempt did cannot be read',
    jobId: '',
  }
}

function planOfOwn(own: Marker | undefined): Plan | undefined {
  if (own === undefined) return undefined
  if (own.state === 'sending') {
    return { kind: 'uncertain', cause: EARLIER_UNDER_WAY, jobId: own.job }
  }
  return namesJob(own) ? { kind: 'resume', own } : undefined
}

const create = (note = ''): Plan => ({ kind: 'create', note })

/** Looks at the thread's job, and at its pull request, before anything is sent to it. */
async function planForJob(deps: PlanDeps, request: PlanRequest, remembered: Marker): Promise<Plan> {
  const { inputs, serverUrl } = request
  const jobId = remembered.job
  // A dry run asks the service nothing, and goes by what the thread knows.
  const job = inputs.dryRun ? knownJob(remembered) : await jobOrGone(deps, request, jobId)
  const skips = inputs.conversation === 'skip'
  if (skips && job !== undefined && !isTerminal(job.status))
    return { kind: 'skip', reason: 'job-active', job }
  const link = job?.prLink || remembered.pr
  if (!skips && job === undefined)
    return create('The job of this thread no longer exists, so this is a new one.')
  if (!skips && job?.status === 'archived')
    return create('The job of this thread is archived, so this is a new one.')
  const pr = await pullRequestState(deps.github, link, serverUrl)
  throwIfCancelled(deps.cancellation)
  if (skips && (pr === 'open' || pr === 'unreadable')) {
    return {
      kind: 'skip',
      reason: 'pull-request-open',
      job: { ...(job ?? knownJob(remembered)), prLink: link },
    }
  }
  if (pr === 'merged' || pr === 'closed')
    return create(`The earlier pull request is ${pr}, so this is a new job.`)
  if (skips) return create()
  const note = pr === 'unreadable' ? 'Its pull request could not be read, so it counts as open.' : ''
  return { kind: 'continue', jobId, explicit: false, note }
}

async function jobOrGone(deps: PlanDeps, request: PlanRequest, jobId: string): Promise<Job | undefined> {
  const { client, deadline, inputs } = request
  try {
    const result = await read(deps, client, { jobId, deadline, pollMs: inputs.pollMs })
    if ('job' in result) return result.job
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'job-not-found') return undefined
    throw error
  }
  throw new ActionError(
    'service-unavailable',
    'The job of this thread could not be read before the time was up. Run again later, or ask for a new job.',
  )
}

async function pullRequestState(
  github: GitHub,
  link: string,
  serverUrl: string,
): Promise<'none' | 'open' | 'merged' | 'closed' | 'unreadable'> {
  if (link === '') return 'none'
  const pull = pullRequestOf(link, serverUrl)
  if (pull === undefined) return 'unreadable'
  try {
    const { data } = await github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
      owner: pull.owner,
      repo: pull.repo,
      pull_number: pull.number,
    })
    if (data.merged) return 'merged'
    return data.state === 'closed' ? 'closed' : 'open'
  } catch {
    return 'unreadable'
  }
}
