import { CreationUncertain } from '../errors.ts'
import { type RetryDeps, retryRead, retrySend } from '../http/retry.ts'
import {
  callService,
  type Failure,
  type Parsed,
  type Reply,
  type ServiceAccess,
  type ServiceDeps,
} from '../http/service.ts'
import { explainFailure } from '../messages/errors.ts'
import { duration } from '../text.ts'
import { type Job, parseAcceptedJob, parseJob } from './job.ts'

type JobReply = Reply<{ readonly job: Job }>

/** The three calls of the agent API, each one request without a second try. */
export interface AgentClient {
  readonly access: ServiceAccess
  create(prompt: string, signal?: AbortSignal): Promise<JobReply>
  message(jobId: string, prompt: string, signal?: AbortSignal): Promise<JobReply>
  /** @param leftMs until the deadline */
  read(jobId: string, leftMs?: number, signal?: AbortSignal): Promise<JobReply>
}

export function agentClient(deps: ServiceDeps, access: ServiceAccess): AgentClient {
  const jobs = `/v2/agent/${encodeURIComponent(access.projectId)}/job`
  const pathOf = (jobId: string) => `${jobs}/${encodeURIComponent(jobId)}`

  /** @param jobId that the answer must be about; '' for a new job */
  const parser =
    (parse: (text: string) => Job | undefined, jobId: string) =>
    (text: string): Parsed<{ readonly job: Job }> => {
      const job = parse(text)
      if (job === undefined) return { fault: 'an answer that is not a job' }
      return jobId === '' || job.id === jobId ? { job } : { fault: 'an answer about another job' }
    }
  const post = (path: string, prompt: string, signal: AbortSignal | undefined, jobId = '') => {
    const parse = parser(parseAcceptedJob, jobId)
    return callService(deps, access, { method: 'POST', path, body: { prompt }, signal, parse })
  }

  return {
    access,
    create: (prompt, signal) => post(jobs, prompt, signal),
    message: (jobId, prompt, signal) => post(`${pathOf(jobId)}/message`, prompt, signal, jobId),
    read(jobId, leftMs, signal) {
      const parse = parser(parseJob, jobId)
      return callService(deps, access, { method: 'GET', path: pathOf(jobId), leftMs, signal, parse })
    },
  }
}

/** What it takes to call the service again and again. */
export type AgentDeps = ServiceDeps & RetryDeps

export interface SendRequest {
  readonly prompt: string
  /** The job to continue; undefined for a new one. */
  readonly jobId?: string | undefined
  /** On the monotonic clock, in ms; nothing is sent later. */
  readonly deadline: number
}

/**
 * Creates a job, or sends one a message, exactly once (contract 4.3).
 * @throws {CreationUncertain} when it may have been processed
 * @throws {ServiceError} when it surely was not
 * @throws {Cancelled} when the runner asks the step to stop before anything was processed
 */
export async function send(deps: AgentDeps, client: AgentClient, request: SendRequest): Promise<Job> {
  const { jobId, prompt, deadline } = request
  const call = jobId === undefined ? 'create' : 'message'
  const result = await retrySend(deps, {
    send: (signal) =>
      jobId === undefined ? client.create(prompt, signal) : client.message(jobId, prompt, signal),
    explain: (failure) => explainFailure(call, failure, client.access, jobId),
    deadline,
  })
  if ('job' in result) return result.job
  throw new CreationUncertain(causeOf(result.unknown), { cause: result.unknown })
}

/** `the service did not answer the request (connection reset)` */
function causeOf(failure: Failure): string {
  if (failure.kind === 'status') return `the service answered with HTTP ${failure.status}`
  if (failure.kind === 'unreadable') return "the service's answer held no job"
  return `the service did not answer the request (${failure.error.message})`
}

export interface ReadRequest {
  readonly jobId: string
  /** On the monotonic clock, in ms; no read starts later. */
  readonly deadline: number
  /** The longest pause between two reads, in ms, unless the service asks for a longer one. */
  readonly pollMs: number
  /** Waits until the given monotonic time. */
  readonly pause?: (until: number) => Promise<void>
}

/** `timedOut` says why the read ended before the deadline, or ''. */
export type ReadResult = { readonly job: Job } | { readonly timedOut: string }

/**
 * Reads a job, and reads again after faults that pass, until the deadline (contract 4.4, 4.5).
 * @throws {ServiceError} when another try is of no use
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function readJob(
  deps: AgentDeps,
  client: AgentClient,
  { jobId, deadline, pollMs, pause }: ReadRequest,
): Promise<ReadResult> {
  const result = await retryRead(deps, {
    read: (leftMs, signal) => client.read(jobId, leftMs, signal),
    explain: (failure) => explainFailure('read', failure, client.access, jobId),
    deadline,
    longestPauseMs: pollMs,
    pause,
  })
  return 'job' in result ? result : { timedOut: retryAfter(result.askedMs) }
}

/** @param askedMs how long the service asks to wait; undefined where it does not */
export const retryAfter = (askedMs: number | undefined): string =>
  askedMs === undefined ? '' : `The service says to retry in ${duration(askedMs)}.`
