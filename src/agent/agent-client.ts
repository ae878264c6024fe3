import { CreationUncertain } from '../errors.ts'
import type { Failure } from '../http/failure.ts'
import {
  type Late,
  polling,
  type ReadOptions,
  type RetryDeps,
  retryRead,
  retrySend,
  type WaitOptions,
} from '../http/retry.ts'
import { callService, type Parsed, type ServiceAccess, ServiceError } from '../http/service.ts'
import { isLoopback } from '../link.ts'
import { explainFailure, explainUnknown } from '../messages/explain.ts'
import type { Job } from '../request/job.ts'
import { isKnownStatus, isTerminal } from '../request/outcome.ts'
import { parseAcceptedJob, parseJob } from './parse-job.ts'

export type AgentClient = ReturnType<typeof agentClient>

/** The three calls of the agent API, each one request without a second try. */
export function agentClient(deps: RetryDeps, access: ServiceAccess) {
  const jobs = `/v2/agent/${encodeURIComponent(access.projectId)}/job`
  const pathOf = (jobId: string) => `${jobs}/${encodeURIComponent(jobId)}`

  /** @param jobId that the answer must be about; '' for a new job */
  const about = (call: 'create' | 'message' | 'read', jobId: string) => ({
    parse(text: string): Parsed<Job> {
      const job = call === 'read' ? parseJob(text) : parseAcceptedJob(text)
      if (job === undefined) return { fault: 'an answer that is not a job' }
      return jobId === '' || job.id === jobId ? job : { fault: 'an answer about another job' }
    },
    explain: (failure: Failure) => explainFailure(call, failure, access, jobId),
  })

  return {
    access,
    create: (prompt: string, signal?: AbortSignal) =>
      callService(deps, access, { ...about('create', ''), path: jobs, body: { prompt }, signal }),
    message(jobId: string, prompt: string, signal?: AbortSignal) {
      const path = `${pathOf(jobId)}/message`
      return callService(deps, access, { ...about('message', jobId), path, body: { prompt }, signal })
    },
    read: (jobId: string, leftMs?: number, signal?: AbortSignal) =>
      callService(deps, access, { ...about('read', jobId), path: pathOf(jobId), leftMs, signal }),
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

/** Again after faults that pass: see `retryRead`. */
export const readJob = (
  deps: RetryDeps,
  client: AgentClient,
  jobId: string,
  options: ReadOptions,
): Promise<Job | Late> => retryRead(deps, options, (leftMs, signal) => client.read(jobId, leftMs, signal))

/** The longest time for one reading of a job. */
const MOST_READING_MS = 60_000

/**
 * Reads a job once, and again only after faults that pass (contract 4.4).
 * @param known what it is as long as it is not read: there is no read behind the deadline
 * @throws {ServiceError} where it cannot be read
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function readOnce(
  deps: RetryDeps,
  client: AgentClient,
  known: Job,
  options: Pick<ReadOptions, 'deadline' | 'isKnown'>,
): Promise<Job> {
  const deadline = Math.min(options.deadline, deps.monotonic() + MOST_READING_MS)
  const job = await readJob(deps, client, known.id, { ...options, deadline })
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

export interface PollRequest extends WaitOptions {
  readonly job: Job
  /** On the monotonic clock, in ms; undefined for a new job. */
  readonly messagedAt: number | undefined
  readonly onJob: (job: Job) => void | Promise<void>
}

/** After a message, a terminal status younger than this can be the last turn's (contract 4.8). */
export const SETTLED_MS = 30_000

/**
 * @returns the job as last read; `timedOut` is set when the deadline came first: why, if early
 * @throws {ServiceError} when the service says that reading on is of no use
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function pollJob(
  deps: RetryDeps,
  client: AgentClient,
  request: PollRequest,
): Promise<{ readonly job: Job; readonly timedOut?: string }> {
  const { pollMs, messagedAt } = request
  const { log, readNext } = polling(deps, request, isKnownStatus)
  let { job } = request
  let turnBegan = messagedAt === undefined || job.status === 'active'
  const staleMs = isLoopback(client.access.baseUrl) ? 2 * pollMs : Math.max(2 * pollMs, SETTLED_MS)
  const settled = () => messagedAt !== undefined && deps.monotonic() - messagedAt >= staleMs

  log(job.status)
  while (!(isTerminal(job.status) && (turnBegan || settled()))) {
    const read = await readNext((leftMs, signal) => client.read(job.id, leftMs, signal))
    if ('timedOut' in read) return { job, timedOut: read.timedOut }
    job = read
    turnBegan ||= job.status === 'active'
    await request.onJob(job)
    log(job.status)
  }
  return { job }
}
