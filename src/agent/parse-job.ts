import { asObject, asString, parseJson } from '../json.ts'
import { usableLink, withoutCredentials } from '../link.ts'
import { isJobId, type Job } from '../request/job.ts'
import { oneLine } from '../text.ts'

/** Undefined for a text without a JSON object, a usable id, or a status. */
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
    repository: repositoryOf(asString(source.repository)),
    ref: field(source.ref),
    createdAt: field(raw.createdAt),
    archivedAt: field(raw.archivedAt),
  }
}

/** Credentials go first: of a long token, a cut would leave a part that does not look like one. */
const repositoryOf = (text: string): string => field(withoutCredentials(oneLine(text, text.length)))

const field = (value: unknown): string => oneLine(asString(value))
