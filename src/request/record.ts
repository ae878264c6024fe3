import { asArray, asId, asObject, asString, type JsonObject, parseJson } from '../json.ts'
import { withoutCredentials } from '../link.ts'
import type { Job } from './job.ts'
import { CHECKS_STATUSES, type CheckState, type RequestState } from './states.ts'

/** What one comment of the action remembers (contract 5.1). */
export type ActionRecord = RequestRecord | ThreadRecord

/** What every record of a request repeats. Times are in ms since the epoch, 0 for none. */
export interface RequestIdentity {
  /** Digest of the request (5.2): a re-run of the same event finds its own record by it. */
  readonly key: string
  /** Digest of run, workflow, job, step and project: a re-run finds its record by it where its prompt is another one. */
  readonly origin: string
  /** `<run id>.<attempt>` of the run that wrote the record. */
  readonly run: string
  readonly requestedAt: number
  /** A login; '' for no person. */
  readonly requestedBy: string
  readonly command: string
  /** The comment that asked, `issue:123` or `review:123`; '' for none. It gets the reaction. */
  readonly comment: string
  /** For the pull request, by the run that reports the end. */
  readonly settings: PullRequestSettings
  /** Newest merge that the request covers (3.10). */
  readonly coversUntil: number
  /** Numbers of the merged pull requests that the request is for, in the order of their merges (3.8, 3.10). */
  readonly merged?: readonly number[]
  /** The thread is a tracking issue, whose body shows the last refresh (3.9). */
  readonly tracking?: boolean
}

interface PullRequestSettings {
  readonly preview: boolean
  /** Logins, `org/team` for teams, and `requester` for the person who asked. */
  readonly reviewers: readonly string[]
  readonly labels: readonly string[]
}

interface Written {
  readonly writtenAt: number
}

/** Also what the main step saves for the post step. */
export type RequestRecord = RequestIdentity & Written & RequestState

export type ThreadRecord = RequestIdentity & Written & ThreadState

export type ThreadState =
  | { readonly state: 'refusal' }
  /** On the agent's own pull request: the way back to the job. */
  | { readonly state: 'link'; readonly job: Job }
  | { readonly state: 'tracking' }

export const isRequestRecord = (record: ActionRecord) =>
  record.state !== 'refusal' && record.state !== 'link' && record.state !== 'tracking'

export function identityOf(record: RequestIdentity): RequestIdentity {
  const { key, origin, run, requestedAt, requestedBy, command, comment, settings } = record
  const { coversUntil, merged, tracking } = record
  const coverage = { coversUntil, ...(merged && { merged }), ...(tracking && { tracking }) }
  return { key, origin, run, requestedAt, requestedBy, command, comment, settings, ...coverage }
}

/** The action itself wrote the payload, but an older release may have written it in another form. */
export function parseRecord(json: string): ActionRecord | undefined {
  const raw = asObject(parseJson(json))
  // Version 1.1 called them `finish`.
  const settings = asObject(raw.settings ?? raw.finish)
  const merged = asArray(raw.merged).flatMap((number) => asId(number) ?? [])
  const identity: RequestIdentity & Written = {
    key: asString(raw.key),
    origin: asString(raw.origin),
    run: asString(raw.run),
    requestedAt: asId(raw.requestedAt) ?? 0,
    requestedBy: asString(raw.requestedBy),
    command: asString(raw.command),
    comment: asString(raw.comment),
    settings: {
      preview: settings.preview === true,
      reviewers: texts(settings.reviewers),
      labels: texts(settings.labels),
    },
    coversUntil: asId(raw.coversUntil) ?? 0,
    writtenAt: asId(raw.writtenAt) ?? 0,
    ...(merged.length > 0 && { merged }),
    ...(raw.tracking === true && { tracking: true }),
  }
  const fields = fieldsOf(asString(raw.state), raw)
  return fields && { ...identity, ...fields }
}

const texts = (list: unknown): readonly string[] => asArray(list).map(asString).filter(Boolean)

/** The states of 1.1 that have another name by now. */
const EARLIER_NAMES: Readonly<Record<string, ActionRecord['state']>> = {
  received: 'idle',
  notSent: 'idle',
  answered: 'idle',
  detached: 'running',
}

function fieldsOf(name: string, raw: JsonObject): RequestState | ThreadState | undefined {
  const state = Object.hasOwn(EARLIER_NAMES, name) ? EARLIER_NAMES[name] : name
  switch (state) {
    case 'idle':
    case 'refusal':
    case 'tracking':
      return { state }
    case 'sending':
    case 'unknown':
      return { state, jobId: asString(raw.jobId) }
    case 'running':
    case 'reported':
    case 'link':
      return withJob(state, raw)
    default:
      return undefined
  }
}

function withJob(
  state: 'running' | 'reported' | 'link',
  raw: JsonObject,
): RequestState | ThreadState | undefined {
  const job = parseRememberedJob(asObject(raw.job))
  if (job === undefined) return undefined
  if (state === 'link') return { state, job }
  const checks = parseChecks(asObject(raw.checks))
  const known = { job, messagedAt: asId(raw.messagedAt) ?? 0, ...(checks && { checks }) }
  return state === 'running'
    ? { state, ...known, waitsUntil: asId(raw.waitsUntil) ?? 0 }
    : { state, ...known }
}

function parseChecks({ status, sentFor, messagedAt }: JsonObject): CheckState | undefined {
  const known = CHECKS_STATUSES.find((one) => one === status)
  return known && { status: known, sentFor: texts(sentFor), messagedAt: asId(messagedAt) ?? 0 }
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
    // Version 1.1 kept those of the service.
    repository: withoutCredentials(asString(raw.repository)),
    ref: asString(raw.ref),
    createdAt: asString(raw.createdAt),
    archivedAt: asString(raw.archivedAt),
  }
}
