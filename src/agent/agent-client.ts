import { CreationUncertain } from '../errors.ts'
import { type RetryDeps, retryRead, retrySend } from '../http/retry.ts'
import {
  callService,
  type Parsed,
  type ServiceAccess,
  type ServiceCall,
  type ServiceDeps,
  ServiceError,
} from '../http/service.ts'
import { explainFailure, explainUnknown } from '../messages/explain.ts'
import type { Job } from '../request/job.ts'
import { parseAcceptedJob, parseJob } from './parse-job.ts'

export type AgentClient = ReturnType<typeof agentClient>

/** The three calls of the agent API, each one request without a second try. */
export function agentClient(deps: ServiceDeps, access: ServiceAccess) {
  const jobs = `/v2/agent/${encodeURIComponent(access.projectId)}/job`
  const pathOf = (jobId: string) => `${jobs}/${encodeURIComponent(jobId)}`

  /** @param jobId that the answer must be about; '' for a new job */
  const ask = (
    call: 'create' | 'message' | 'read',
    jobId: string,
    request: Omit<ServiceCall<unknown>, 'parse' | 'explain'>,
  ) =>
    callService(deps, access, {
      ...request,
      parse(text): Parsed<Job> {
        const job = call === 'read' ? parseJob(text) : parseAcceptedJob(text)
        if (job === undefined) return { fault: 'an answer that is not a job' }
        return jobId === '' || job.id === jobId ? job : { fault: 'an answer about another job' }
      },
      explain: (failure) => explainFailure(call, failure, access, jobId),
    })

  return {
    access,
    create: (prompt: string, signal?: AbortSignal) =>
      ask('create', '', { path: jobs, body: { prompt }, signal }),
    message: (jobId: string, prompt: string, signal?: AbortSignal) =>
      ask('message', jobId, { path: `${pathOf(jobId)}/message`, body: { prompt }, signal }),
    read: (jobId: string, leftMs?: number, signal?: AbortSignal) =>
      ask('read', jobId, { path: pathOf(jobId), leftMs, signal }),
  }
}

export const isJobNotFound = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.reason === 'job-not-found'

/** Undefined where the service no longer knows the job. */
export async function ifKnown<T>(reading: Promise<T>): Promise<T | undefined> {
  return await reading.catch((error: unknown) => {
    if (isJobNotFound(error)) return undefined
    throw error
  })
}

/** The longest time for one look at a job. */
const LOOK_MS = 60_000

/**
 * Reads a job once, and again only after faults that pass (contract 4.4).
 * @param known what it is as long as it is not read: there is no read behind the deadline
 * @throws {ServiceError} where it cannot be read
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function lookAtJob(
  deps: RetryDeps,
  client: AgentClient,
  known: Job,
  deadline: number,
): Promise<Job> {
  const until = Math.min(deadline, deps.monotonic() + LOOK_MS)
  const job = await retryRead(deps, { deadline: until }, (leftMs, signal) =>
    client.read(known.id, leftMs, signal),
  )
  if (!('timedOut' in job)) return job
  if (job.failed !== undefined) throw job.failed
  return known
}

/**
 * Creates a job, or sends one a message, exactly once (contract 4.3). @param request `jobId`: of a message
 * @throws as `retrySend`, and {CreationUncertain} when it may have been processed
 */
export async function send(
  deps: RetryDeps,
  client: AgentClient,
  request: { readonly prompt: string; readonly jobId?: string | undefined; readonly deadline: number },
): Promise<Job> {
  const { jobId, prompt, deadline } = request
  const result = await retrySend(deps, { deadline, waitsOutLimits: true }, (signal) =>
    jobId === undefined ? client.create(prompt, signal) : client.message(jobId, prompt, signal),
  )
  if (!('unknown' in result)) return result
  throw new CreationUncertain(explainUnknown(result.unknown), jobId ?? '', { cause: result.unknown })
}
