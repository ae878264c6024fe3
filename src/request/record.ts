import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { asArray, asId, asObject, asString, type JsonObject, parseJson } from '../json.ts'
import type { Job } from './job.ts'
import type { RequestState } from './lifecycle.ts'

/**
 * The record: what one comment of the action remembers, in a hidden HTML comment at the very end of its body.
 *
 *   <!-- docs-agent:VERSION:PAYLOAD:HMAC -->
 *
 * PAYLOAD is base64url of a JSON object; HMAC is base64url of HMAC-SHA256 over version, payload, repository id, thread
 * and project, under a key derived from `api-key` (contract 5.1). What holds and what does not:
 *
 * - Without the `api-key`, a record can neither be made nor changed: the HMAC is compared as text, so that not even the
 *   unused bits of base64's last character can vary.
 * - A record that is copied to another thread, repository or project does not verify there.
 * - A copy in the same thread counts only in a comment of a bot or of the token's own account. `writtenAt`, which is
 *   signed, decides which record is the newest, and of equals the older comment counts.
 * - A person who may delete comments can make the thread forget; that person may also push to the repository.
 * - The payload is readable, not secret. It holds ids, links and logins that the thread shows anyway.
 * - A record of another version is ignored.
 */
export type ActionRecord = RequestRecord | ThreadRecord

/** What every record of a request repeats. */
export interface RequestIdentity {
  /** Digest of the request (5.2): a re-run of the same event finds its own record by it. */
  readonly key: string
  /** `<run id>.<attempt>` of the run that wrote the record. */
  readonly run: string
  /** When the request came in, in ms since the epoch. */
  readonly requestedAt: number
  /** Login of the person who asked, '' for no person. */
  readonly requestedBy: string
  /** The command word of the workflow, such as `/docs`. */
  readonly command: string
  /** The comment that asked, `issue:123` or `review:123`; '' for none. It gets the reaction. */
  readonly comment: string
  /** What `collect` does with the pull request when the job ends. */
  readonly finish: {
    readonly preview: boolean
    readonly reviewers: readonly string[]
    readonly labels: readonly string[]
  }
  /** Newest merge that the request covers, in ms since the epoch; 0 for none (3.10). */
  readonly coversUntil: number
  /** Numbers of the merged pull requests that the request is for, in the order of their merges (3.8, 3.10). */
  readonly merged?: readonly number[]
  /** The thread is a tracking issue, whose body shows the last refresh (3.9). */
  readonly tracking?: boolean
}

interface Written {
  /** In ms since the epoch. */
  readonly writtenAt: number
  /** The id of the `eyes` on the comment that asked, 0 while it is not known. */
  readonly eyes: number
}

/** What a comment remembers of one request; also what the main step saves for the post step. */
export type RequestRecord = RequestIdentity & Written & RequestState

/** Comments that belong to the thread, not to one request. */
export type ThreadRecord = RequestIdentity &
  Written &
  (
    | { readonly state: 'refusal' }
    /** On the agent's own pull request: the way back to the job. */
    | { readonly state: 'link'; readonly job: Job }
    /** In the body of a tracking issue that the action created (3.9). */
    | { readonly state: 'tracking' }
  )

export const isRequestRecord = (record: ActionRecord) =>
  record.state !== 'refusal' && record.state !== 'link' && record.state !== 'tracking'

/** Of a record, what all records of its request repeat. */
export function identityOf(record: RequestIdentity): RequestIdentity {
  const { key, run, requestedAt, requestedBy, command, comment, finish } = record
  return { key, run, requestedAt, requestedBy, command, comment, finish, ...coverageOf(record) }
}

/** Of a record, what its request covers. */
export function coverageOf({ coversUntil, merged, tracking }: RequestIdentity) {
  return { coversUntil, ...(merged && { merged }), ...(tracking && { tracking }) }
}

/** What signatures are bound to. */
export interface SigningContext {
  readonly apiKey: string
  readonly projectId: string
  /** Stays the same when the repository is renamed. */
  readonly repositoryId: number
  readonly thread: number
}

/** The same for all threads of a repository. */
export type RepositoryScope = Omit<SigningContext, 'thread'>

/** Of the format: a record of another version does not count. */
export const RECORD_VERSION = '2'
const RECORD = new RegExp(String.raw`<!-- docs-agent:${RECORD_VERSION}:([\w-]{1,20000}):([\w-]{43}) -->\s*$`)
const ANY_RECORD = /<!-- docs-agent:\d{1,4}:/

/** The record as the last line of a comment's body. */
export function signRecord(record: ActionRecord, context: SigningContext): string {
  const payload = Buffer.from(JSON.stringify(record)).toString('base64url')
  return `<!-- docs-agent:${RECORD_VERSION}:${payload}:${signature(payload, context)} -->`
}

/** The record at the end of a comment's body, if the action signed it, for this very thread. */
export function verifyRecord(body: string, context: SigningContext): ActionRecord | undefined {
  const [, payload, hmac] = RECORD.exec(body) ?? []
  if (payload === undefined || hmac === undefined) return undefined
  if (!timingSafeEqual(Buffer.from(hmac), Buffer.from(signature(payload, context)))) return undefined
  return parseRecord(Buffer.from(payload, 'base64url').toString())
}

export const withoutRecord = (body: string): string => body.replace(RECORD, '').trimEnd()

/** Whether the text holds anything that looks like a record, signed or not. */
export const carriesRecord = (body: string): boolean => ANY_RECORD.test(body)

function signature(payload: string, context: SigningContext): string {
  const { apiKey, repositoryId, thread, projectId } = context
  const key = Buffer.from(hkdfSync('sha256', apiKey, '', 'docs-agent record', 32))
  const parts = [RECORD_VERSION, payload, repositoryId, thread, projectId]
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}

/**
 * Narrows a payload, or what the main step saved. The action signed it, and an older release may have written it in
 * another form.
 */
export function parseRecord(json: string): ActionRecord | undefined {
  const raw = asObject(parseJson(json))
  const finish = asObject(raw.finish)
  const texts = (list: unknown) => asArray(list).map(asString).filter(Boolean)
  const merged = asArray(raw.merged).flatMap((number) => asId(number) ?? [])
  const identity: RequestIdentity & Written = {
    key: asString(raw.key),
    run: asString(raw.run),
    requestedAt: asId(raw.requestedAt) ?? 0,
    requestedBy: asString(raw.requestedBy),
    command: asString(raw.command),
    comment: asString(raw.comment),
    finish: {
      preview: finish.preview === true,
      reviewers: texts(finish.reviewers),
      labels: texts(finish.labels),
    },
    coversUntil: asId(raw.coversUntil) ?? 0,
    writtenAt: asId(raw.writtenAt) ?? 0,
    eyes: asId(raw.eyes) ?? 0,
    ...(merged.length > 0 && { merged }),
    ...(raw.tracking === true && { tracking: true }),
  }
  const state = asString(raw.state)
  const fields = Object.hasOwn(FIELDS, state) ? FIELDS[state as ActionRecord['state']](raw) : undefined
  return fields && ({ ...identity, state, ...fields } as ActionRecord)
}

const noFields = () => ({})
const withJobId = (raw: JsonObject) => ({ jobId: asString(raw.jobId) })
const withJob = (raw: JsonObject) => {
  const job = parseRememberedJob(asObject(raw.job))
  return job && { job, messagedAt: asId(raw.messagedAt) ?? 0, waitsUntil: asId(raw.waitsUntil) ?? 0 }
}

/** What each state adds. A state that is added does not compile until it can be read. */
const FIELDS: Readonly<Record<ActionRecord['state'], (raw: JsonObject) => object | undefined>> = {
  received: noFields,
  sending: withJobId,
  unknown: withJobId,
  notSent: noFields,
  answered: noFields,
  running: withJob,
  detached: withJob,
  reported: withJob,
  link: withJob,
  refusal: noFields,
  tracking: noFields,
}

function parseRememberedJob(raw: JsonObject): Job | undefined {
  const id = asString(raw.id)
  if (id === '') return undefined
  return {
    id,
    status: asString(raw.status),
    prLink: asString(raw.prLink),
    unusableLink: raw.unusableLink === true,
    model: asString(raw.model),
    repository: asString(raw.repository),
    ref: asString(raw.ref),
    createdAt: asString(raw.createdAt),
    archivedAt: asString(raw.archivedAt),
  }
}
