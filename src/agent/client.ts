import { callService, type ServiceAccess, type ServiceCall, type ServiceDeps } from '../http/service.ts'
import type { Failure } from '../http/service-error.ts'
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
    if (job === undefined) return { failure: { kind: 'unreadable', detail: 'an answer that is no job' } }
    if (jobId !== '' && job.id !== jobId) {
      return { failure: { kind: 'unreadable', detail: 'an answer about another job' } }
    }
    return { job }
  }
  const send = (path: string, prompt: string, signal: AbortSignal | undefined, jobId?: string) =>
    request({ method: 'POST', path, body: { prompt }, timeoutMs: SEND_MS, signal }, parseAcceptedJob, jobId)

  return {
    access,
    create: (prompt, signal) => send(jobs, prompt, signal),
    message: (jobId, prompt, signal) => send(`${pathOf(jobId)}/message`, prompt, signal, jobId),
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
