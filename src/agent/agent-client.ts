import * as v from 'valibot'
import { sleepUnlessCancelled } from '../base/deps.ts'
import { CreationUncertain } from '../base/errors.ts'
import { parseJson, text } from '../base/json.ts'
import { LONGEST_LINK, usableLink, withoutCredentials } from '../base/link.ts'
import { oneLine } from '../base/text.ts'
import type { Failure } from '../http/failure.ts'
import {
  isReadTimeout,
  polling,
  type ReadOptions,
  type ReadTimeout,
  type RetryDeps,
  retryRead,
  retrySend,
  type WaitOptions,
  waitsFor,
} from '../http/retry.ts'
import { callService, type Parsed, type ServiceAccess, ServiceError } from '../http/service.ts'
import { isJobId, type Job, namedLink, reread } from '../record/job.ts'
import { isKnownStatus, isTerminal } from '../record/outcome.ts'
import { afterReading, beginTurn, type Lag, turnIsOver } from '../record/turn.ts'
import { explainFailure, explainUnknown, type JobCall } from '../words/service-causes.ts'

export type AgentClient = ReturnType<typeof agentClient>

interface PollRequest extends WaitOptions {
  readonly job: Job
  /** On the monotonic clock, in ms; undefined for a new job. */
  readonly messagedAt: number | undefined
  /** The job worked on an earlier turn right before the message. */
  readonly wasBusy?: boolean
  readonly onJob: (job: Job) => void | Promise<void>
}

/** Jobs read at a time. */
export const JOBS_AT_A_TIME = 8

/** The longest time for `readOnce` and `tryKey`. */
const MOST_READING_MS = 60_000

/** No job has it, whatever ids look like: 24 digits pass where a server checks their form. */
const NO_JOB = '0'.repeat(24)

/** The jobs of the agent. What the runner asks to stop rejects with `Cancelled`. */
export function agentClient(deps: RetryDeps, access: ServiceAccess) {
  const jobs = `/v2/agent/${encodeURIComponent(access.projectId)}/job`
  const pathOf = (jobId: string) => `${jobs}/${encodeURIComponent(jobId)}`

  /** @param jobId that the answer must be about; '' for a new job */
  const about = (call: JobCall, jobId: string) => ({
    parse(json: string): Parsed<Job> {
      const job = parseJob(json, call)
      if (job === undefined) return { fault: 'an answer that is not a job' }
      return jobId === '' || job.id === jobId ? job : { fault: 'an answer about another job' }
    },
    judge: (failure: Failure) => explainFailure(call, failure, access, jobId),
  })

  /** How long a job may show the end of an earlier turn. */
  function lagOf(pollMs: number): Lag {
    const { quietMs } = waitsFor(access.baseUrl, pollMs)
    return { afterMessage: Math.max(2 * pollMs, quietMs), betweenTurns: quietMs }
  }

  const reading =
    (jobId: string, call: JobCall = 'read') =>
    (leftMs: number, signal: AbortSignal) =>
      callService(deps, access, { ...about(call, jobId), path: pathOf(jobId), leftMs, signal })

  /**
   * Reads a job: until the deadline again after faults that pass; without a deadline once, and again if a known job
   * is not found.
   * @throws {ServiceError} when another try is of no use
   */
  function read(jobId: string, options?: Pick<ReadOptions, 'isKnown' | 'signal'>): Promise<Job>
  function read(jobId: string, options: ReadOptions): Promise<Job | ReadTimeout>
  async function read(jobId: string, options: ReadOptions = {}): Promise<Job | ReadTimeout> {
    return await retryRead(deps, options, reading(jobId))
  }

  /**
   * The job at its end: one that completed without a link is read once more a little later, as the service may name its pull request
   * only then. What cannot be read stays as it is known. @throws {Cancelled}
   */
  async function atItsEnd(job: Job, pollMs: number, signal?: AbortSignal): Promise<Job> {
    if (!lacksLink(job)) return job
    const { linkMs } = waitsFor(access.baseUrl, pollMs)
    await sleepUnlessCancelled(deps, linkMs)
    return await read(job.id, signal && { signal }).then(
      (later) => (isTerminal(later) ? reread(job, later) : job),
      () => job,
    )
  }

  return {
    access,
    read,
    atItsEnd,
    lagOf,

    /**
     * Reads a job for a minute at most. @param job is returned where the deadline has passed: then nothing is read
     */
    async readOnce(
      job: Job,
      options: { readonly deadline: number; readonly isKnown?: boolean },
    ): Promise<Job> {
      const deadline = Math.min(options.deadline, deps.monotonic() + MOST_READING_MS)
      const read = await retryRead(deps, { ...options, deadline }, reading(job.id))
      if (!isReadTimeout(read)) return read
      if (read.failed !== undefined) throw read.failed
      return job
    },

    /**
     * Reads a job that cannot exist, for a minute at most: the service says that it does not know it only to a key that it
     * takes. @throws {ServiceError} `job-not-found` where it takes the key
     */
    async tryKey(deadline: number): Promise<Job | ReadTimeout> {
      const options = { deadline: Math.min(deadline, deps.monotonic() + MOST_READING_MS) }
      return await retryRead(deps, options, reading(NO_JOB, 'key'))
    },

    /**
     * Creates a job, or sends one a message, exactly once. @param request `jobId`: of a message
     * @throws as `retrySend`, and {CreationUncertain} when it may have been processed
     */
    async postPrompt(request: {
      readonly prompt: string
      readonly jobId?: string | undefined
      readonly deadline: number
      /** Called at least once a minute while the service has it wait. */
      readonly whileWaiting?: () => Promise<void>
    }): Promise<Job> {
      const { jobId, prompt, deadline, whileWaiting } = request
      const path = jobId === undefined ? jobs : `${pathOf(jobId)}/message`
      const call = {
        ...about(jobId === undefined ? 'create' : 'message', jobId ?? ''),
        path,
        body: { prompt },
      }
      const result = await retrySend(
        deps,
        deadline,
        (signal) => callService(deps, access, { ...call, signal }),
        whileWaiting,
      )
      if (!('unknown' in result)) return result
      const why = explainUnknown(result.unknown, jobId ?? '')
      throw new CreationUncertain(why, jobId ?? '', { cause: result.unknown })
    },

    /**
     * Reads a job until it ends.
     * @returns the job as last read; `late` where the deadline came first
     * @throws {ServiceError} when the service says that reading on is of no use
     */
    async poll(request: PollRequest): Promise<{ readonly job: Job; readonly late?: ReadTimeout }> {
      const { pollMs, messagedAt, wasBusy = false } = request
      let { job } = request
      const { log, next } = polling(deps, request, (status) => isKnownStatus(status) || isTerminal(job))
      let turn = beginTurn(job, messagedAt, wasBusy, deps.monotonic())
      log(job.status)
      // After a message, what a record or a late answer tells may be from before its turn.
      let isRead = messagedAt === undefined
      while (!turnIsOver(turn, deps.monotonic(), lagOf(pollMs)) || !isRead) {
        const found = await retryRead(deps, await next(), reading(job.id))
        if (isReadTimeout(found)) return { job, late: found }
        job = found
        isRead = true
        turn = afterReading(turn, job, deps.monotonic())
        await request.onJob(job)
        log(job.status)
      }
      const before = job
      job = await atItsEnd(job, pollMs)
      if (job !== before) await request.onJob(job)
      return { job }
    },

    /**
     * Reads a job that has ended until it works again, or has rested for as long as between two turns.
     * @returns whether it works again; false also where the deadline came first @throws as `poll`
     */
    async worksAgain({ id }: Pick<Job, 'id'>, waiting: WaitOptions): Promise<boolean> {
      const { next } = polling(deps, waiting)
      const until = Math.min(waiting.deadline, deps.monotonic() + lagOf(waiting.pollMs).betweenTurns)
      while (deps.monotonic() < until) {
        const found = await retryRead(deps, await next(), reading(id))
        if (isReadTimeout(found)) return false
        if (!isTerminal(found)) return true
      }
      return false
    },
  }
}

/** It completed, and names no pull request. */
export const lacksLink = (job: Job): boolean =>
  job.status === 'completed' && namedLink(job) === '' && !job.unusableLink

export const isJobNotFound = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.reason === 'job-not-found'

/** Undefined where the service no longer knows the job. */
export async function ifKnown<T>(reading: Promise<T>): Promise<T | undefined> {
  return await reading.catch((error: unknown) => {
    if (isJobNotFound(error)) return undefined
    throw error
  })
}

const line = v.pipe(
  text,
  v.transform((value) => oneLine(value)),
)
/** Credentials go first: of a long token, a cut would leave a part that does not look like one. */
const repository = v.pipe(
  text,
  v.transform((value) => oneLine(withoutCredentials(oneLine(value, value.length)))),
)
// A larger number has lost digits, and would name another job.
const safeNumber = v.pipe(v.number(), v.safeInteger(), v.transform(String))

const ANSWER = v.object({
  id: v.pipe(v.union([v.string(), safeNumber]), v.check(isJobId)),
  status: line,
  prLink: text,
  model: line,
  source: v.fallback(v.object({ repository, ref: line }), { repository: '', ref: '' }),
  createdAt: line,
  archivedAt: line,
})

/**
 * Undefined for a text without a JSON object or a usable id, and where a job is read, without a status. For the answer to
 * create and message the id alone will do, because the id must not be lost.
 */
export function parseJob(json: string, call: JobCall): Job | undefined {
  const { success, output } = v.safeParse(ANSWER, parseJson(json))
  if (!success || (call === 'read' && output.status === '')) return undefined
  const { source, prLink: link, ...job } = output
  const prLink = usableLink(link, LONGEST_LINK) ?? ''
  return { ...job, ...source, prLink, isEarlierLink: false, unusableLink: link !== '' && prLink === '' }
}
