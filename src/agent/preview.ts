import { stripVTControlCharacters } from 'node:util'
import { Cancelled } from '../errors.ts'
import { describeFailure, ServiceError } from '../http/errors.ts'
import { type Reply, retryRead, retrySend } from '../http/retry.ts'
import { callService, type ServiceAccess, type ServiceCall, type ServiceDeps } from '../http/service.ts'
import { asArray, asObject, asString, parseJson } from '../json.ts'
import { usableLink } from '../link.ts'
import { explainFailure } from '../messages/errors.ts'
import { cut, duration, oneLine } from '../text.ts'
import type { AgentDeps } from './client.ts'
import { isJobId } from './job.ts'
import { pauseMs, progressLog } from './poll.ts'

/** The preview of a pull request's branch (contract 4.10); `why` is a sentence for people. */
export type Preview =
  | {
      readonly status: 'success'
      /** A URL that is safe to show (contract 2.2), or ''. */
      readonly url: string
    }
  | { readonly status: 'failure'; readonly logTail: readonly string[] }
  | { readonly status: 'timed-out' | 'unavailable'; readonly why: string }

export interface PreviewRequest {
  readonly branch: string
  /** On the monotonic clock, in ms; nothing is sent or read later. */
  readonly deadline: number
  /** The longest pause between two reads, in ms. */
  readonly pollMs: number
  /** Monotonic start of the step, for the times in the log. */
  readonly startedAt: number
}

interface Deployment {
  readonly statusId: string
  /** As the service sent it. */
  readonly url: string
}

interface DeploymentStatus {
  readonly status: string
  readonly logTail: readonly string[]
}

/** As create and read of the agent (contract 4.7). */
const CREATE_MS = 90_000
const READ_MS = 30_000

/**
 * Deploys a preview of the branch, and waits for it until the deadline. What goes wrong is part of the answer, because
 * a preview never decides how a run ends.
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function deployPreview(
  deps: AgentDeps,
  access: ServiceAccess,
  request: PreviewRequest,
): Promise<Preview> {
  if (request.branch === '') return unavailable('The service names no branch for the job.')
  if (deps.monotonic() >= request.deadline) return timedOut('Time ran out before the action requested it.')
  try {
    const deployment = await createDeployment(deps, access, request)
    return 'statusId' in deployment ? await follow(deps, access, request, deployment) : deployment
  } catch (error) {
    if (error instanceof ServiceError) return unavailable(error.message)
    throw error
  }
}

const unavailable = (why: string): Preview => ({ status: 'unavailable', why })
const timedOut = (why: string): Preview => ({ status: 'timed-out', why })

async function createDeployment(
  deps: AgentDeps,
  access: ServiceAccess,
  { branch, deadline }: PreviewRequest,
): Promise<Deployment | Preview> {
  const path = `/v1/project/preview/${encodeURIComponent(access.projectId)}`
  const { requested } = deps.cancellation
  const created = await retrySend(deps, {
    send: (signal) => {
      const timeoutMs = Math.min(CREATE_MS, Math.max(1, deadline - deps.monotonic()))
      // Nothing is lost with the answer, so a cancelled run does not wait for it.
      const either = AbortSignal.any([signal, requested])
      return call(
        deps,
        access,
        { method: 'POST', path, body: { branch }, timeoutMs, signal: either },
        parseDeployment,
      )
    },
    explain: (failure) => explainFailure('preview', failure, access),
    deadline,
  })
  if (requested.aborted) throw new Cancelled()
  if ('value' in created) return created.value
  return unavailable(
    `It is not known whether the service deploys one (${describeFailure(created.unknown)}): look at the dashboard.`,
  )
}

const UNFINISHED = ['queued', 'in_progress']

async function follow(
  deps: AgentDeps,
  access: ServiceAccess,
  request: PreviewRequest,
  { statusId, url }: Deployment,
): Promise<Preview> {
  const { deadline, pollMs, startedAt } = request
  const from = deps.monotonic()
  const isKnown = (status: string) =>
    UNFINISHED.includes(status) || status === 'success' || status === 'failure'
  const { log, pause } = progressLog(deps, { startedAt, isKnown, label: 'preview ' })
  const path = `/v1/project/update-status/${encodeURIComponent(statusId)}`
  for (;;) {
    await pause(Math.min(deadline, deps.monotonic() + pauseMs(deps.monotonic() - from, pollMs, deps.random)))
    const result = await retryRead(deps, {
      read: (leftMs, signal) =>
        call(
          deps,
          access,
          { method: 'GET', path, timeoutMs: Math.min(READ_MS, leftMs), signal },
          parseStatus,
        ),
      explain: (failure) => explainFailure('previewStatus', failure, access),
      deadline,
      longestPauseMs: pollMs,
      pause,
    })
    if (!('value' in result)) {
      const { askedMs } = result
      const asks = askedMs === undefined ? '' : ` The service says to retry in ${duration(askedMs)}.`
      return timedOut(`It was not ready when time ran out.${asks}`)
    }
    const { status, logTail } = result.value
    log(status)
    if (status === 'success') return { status, url: usableLink(url) ?? '' }
    if (status === 'failure') return { status, logTail }
  }
}

async function call<T>(
  deps: ServiceDeps,
  access: ServiceAccess,
  request: ServiceCall,
  parse: (text: string) => T | undefined,
): Promise<Reply<T>> {
  const result = await callService(deps, access, request)
  if ('failure' in result) return result
  const value = parse(result.answer.text)
  if (value !== undefined) return { value }
  return { failure: { kind: 'unreadable', detail: 'an answer that is not about a preview' } }
}

function parseDeployment(text: string): Deployment | undefined {
  const { statusId, previewUrl } = asObject(parseJson(text))
  // The id goes into a path, as that of a job does.
  const id = asString(statusId)
  return isJobId(id) ? { statusId: id, url: asString(previewUrl) } : undefined
}

/** What people see of a build's log: its last lines, each of at most so many characters. */
const LOG_LINES = 15
const LINE_LENGTH = 250

function parseStatus(text: string): DeploymentStatus | undefined {
  const { status, logs, summary } = asObject(parseJson(text))
  if (asString(status) === '') return undefined
  const lines = [...asArray(logs).slice(-LOG_LINES).map(asString), asString(summary)]
    .flatMap((entry) => stripVTControlCharacters(cut(entry, 100_000)).split(/\r?\n/))
    .map((line) => oneLine(line, LINE_LENGTH))
    .filter(Boolean)
  return { status: oneLine(asString(status), 50), logTail: lines.slice(-LOG_LINES) }
}
