import { stripVTControlCharacters } from 'node:util'
import { throwIfCancelled } from '../deps.ts'
import { polling, type RetryDeps, retryRead, retrySend, type WaitOptions } from '../http/retry.ts'
import { callService, type Parsed, type ServiceAccess, ServiceError } from '../http/service.ts'
import { asArray, asObject, asString, parseJson } from '../json.ts'
import { usableLink } from '../link.ts'
import { explainFailure } from '../messages/explain.ts'
import { NO_PREVIEW } from '../messages/notes.ts'
import { isJobId, type Preview } from '../request/job.ts'
import { joined, oneLine } from '../text.ts'

interface Deployment {
  readonly statusId: string
  readonly url: string
}

/**
 * Waits until the deadline. What goes wrong is part of the answer: a preview never decides how a run ends.
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function deployPreview(
  deps: RetryDeps,
  access: ServiceAccess,
  branch: string,
  options: WaitOptions,
): Promise<Preview> {
  const { deadline } = options
  if (branch === '') return unavailable(NO_PREVIEW.branch)
  if (deps.monotonic() >= deadline) return timedOut(NO_PREVIEW.noTime)
  try {
    const created = await retrySend(deps, deadline, (signal) =>
      callService(deps, access, {
        path: `/v1/project/preview/${encodeURIComponent(access.projectId)}`,
        body: { branch },
        leftMs: deadline - deps.monotonic(),
        // Nothing is lost with the answer, so a cancelled run does not wait for it.
        signal: AbortSignal.any([signal, deps.cancellation.requested]),
        parse(text): Parsed<Deployment> {
          const { statusId, previewUrl } = asObject(parseJson(text))
          // The id goes into a path, as that of a job does.
          const id = asString(statusId)
          return isJobId(id) ? { statusId: id, url: asString(previewUrl) } : OTHER_ANSWER
        },
        explain: (failure) => explainFailure('preview', failure, access),
      }),
    )
    throwIfCancelled(deps.cancellation)
    if (!('unknown' in created)) return await follow(deps, access, options, created)
    return unavailable(NO_PREVIEW.unknown(created.unknown))
  } catch (error) {
    if (error instanceof ServiceError) return unavailable(error.message)
    throw error
  }
}

const unavailable = (why: string): Preview => ({ status: 'unavailable', why })
const timedOut = (why: string): Preview => ({ status: 'timed-out', why })

const KNOWN_STATUSES = ['queued', 'in_progress', 'success', 'failure']

async function follow(
  deps: RetryDeps,
  access: ServiceAccess,
  options: WaitOptions,
  { statusId, url }: Deployment,
): Promise<Preview> {
  const { log, next } = polling(deps, options, (status) => KNOWN_STATUSES.includes(status), 'preview ')
  const path = `/v1/project/update-status/${encodeURIComponent(statusId)}`
  for (;;) {
    const result = await retryRead(deps, await next(), (leftMs, signal) =>
      callService(deps, access, {
        path,
        leftMs,
        signal,
        parse: parseStatus,
        explain: (failure) => explainFailure('previewStatus', failure, access),
      }),
    )
    if ('timedOut' in result) return timedOut(joined(' ', NO_PREVIEW.notReady, result.timedOut))
    const { status, logTail } = result
    log(status)
    if (status === 'success') return { status, url: usableLink(url) ?? '' }
    if (status === 'failure') return { status, logTail }
  }
}

const OTHER_ANSWER = { fault: 'an answer that is not about a preview' }

/** Of a build's log, people see the last lines. */
const LOG_LINES = 15
const LINE_LENGTH = 250
/** Of an entry of the log, which may be a whole log, with room for colors. */
const ENTRY_LENGTH = 20_000

function parseStatus(text: string): Parsed<{ readonly status: string; readonly logTail: readonly string[] }> {
  const { status, logs, summary } = asObject(parseJson(text))
  if (asString(status) === '') return OTHER_ANSWER
  const lines = [...asArray(logs).slice(-LOG_LINES).map(asString), asString(summary)]
    .flatMap((entry) => stripVTControlCharacters(entry.slice(-ENTRY_LENGTH)).split('\n'))
    .map((line) => oneLine(line, LINE_LENGTH))
    .filter(Boolean)
  return { status: oneLine(asString(status), 50), logTail: lines.slice(-LOG_LINES) }
}
