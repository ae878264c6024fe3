import pLimit from 'p-limit'
import { type AgentClient, agentClient } from '../agent/client.ts'
import type { Job } from '../agent/job.ts'
import type { Deps } from '../deps.ts'
import type { Ending } from '../ending.ts'
import { type Environment, runUrlOf } from '../environment.ts'
import { messageOf } from '../errors.ts'
import { type Attempt, forgiving } from '../github/attempt.ts'
import { type GitHub, githubClient } from '../github/octokit.ts'
import { reportEnding } from '../report.ts'
import { openThread } from '../thread/thread.ts'
import { promptOf } from '../thread/words.ts'
import { endingOfRequest, readOnce } from './collected.ts'
import type { CollectInputs } from './inputs.ts'
import { isUncollected, type OpenRequest, openRequests } from './open-requests.ts'

/** What became of one open request. */
export type Collected = { readonly request: OpenRequest } & (
  | { readonly kind: 'finished'; readonly ending: Ending }
  | { readonly kind: 'active'; readonly job: Job }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Another run has taken it up, or reported it, since the sweep began. */
  | { readonly kind: 'left' }
)

/** Jobs read at a time (contract 8.1). */
const AT_A_TIME = 8

interface Sweep {
  readonly deps: Deps
  readonly inputs: CollectInputs
  readonly environment: Environment
  readonly client: AgentClient
  readonly github: GitHub
  readonly attempt: Attempt
}

/**
 * Looks for every request whose job nobody waits for, reads each job once, and reports those that ended.
 * @throws what octokit throws when the comments cannot be listed
 */
export async function sweep(
  deps: Deps,
  inputs: CollectInputs,
  environment: Environment,
): Promise<readonly Collected[]> {
  const { access } = inputs
  const { repository, apiUrl } = environment
  const github = githubClient(deps, { apiUrl, token: inputs.githubToken })
  const scope = { apiKey: access.apiKey, projectId: access.projectId, repository }
  const now = deps.now()
  const requests = await openRequests(github, scope, now - inputs.sinceMs, now)
  deps.log(`${requests.length} open`)
  const all: Sweep = {
    deps,
    inputs,
    environment,
    github,
    client: agentClient(deps, access),
    attempt: forgiving(deps.runner),
  }
  const limit = pLimit(AT_A_TIME)
  const byJob = Map.groupBy(requests, ({ marker }) => marker.job)
  const collected = [...byJob].map(([jobId, sharing]) => limit(() => collectJob(all, jobId, sharing)))
  return (await Promise.all(collected)).flat()
}

/** Reads the job once, for all the requests that it serves. */
async function collectJob(all: Sweep, jobId: string, requests: readonly OpenRequest[]): Promise<Collected[]> {
  const collected: Collected[] = []
  try {
    const job = await readOnce(all.client, jobId, all.deps.cancellation.requested)
    for (const request of requests) {
      collected.push(
        await collect(all, request, job).catch((error) => ({ kind: 'failed', request, error }) as const),
      )
    }
    return collected
  } catch (error) {
    all.deps.log(messageOf(error))
    return requests.map((request) => ({ kind: 'failed', request, error }))
  }
}

async function collect(all: Sweep, request: OpenRequest, job: Job | undefined): Promise<Collected> {
  const { deps, inputs, environment, github, attempt } = all
  const ending = endingOfRequest(request, job, deps.now())
  if (ending === undefined)
    return job === undefined ? { kind: 'left', request } : { kind: 'active', request, job }
  if (inputs.comment === 'off') return { kind: 'finished', request, ending }
  const { apiKey, projectId } = inputs.access
  const scope = { apiKey, projectId, repository: environment.repository, thread: request.thread }
  const thread = openThread(
    { github, attempt, now: deps.now },
    { scope, mode: inputs.comment, request: request.marker },
  )
  // Right before reporting, the marker is read again (contract 8.2): somebody may have been faster.
  const memory = await thread.recall()
  if (memory === undefined) throw new Error(`the thread #${request.thread} cannot be read`)
  const { own } = memory
  if (own === undefined || !isUncollected(own.marker, deps.now())) return { kind: 'left', request }
  const told = { ...ending, instruction: promptOf(own.comment.body) }
  const desk = {
    thread,
    scope,
    request: request.marker,
    mode: inputs.comment,
    github,
    attempt,
    serverUrl: environment.serverUrl,
    runUrl: runUrlOf(environment, request.marker.run),
    now: deps.now,
  }
  const kept = { targetJob: request.marker.job, messagedAt: request.marker.messaged }
  const url = await reportEnding(desk, told, kept, { command: '/docs', timeoutMs: 0, needs: 'write' }, memory)
  if (url === '') throw new Error(`the result could not be written in #${request.thread}`)
  return { kind: 'finished', request, ending: told }
}
