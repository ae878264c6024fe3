import { type Job, parseAcceptedJob, parseJob } from '../core/job.ts'
import { callService, type ServiceAccess, type ServiceDeps } from '../http/service.ts'
import type { Failure } from '../http/service-error.ts'

/** A read gives up after 30 s, create and message after 90 s (contract 4.7). */
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
    call: Parameters<typeof callService>[2],
    parse: (text: string) => Job | undefined,
    jobId = '',
  ): Promise<JobResult> {
    const result = await callService(deps, access, call)
    if ('failure' in result) return result
    const job = parse(result.answer.text)
    if (job !== undefined && jobId !== '' && job.id !== jobId) {
      return { failure: { kind: 'unreadable', detail: 'an answer about another job' } }
    }
    return job === undefined
      ? { failure: { kind: 'unreadable', detail: 'an answer that is no job' } }
      : { job }
  }
  const cancelledBy = (signal?: AbortSignal) => (signal === undefined ? {} : { signal })

  return {
    access,
    create: (prompt, signal) =>
      request(
        { method: 'POST', path: jobs, body: { prompt }, timeoutMs: SEND_MS, ...cancelledBy(signal) },
        parseAcceptedJob,
      ),
    message: (jobId, prompt, signal) =>
      request(
        {
          method: 'POST',
          path: `${pathOf(jobId)}/message`,
          body: { prompt },
          timeoutMs: SEND_MS,
          ...cancelledBy(signal),
        },
        parseAcceptedJob,
        jobId,
      ),
    read: (jobId, timeoutMs = READ_MS, signal) =>
      request(
        {
          method: 'GET',
          path: pathOf(jobId),
          timeoutMs: Math.min(READ_MS, Math.max(1, timeoutMs)),
          ...cancelledBy(signal),
        },
        parseJob,
        jobId,
      ),
  }
}
