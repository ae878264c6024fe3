import * as v from 'valibot'
import { parseJson, text } from '../json.ts'
import { usableLink, withoutCredentials } from '../link.ts'
import { isJobId, type Job } from '../request/job.ts'
import { oneLine } from '../text.ts'

const line = v.pipe(
  text,
  v.transform((value) => oneLine(value)),
)
/** Credentials go first: of a long token, a cut would leave a part that does not look like one. */
const repository = v.pipe(
  text,
  v.transform((value) => oneLine(withoutCredentials(oneLine(value, value.length)))),
)
// A larger number has lost digits, and would name another job (contract 2.6).
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

/** Undefined for a text without a JSON object, a usable id, or a status. */
export function parseJob(json: string): Job | undefined {
  const job = parseAcceptedJob(json)
  return job === undefined || job.status === '' ? undefined : job
}

/** The same for the answer to create and message: the id alone will do, because the id must not be lost. */
export function parseAcceptedJob(json: string): Job | undefined {
  const { success, output } = v.safeParse(ANSWER, parseJson(json))
  if (!success) return undefined
  const { source, prLink: link, ...job } = output
  const prLink = usableLink(link) ?? ''
  return { ...job, ...source, prLink, unusableLink: link !== '' && prLink === '' }
}
