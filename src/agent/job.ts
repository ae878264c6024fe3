import { asObject, asString, parseJson } from '../json.ts'
import { usableLink } from '../link.ts'
import { oneLine } from '../text.ts'

/**
 * A job of the agent, as last read. The service's description marks no field as required, so everything but the id and
 * the status may be missing; a missing or null text is ''.
 */
export interface Job {
  readonly id: string
  /** A `JobStatus`, or a status that this version does not know. */
  readonly status: string
  /** A URL that is safe to show (contract 2.2), or ''. */
  readonly prLink: string
  /** The service sent a link that is not passed on. */
  readonly unusableLink: boolean
  readonly model: string
  /** URL of the repository that the agent works on. */
  readonly repository: string
  readonly ref: string
  readonly createdAt: string
  readonly archivedAt: string
}

/** Reads a job out of an answer's text. Undefined when it holds none: no JSON object, no usable id, or no status. */
export function parseJob(text: string): Job | undefined {
  const job = parseAcceptedJob(text)
  return job === undefined || job.status === '' ? undefined : job
}

/** The same for the answer to create and message: the id alone will do, because the id must not be lost. */
export function parseAcceptedJob(text: string): Job | undefined {
  const raw = asObject(parseJson(text))
  // A larger number has lost digits, and would name another job (contract 2.6).
  const id = Number.isSafeInteger(raw.id) ? String(raw.id) : raw.id
  if (typeof id !== 'string' || !isJobId(id)) return undefined
  const source = asObject(raw.source)
  const link = asString(raw.prLink)
  const prLink = usableLink(link) ?? ''
  return {
    id,
    status: field(raw.status),
    prLink,
    unusableLink: link !== '' && prLink === '',
    model: field(raw.model),
    repository: field(source.repository),
    ref: field(source.ref),
    createdAt: field(raw.createdAt),
    archivedAt: field(raw.archivedAt),
  }
}

/** A job as a record remembers it. */
export function rememberedJob(known: Pick<Job, 'status' | 'prLink'> & { readonly jobId: string }): Job {
  const unknown = { model: '', repository: '', ref: '', createdAt: '', archivedAt: '', unusableLink: false }
  return { ...unknown, id: known.jobId, status: known.status, prLink: usableLink(known.prLink) ?? '' }
}

/** Printable ASCII that can stand in a path: `.` and `..` would climb out of it, even percent-encoded. */
export const isJobId = (id: string): boolean => /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/.test(id)

const field = (value: unknown): string => oneLine(asString(value))
