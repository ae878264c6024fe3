import { object, parse, text as textOf } from './json.ts'
import { usableLink } from './link.ts'
import { oneLine } from './text.ts'

/**
 * A job of the agent, as last read. The interface's description marks no field as required, so everything but the
 * id and the status may be missing; a missing or null text is ''.
 */
export interface Job {
  readonly id: string
  /** `active`, `completed`, `archived`, `failed`, or a status that did not exist when this was written. */
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

/** Statuses after which a job does nothing more on its own. */
const TERMINAL: ReadonlySet<string> = new Set(['completed', 'archived', 'failed'])
const KNOWN: ReadonlySet<string> = new Set([...TERMINAL, 'active'])

export const isTerminal = (status: string): boolean => TERMINAL.has(status)
export const isKnownStatus = (status: string): boolean => KNOWN.has(status)

/** Reads a job out of an answer's text. Undefined when it holds none: no JSON object, no usable id, or no status. */
export function parseJob(text: string): Job | undefined {
  const job = parseAcceptedJob(text)
  return job === undefined || job.status === '' ? undefined : job
}

/** A job of which only this much is remembered. */
export function knownJob(known: { readonly job: string; readonly status: string; readonly pr: string }): Job {
  const unknown = { model: '', repository: '', ref: '', createdAt: '', archivedAt: '', unusableLink: false }
  return { ...unknown, id: known.job, status: known.status, prLink: usableLink(known.pr) ?? '' }
}

/** The same for the answer to create and message: the id alone will do, since that is what must not be lost. */
export function parseAcceptedJob(text: string): Job | undefined {
  const raw = object(parse(text))
  const id = typeof raw.id === 'number' ? String(raw.id) : raw.id
  if (typeof id !== 'string' || !isJobId(id)) return undefined
  const source = object(raw.source)
  const link = textOf(raw.prLink)
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

/** Printable ASCII that can stand in a path: `.` and `..` would climb out of it, even percent-encoded. */
export const isJobId = (id: string): boolean => /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/.test(id)

const field = (value: unknown): string => oneLine(textOf(value))
