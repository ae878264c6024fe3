import { CreationUncertain } from '../errors.ts'
import type { Failure } from '../http/errors.ts'
import { type RetryDeps, retryRead, retrySend } from '../http/retry.ts'
import { callService, type ServiceAccess, type ServiceCall, type ServiceDeps } from '../http/service.ts'
import { explainFailure } from '../messages/errors.ts'
import { duration } from '../text.ts'
import { type Job, parseAcceptedJob, parseJob } from './job.ts'

/** A read times out after 30 s, create and message after 90 s (contract 4.7). */
const READ_MS = 30_000
const SEND_MS = 90_000

export type JobResult = { readonly job: Job } | { readonly failure: Failure }

/** The three calls of the agent API, each one request without a second try. */
export interface AgentClient {
  readonly access: ServiceAccess
  create(prompt: string, signal?: AbortSignal): Promise<JobResult>
  message(jobId: string, prompt: string, signal?: AbortSignal): Promise<JobResult>
  /** @param timeoutMs at most 30 s; less where a deadline is nearer */
  read(jobId: string, timeoutMs?: number, signal?: AbortSignal): Promise<JobResult>
}

export function agentClient(deps: ServiceDeps, access: ServiceAccess): AgentClient {
  const jobs = `/v2/agent/${encodeURIComponent(access.projectId)}/job`
  const pathOf = (jobId: string) => `${jobs}/${encodeURIComponent(jobId)}`

  async function request(
    call: ServiceCall,
    parse: (text: string) => Job | undefined,
    jobId = '',
  ): Promise<JobResult> {
    const result = await callService(deps, access, call)
    if ('failure' in result) return result
    const job = parse(result.answer.text)
    if (job === undefined) return { failure: { kind: 'unreadable', detail: 'an answer that is not a job' } }
    if (jobId !== '' && job.id !== jobId) {
      return { failure: { kind: 'unreadable', detail: 'an answer about another job' } }
    }
    return { job }
  }
  const post = (path: string, prompt: string, signal: AbortSignal | undefined, jobId?: string) =>
    request({ method: 'POST', path, body: { prompt }, timeoutMs: SEND_MS, signal }, parseAcceptedJob, jobId)

  return {
    access,
    create: (prompt, signal) => post(jobs, prompt, signal),
    message: (jobId, prompt, signal) => post(`${pathOf(jobId)}/message`, prompt, signal, jobId),
    read: (jobId, timeoutMs = READ_MS, signal) =>
      request(
        {
          method: 'GET',
          path: pathOf(jobId),
          timeoutMs: Math.min(READ_MS, Math.max(1, timeoutMs)),
          signal,
        },
        parseJob,
        jobId,
      ),
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
    async send(signal) {
      const sent =
        jobId === undefined
          ? await client.create(prompt, signal)
          : await client.message(jobId, prompt, signal)
      return 'job' in sent ? { value: sent.job } : sent
    },
    explain: (failure) => explainFailure(call, failure, client.access, jobId),
    deadline,
  })
  if ('value' in result) return result.value
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
  request: ReadRequest,
): Promise<ReadResult> {
  const { jobId, deadline, pollMs, pause } = request
  const result = await retryRead(deps, {
    async read(leftMs, signal) {
      const read = await client.read(jobId, leftMs, signal)
      return 'job' in read ? { value: read.job } : read
    },
    explain: (failure) => explainFailure('read', failure, client.access, jobId),
    deadline,
    longestPauseMs: pollMs,
    ...(pause === undefined ? {} : { pause }),
  })
  if ('value' in result) return { job: result.value }
  const { askedMs } = result
  return { timedOut: askedMs === undefined ? '' : `The service says to retry in ${duration(askedMs)}.` }
}
