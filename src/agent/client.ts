import { CreationUncertain } from '../errors.ts'
import { type RetryDeps, retryRead, retrySend } from '../http/retry.ts'
import {
  callService,
  type Failure,
  type Parsed,
  type ServiceAccess,
  type ServiceDeps,
} from '../http/service.ts'
import { explainFailure } from '../messages/errors.ts'
import { duration } from '../text.ts'
import { type Job, parseAcceptedJob, parseJob } from './job.ts'

export type AgentClient = ReturnType<typeof agentClient>

/** The three calls of the agent API, each one request without a second try. */
export function agentClient(deps: ServiceDeps, access: ServiceAccess) {
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
    create: (prompt: string, signal?: AbortSignal) => post(jobs, prompt, signal),
    message: (jobId: string, prompt: string, signal?: AbortSignal) =>
      post(`${pathOf(jobId)}/message`, prompt, signal, jobId),
    /** @param leftMs until the deadline */
    read(jobId: string, leftMs?: number, signal?: AbortSignal) {
      const parse = parser(parseJob, jobId)
      return callService(deps, access, { method: 'GET', path: pathOf(jobId), leftMs, signal, parse })
    },
  }
}

export type AgentDeps = ServiceDeps & RetryDeps

/** How long to wait for a job or a preview, and how often to read it. */
export interface WaitOptions {
  /** On the monotonic clock, in ms; nothing is sent or read later. */
  readonly deadline: number
  /** The longest pause between two reads, in ms, unless the service asks for a longer one. */
  readonly pollMs: number
  /** Monotonic start of the step, for the times in the log. */
  readonly startedAt: number
}

export interface SendRequest extends Pick<WaitOptions, 'deadline'> {
  readonly prompt: string
  /** The job to continue; undefined for a new one. */
  readonly jobId?: string | undefined
}

/**
 * Creates a job, or sends one a message, exactly once (contract 4.3).
 * @throws {CreationUncertain} when it may have been processed
 * @throws {ServiceError} when it surely was not
 * @throws {Cancelled} when the runner asks the step to stop before anything was processed
 */
export async function send(
  deps: AgentDeps,
  client: AgentClient,
  { jobId, prompt, deadline }: SendRequest,
): Promise<Job> {
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

export interface ReadRequest extends Pick<WaitOptions, 'deadline' | 'pollMs'> {
  readonly jobId: string
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
