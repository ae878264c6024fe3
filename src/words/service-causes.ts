import type { ErrorReason } from '../base/errors.ts'
import { codeSpan, duration, joined } from '../base/text.ts'
import { describeFailure, type Failure, type Fate, fateOf, isForeign, isTooLarge } from '../http/failure.ts'
import { DEFAULT_BASE_URL, type Judgement, type ServiceAccess } from '../http/service.ts'
import { ALLOWLIST, KEYS, keyHint, RENEWAL, SCOPE } from './api-keys.ts'
import { ASK_ANEW, RERUN, RERUN_SOON, RERUN_THEN } from './phrases.ts'

/** Calls of the analytics, which share a limit. */
export type AnalyticsCall = 'visitors' | 'feedback' | 'questions' | 'searches'

export type JobCall = 'create' | 'message' | 'read' | 'key'

export type Call = JobCall | AnalyticsCall

type Asked = 'job' | 'read' | 'analytics'

const CALLS: Readonly<Record<Call, { readonly doing: string; readonly kind: Asked }>> = {
  create: { doing: 'start a job', kind: 'job' },
  message: { doing: 'send the job a message', kind: 'job' },
  read: { doing: 'read the job', kind: 'read' },
  key: { doing: 'check the API key', kind: 'read' },
  visitors: { doing: 'read the visitors', kind: 'analytics' },
  feedback: { doing: "read the readers' feedback", kind: 'analytics' },
  questions: { doing: "read the assistant's conversations", kind: 'analytics' },
  searches: { doing: 'read the searches', kind: 'analytics' },
}

interface Cause {
  /** What the body says, by whole phrases. */
  readonly says?: RegExp
  readonly status?: readonly number[]
  readonly calls?: readonly Call[]
  /** It blames the key, so only the service's own words count. */
  readonly isOfKey?: boolean
  readonly reason: ErrorReason
  /** Why, and what to repair where: sentences, or some that depend on the call. */
  readonly remedy: string | ((context: Context) => string)
  /** How to go on after that, where the job does not have the request; by default, by a re-run. */
  readonly next?: string | ((context: Context) => string)
  /** The same request can succeed later in the run; by default, the status tells. */
  readonly passes?: boolean
}

interface Context {
  readonly call: Call
  readonly access: ServiceAccess
  readonly jobId: string
  /** The service says when to come back, which the sentence has already. */
  readonly isDated: boolean
}

const LIMITS: Readonly<Record<Asked, string>> = {
  job: 'The limit is 100 job creations and 100 messages per project and hour.',
  read: '',
  analytics: 'The limit is 100 requests an organization an hour, shared by all analytics.',
}

const LATER: Readonly<Record<Asked, string>> = {
  job: 'Re-run the workflow in an hour, or put several requests in one prompt.',
  read: RERUN_SOON,
  analytics: 'Re-run the workflow in an hour, or raise `timeout-minutes`.',
}

const limitRemedy = ({ call }: Context): string => LIMITS[CALLS[call].kind]

const limitNext = ({ call, isDated }: Context): string => (isDated ? RERUN_THEN : LATER[CALLS[call].kind])

const USAGE =
  "Mintlify's dashboard, on its [Usage](https://app.mintlify.com/settings/organization/usage) page"
const CREDITS = `The organization has no credits left: buy some, or switch on overages, in ${USAGE}.`
const PLAN =
  "The organization's plan does not include this, and a new key does not help: ask an admin of your organization at Mintlify to change the plan, in Mintlify's dashboard under Settings → Organization."
const BILL =
  "A payment of the organization is open, and a new key does not help: ask an admin of your organization at Mintlify to settle it, in Mintlify's dashboard under Settings → Organization."
const QUOTA = `The quota or the spending limit is used up: raise it in ${USAGE}, or wait for the next month.`
const SUSPENDED =
  "Mintlify has suspended the organization, the project or the account, and a new key does not help: ask Mintlify's support why."
const TOO_LONG =
  'The prompt holds the request, the texts around it, and the reference files. Ask for less at a time, in a new comment or with a later event.'
const NEW_JOB = 'Ask for a new job in a new comment, with `new` behind the command.'
const UNKNOWN_ANSWER = "If you can't tell from this answer what to change, ask Mintlify's support about it."

/**
 * From what the service says to the cause; the first that applies counts. Causes that many statuses share come by their
 * words, others by their status: a 401 that says "upgrade your plan" is about the plan.
 */
const SERVICE_CAUSES: readonly Cause[] = [
  {
    says: /\brate[ _-]?limit|\btoo many requests\b|\brequests? per (second|minute|hour)\b|\bthrottl(ed|ing)\b|\bslow down\b|\bhourly limit\b/i,
    ...{ reason: 'rate-limited', remedy: limitRemedy, next: limitNext, passes: true },
  },
  {
    says: /\b(spend(ing)?|budget|billing( hard)?|usage|plan(['’]s)?) (limits?|caps?)\b|\blimits? of your plan\b|\bbudget\b[^.]{0,20}\b(exceeded|exhausted|reached)\b|\boverages?\b|\bquota\b[^.]{0,20}\b(exceeded|reached|exhausted|used up)\b|\b(exceeded|reached)\b[^.]{0,20}\bquota\b|\binsufficient_quota\b|\bmonthly (\w+ )?(limit|cap|allowance)s?\b|\b(limit|maximum|cap)\b[^.]{0,40}\b(this|per|current) (month|billing (period|cycle))\b/i,
    ...{ reason: 'payment-required', remedy: QUOTA, passes: false },
  },
  {
    says: /\b(insufficient|not enough|no|out of|more)( \w+){0,2} (credits?|balance|funds)\b|\b(credits?|balance)\b[^.]{0,20}\b(exhausted|used up|depleted|insufficient|too low|exceeded|r[au]n out)\b|\b(top up|buy|purchase)\b[^.]{0,20}\bcredits\b|\b(used|spent)( up)? all\b[^.]{0,20}\bcredits?\b|\b(0|zero) credits\b/i,
    ...{ reason: 'payment-required', remedy: CREDITS, passes: false },
  },
  {
    says: /\bpast[ -]due\b|\b(unpaid|overdue|outstanding)\b[^.]{0,20}\b(invoices?|bills?|balance|payments?)\b|\b(invoices?|bills?|payments?)\b[^.]{0,20}\b(unpaid|overdue|failed|declined|outstanding)\b|\b(add|update|valid|missing)\b[^.]{0,20}\bpayment method\b|\bcard\b[^.]{0,20}\b(declined|expired)\b/i,
    ...{ reason: 'payment-required', remedy: BILL, passes: false },
  },
  {
    says: /\b(account|organi[sz]ation|workspace|team|user)\b[^.]{0,30}\b(suspended|deactivated|disabled|blocked|frozen|banned|on hold)\b|\b(project|deployment|subscription|access)\b[^.]{0,30}\bsuspended\b|\bsuspended (account|organi[sz]ation|project|workspace)\b|\bsuspension\b/i,
    ...{ reason: 'forbidden', remedy: SUSPENDED, passes: false },
  },
  {
    says: /\bupgrade (your|the|to|plan|now|required)\b|\bplans?\b[^.]{0,20}\b(does not|doesn['’]t|do not) (include|allow|support|have)\b|\bnot (available|included|enabled|allowed|supported) (on|in|for|with|under|by)\b[^.]{0,30}\b(plan|tier|subscription)\b|\b(requires?|needs?|only available|available only|limited)\b[^.]{0,40}\b(plan|tier|subscription)s?\b|\b(subscription|plan|trial)\b[^.]{0,20}\b(expired|ended|lapsed|inactive|cancell?ed|required|over)\b|\bno active (subscription|plan)\b|\b(pro|business|enterprise|team|paid|premium)[ -](only[ -])?(features?\b|(customer|user|account|organi[sz]ation)s\b)/i,
    ...{ reason: 'payment-required', remedy: PLAN, passes: false },
  },
  {
    ...{ status: [401, 403], says: /\bscopes?\b|\bread-only\b/i },
    ...{ isOfKey: true, reason: 'forbidden', remedy: SCOPE },
  },
  {
    ...{ status: [401, 403], says: /\bIP\b|\b(allow|white)-?list/i },
    ...{ isOfKey: true, reason: 'forbidden', remedy: ALLOWLIST },
  },
  {
    ...{ status: [401, 403] },
    says: /\b(invalid|wrong|expired|revoked|missing|unknown|incorrect|bad|no)\b[^.]{0,20}\b(key|token|credentials?|authorization)\b|\b(key|token|credentials?|authorization)\b[^.]{0,20}\b(invalid|wrong|expired|revoked|missing|unknown|incorrect|malformed|not (valid|found|recogni[sz]ed))\b|^unauthori[sz]ed\W*$|\b(not authenticated|authentication (required|failed))\b/i,
    ...{ isOfKey: true, reason: 'unauthorized', remedy: RENEWAL },
  },
  {
    ...{ status: [400, 422] },
    says: /\b(invalid|expired|revoked|missing) api[ _-]?key\b|\bapi[ _-]?key\b[^.]{0,20}\b(invalid|not valid|expired|revoked|missing)\b/i,
    ...{ isOfKey: true, reason: 'unauthorized', remedy: RENEWAL },
  },
  {
    ...{ status: [400, 403, 409, 410, 422, 423], calls: ['message'] },
    says: /\b(job|agent|session|conversation)\b[^.]{0,20}\b(archived|closed|deleted|expired|ended)\b/i,
    ...{ reason: 'rejected', remedy: 'The job takes no more messages.', next: NEW_JOB },
  },
  {
    ...{ status: [400, 403, 409, 422, 423], calls: ['message'] },
    says: /\b(job|agent|session|conversation)\b[^.]{0,20}\b(running|busy|active|working|in progress|processing)\b/i,
    ...{
      reason: 'rejected',
      remedy: 'The job is at work on an earlier request.',
      next: 'Re-run the workflow once it has ended.',
    },
  },
  { status: [413], reason: 'rejected', remedy: TOO_LONG, next: '' },
  {
    ...{ status: [400, 422], calls: ['create', 'message'] },
    says: /\bprompt\b[^.]{0,30}\b(too (long|large|big)|exceeds?|at most|maximum)\b|\b(payload|body|content|input|request|context)\b[^.]{0,20}\b(too (long|large|big)|exceeds?)\b/i,
    ...{ reason: 'rejected', remedy: TOO_LONG, next: '' },
  },
  {
    status: [402],
    reason: 'payment-required',
    remedy: `The organization may have no credits left, or an open bill: look in ${USAGE}.`,
  },
  { status: [429], reason: 'rate-limited', remedy: limitRemedy, next: limitNext },
]

/** Where the service's own words name no cause that is known. */
const BY_STATUS: readonly Cause[] = [
  {
    ...{ status: [401], isOfKey: true, reason: 'unauthorized' },
    remedy: `Look in ${KEYS} whether the key has expired; if it has not, ask Mintlify's support about this answer.`,
  },
  {
    ...{ status: [403], isOfKey: true, reason: 'forbidden' },
    remedy: `Look in ${KEYS} at the scope and the IP allowlist of the key; if both are right, ask Mintlify's support about this answer.`,
  },
  {
    status: [404],
    reason: 'job-not-found',
    ...{ remedy: notFound, next: ({ call }) => (call === 'message' || call === 'read' ? '' : RERUN) },
  },
]
const REJECTED: Cause = { reason: 'rejected', remedy: UNKNOWN_ANSWER }

/** What a failed request means: why, in one to three sentences with the next step, and what became of the request. */
export function explainFailure(call: Call, failure: Failure, access: ServiceAccess, jobId = ''): Judgement {
  const what = `${CALLS[call].doing} (${describeFailure(failure)})`
  if (failure.kind === 'transport' && !isTooLarge(failure)) {
    const got = failure.status === undefined ? 'got no answer' : 'got only a part of its answer'
    const text = `The request to ${what} ${got}. Check the proxy and the firewall of the runner${orBaseUrl(access)}.`
    return judged('network', fateOf(failure), joined(' ', text, RERUN))
  }
  if (failure.kind !== 'status') {
    if (isForeign(failure)) return foreign(call, failure, what, access)
    const text = `The request to ${what} got an unusable answer. ${anotherServer(access)}`
    return judged('bad-response', fateOf(failure), joined(' ', text, RERUN))
  }
  const { status, retryAfterMs } = failure
  const isDated = retryAfterMs !== undefined
  const wait = isDated ? `The service says to retry in ${duration(retryAfterMs)}.` : ''
  if (status >= 500 || status === 408) {
    const text = joined(' ', `The request to ${what} failed.`, wait, isDated ? RERUN_THEN : RERUN_SOON)
    return judged('service-unavailable', fateOf(failure), text)
  }
  const cause = causeOf(call, failure)
  if (cause === undefined) return foreign(call, failure, what, access)
  const { reason, passes, next = RERUN } = cause
  const fate = passes === undefined ? fateOf(failure) : passes ? 'limited' : 'refused'
  const context = { call, access, jobId, isDated }
  const say = (words: Cause['remedy']) => (typeof words === 'string' ? words : words(context))
  const remedy = (cause.isOfKey && keyHint(access)) || say(cause.remedy)
  const refused = `The service refused to ${what}.`
  return judged(reason, fate, joined(' ', refused, remedy, wait, say(next)))
}

const judged = (reason: ErrorReason, fate: Fate, text: string): Judgement => ({
  reason,
  fate,
  sentence: text,
})

type StatusFailure = Extract<Failure, { kind: 'status' }>

/** Undefined where another server may have answered. */
function causeOf(call: Call, failure: StatusFailure): Cause | undefined {
  const { status, detail, isPage = false } = failure
  const mayBeAnother = isForeign(failure)
  const fits = ({ says, calls, isOfKey, ...row }: Cause): boolean =>
    (row.status?.includes(status) ?? status >= 400) &&
    (says === undefined || (!isPage && says.test(detail))) &&
    (calls?.includes(call) ?? true) &&
    !(mayBeAnother && isOfKey === true)
  const cause = SERVICE_CAUSES.find(fits)
  if (cause !== undefined || mayBeAnother) return cause
  return BY_STATUS.find(fits) ?? REJECTED
}

const REASONS_BY_STATUS: Readonly<Record<number, ErrorReason>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'bad-response',
}

/** It says nothing about a job or a key. */
function foreign(call: Call, failure: Failure, what: string, access: ServiceAccess): Judgement {
  const [status, isPage] =
    failure.kind === 'status' ? [failure.status, failure.isPage === true] : ([200, true] as const)
  if (call !== 'read' && status >= 300 && status < 400)
    return judged('bad-response', 'refused', redirected(call, status, failure, access))
  const isCut = failure.kind === 'status' && failure.isCut === true && !isPage
  const got = isCut
    ? `The request to ${what} got only a part of its answer, which may not be the service's own.`
    : `The request to ${what} got an answer that is not the service's own.`
  const why = `A firewall, a proxy or a login page may have sent it: check the network of the runner${orBaseUrl(access)}`
  if (call === 'read') return judged('service-unavailable', fateOf(failure), `${got} ${why}. ${RERUN}`)
  if (isPage) return judged('bad-response', fateOf(failure), `${got} ${why}. ${RERUN}`)
  const isOfKey = status === 401 || status === 403
  const key = isOfKey ? `; if they are fine, look at the key in ${KEYS}` : ''
  return judged(REASONS_BY_STATUS[status] ?? 'rejected', fateOf(failure), `${got} ${why}${key}. ${RERUN}`)
}

/** The input is named only where the workflow sets it. */
const orBaseUrl = ({ baseUrl }: ServiceAccess): string =>
  baseUrl === DEFAULT_BASE_URL ? '' : `, and \`base-url\` (${codeSpan(baseUrl, 100)})`

const anotherServer = ({ baseUrl }: ServiceAccess): string =>
  baseUrl === DEFAULT_BASE_URL
    ? 'Another server may answer in its place: check the proxy of the runner.'
    : `Another server may answer at ${codeSpan(baseUrl, 100)}: check \`base-url\`.`

/** The key goes to no address that the workflow does not name. */
function redirected(call: Call, status: number, failure: Failure, { baseUrl }: ServiceAccess): string {
  const { location = '' } = failure.kind === 'status' ? failure : {}
  const to = location === '' ? 'another address, which it does not name' : codeSpan(location, 150)
  const text = `The request to ${CALLS[call].doing} went to ${codeSpan(baseUrl, 100)}, which redirects it (HTTP ${status}) to ${to}. The action does not follow, to keep the key safe.`
  const base = /^(https:.*?)\/v\d\/(?:agent|analytics)\//.exec(location)?.[1]
  return base === undefined
    ? `${text} A proxy or a login page may have sent it: check the network of the runner, and \`base-url\` in the workflow. ${RERUN}`
    : `${text} If that is Mintlify's address, set ${codeSpan(`base-url: ${base}`, 150)} in the workflow. ${ASK_ANEW}`
}

function notFound({ call, access, jobId }: Context): string {
  const project = codeSpan(access.projectId)
  const noJob = `The service knows no job ${codeSpan(jobId)} in the project ${project}`
  if (call === 'read') return `${noJob}: someone may have deleted it.`
  if (call === 'message' && access.jobId === jobId)
    return `${noJob}: correct \`job-id\` in the workflow, or leave it out. ${ASK_ANEW}`
  if (call === 'message') return `${noJob}: someone may have deleted it. ${NEW_JOB}`
  return `The service knows no project ${project}: copy the id from ${KEYS} into the GitHub variable behind \`project-id\` (Settings → Secrets and variables → Actions; the examples name it \`MINTLIFY_PROJECT_ID\`).`
}

/** Why it is not known whether the service processed a request. @param jobId of a message; '' for a new job */
export function explainUnknown(failure: Failure, jobId: string): string {
  if (failure.kind === 'status') return `The service answered ${describeFailure(failure)}.`
  if (failure.kind === 'unreadable') return "The service's answer held no job."
  const { status, error } = failure
  if (status === undefined) return `The service did not answer the request (${error.message}).`
  const lost =
    jobId === '' ? "the job's id was lost with the rest of the answer" : 'the rest of the answer was lost'
  return `The service accepted the request (HTTP ${status}), and ${lost} (${error.message}).`
}
