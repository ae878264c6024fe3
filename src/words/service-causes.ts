import type { ErrorReason } from '../errors.ts'
import { describeFailure, type Failure, type Fate, fateOf, isForeign, isTooLarge } from '../http/failure.ts'
import type { Judgement, ServiceAccess } from '../http/service.ts'
import { code, duration, joined } from '../text.ts'
import { KEEP_THREADS } from './phrases.ts'

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
  /** The next step: a sentence, or one that depends on the call. */
  readonly remedy: string | ((context: Context) => string)
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

const LIMITS: Readonly<Record<Asked, readonly [limit: string, unless: string]>> = {
  job: [
    'The limit is 100 job creations and 100 messages per project and hour',
    'run again later, or put several requests in one prompt',
  ],
  read: ['', 'run again later'],
  analytics: [
    'The limit is 100 requests an organization an hour, shared by all analytics',
    'run again later, or raise `timeout-minutes`',
  ],
}

const limitRemedy = ({ call, isDated }: Context): string =>
  sentence(joined(': ', LIMITS[CALLS[call].kind][0], isDated ? '' : LIMITS[CALLS[call].kind][1]))

const sentence = (text: string): string =>
  text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const CREDITS =
  'The organization has no credits left: add some, or switch on overages, in the dashboard under Usage. Then run again.'
const PLAN =
  "The organization's plan does not include this: change the plan in the dashboard, then run again. A new key does not help."
const BILL =
  "A payment of the organization is open: settle it in the dashboard's billing settings, then run again. A new key does not help."
const QUOTA =
  'The quota or the spending limit is used up: raise it in the dashboard under Usage, or wait for the next month. Then run again.'
const SUSPENDED =
  'The service has suspended the organization, the project or the account: look at the dashboard, or ask its support. A new key does not help.'
const SCOPE =
  'The key lacks a scope: make an admin key with write scope in the dashboard under Settings → API keys (read scope is enough for `visitors` and `insights`), and pass that as `api-key`.'
const ALLOWLIST =
  "The key's IP allowlist leaves this runner out, and GitHub-hosted runners have no fixed address: use a key without a list (dashboard, Settings → API keys), or a runner whose address is on it."
const TOO_LONG =
  'Ask for less at a time: the prompt holds the request, the texts around it, and the reference files.'

/**
 * From what the service says to the cause; the first that applies counts. Causes that many statuses share come by their
 * words, others by their status: a 401 that says "upgrade your plan" is about the plan.
 */
const CAUSES: readonly Cause[] = [
  {
    says: /\brate[ _-]?limit|\btoo many requests\b|\brequests? per (second|minute|hour)\b|\bthrottl(ed|ing)\b|\bslow down\b|\bhourly limit\b/i,
    ...{ reason: 'rate-limited', remedy: limitRemedy, passes: true },
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
    ...{ isOfKey: true, reason: 'unauthorized', remedy: ({ access }) => renewal(access) },
  },
  {
    ...{ status: [400, 422] },
    says: /\b(invalid|expired|revoked|missing) api[ _-]?key\b|\bapi[ _-]?key\b[^.]{0,20}\b(invalid|not valid|expired|revoked|missing)\b/i,
    ...{ isOfKey: true, reason: 'unauthorized', remedy: ({ access }) => renewal(access) },
  },
  {
    ...{ status: [400, 403, 409, 410, 422, 423], calls: ['message'] },
    says: /\b(job|agent|session|conversation)\b[^.]{0,20}\b(archived|closed|deleted|expired|ended)\b/i,
    ...{ reason: 'rejected', remedy: 'The job takes no more messages: ask for a new job.' },
  },
  {
    ...{ status: [400, 403, 409, 422, 423], calls: ['message'] },
    says: /\b(job|agent|session|conversation)\b[^.]{0,20}\b(running|busy|active|working|in progress|processing)\b/i,
    ...{ reason: 'rejected', remedy: 'The job is at work: repeat the request once it has ended.' },
  },
  { status: [413], reason: 'rejected', remedy: TOO_LONG },
  {
    ...{ status: [400, 422], calls: ['create', 'message'] },
    says: /\bprompt\b[^.]{0,30}\b(too (long|large|big)|exceeds?|at most|maximum)\b|\b(payload|body|content|input|request|context)\b[^.]{0,20}\b(too (long|large|big)|exceeds?)\b/i,
    ...{ reason: 'rejected', remedy: TOO_LONG },
  },
  {
    status: [402],
    reason: 'payment-required',
    remedy:
      'The organization may have no credits left, or an open bill: look at the dashboard under Usage, then run again.',
  },
  { status: [429], reason: 'rate-limited', remedy: limitRemedy },
]

/** Where the service's own words name no cause that is known. */
const BY_STATUS: readonly Cause[] = [
  {
    ...{ status: [401], isOfKey: true, reason: 'unauthorized' },
    remedy:
      'Perhaps the API key is wrong or has expired, or the plan does not include this: look at the dashboard under Settings → API keys.',
  },
  {
    ...{ status: [403], isOfKey: true, reason: 'forbidden' },
    remedy:
      'The key may lack a scope, its IP allowlist may leave this runner out, or the plan may not include this: check them in the dashboard.',
  },
  { status: [404], reason: 'job-not-found', remedy: notFound },
]
const REJECTED: Cause = {
  reason: 'rejected',
  remedy: 'Do what the service says, or look at the dashboard. Then run again.',
}

const NETWORK = 'check `base-url`, and the proxy and the firewall of the runner.'

/** What a failed request means: why, in one to three sentences with the next step, and what became of the request. */
export function judge(call: Call, failure: Failure, access: ServiceAccess, jobId = ''): Judgement {
  const what = `${CALLS[call].doing} (${describeFailure(failure)})`
  if (failure.kind === 'transport' && !isTooLarge(failure)) {
    const remedy = `C${NETWORK.slice(1)}`
    return judged('network', fateOf(failure), `The request to ${what} got no answer. ${remedy}`)
  }
  if (failure.kind !== 'status') {
    if (isForeign(failure)) return foreign(call, failure, what)
    const remedy = 'Check `base-url`: another server may answer there.'
    return judged('bad-response', fateOf(failure), `The request to ${what} got an unusable answer. ${remedy}`)
  }
  const { status, retryAfterMs } = failure
  const refused = `The service refused to ${what}.`
  const isDated = retryAfterMs !== undefined
  const wait = isDated ? `The service says to retry in ${duration(retryAfterMs)}.` : ''
  if (status >= 500 || status === 408) {
    const again = isDated ? `${wait} Run again then.` : 'Run again in a few minutes.'
    return judged('service-unavailable', fateOf(failure), `${refused} ${again}`)
  }
  const cause = causeOf(call, failure)
  if (cause === undefined) return foreign(call, failure, what)
  const { reason, passes } = cause
  const fate = passes === undefined ? fateOf(failure) : passes ? 'limited' : 'refused'
  const context = { call, access, jobId, isDated }
  const said = typeof cause.remedy === 'string' ? cause.remedy : cause.remedy(context)
  const remedy = (cause.isOfKey && keyHint(access.apiKey)) || said
  return judged(reason, fate, joined(' ', refused, wait, remedy))
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
  const known = CAUSES.find(fits)
  if (known !== undefined || mayBeAnother) return known
  return BY_STATUS.find(fits) ?? REJECTED
}

const REASONS: Readonly<Record<number, ErrorReason>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'bad-response',
}

/** It says nothing about a job or a key. */
function foreign(call: Call, failure: Failure, what: string): Judgement {
  const [status, isPage] =
    failure.kind === 'status' ? [failure.status, failure.isPage === true] : ([200, true] as const)
  if (call !== 'read' && status >= 300 && status < 400) {
    const text = `The request to ${what} got a redirect, which the action does not follow, to keep the key safe. Set \`base-url\` to the final address.`
    return judged('bad-response', 'refused', text)
  }
  const got = `The request to ${what} got an answer that is not the service's own.`
  const why = `A firewall, a proxy or a login page may have sent it: ${NETWORK}`
  if (call === 'read') {
    const text = joined(' ', got, why, 'The job may go on: look at the dashboard.')
    return judged('service-unavailable', fateOf(failure), text)
  }
  if (isPage) return judged('bad-response', fateOf(failure), joined(' ', got, why))
  const isOfKey = status === 401 || status === 403
  const then = isOfKey ? 'If the network is fine, look at the dashboard under Settings → API keys.' : ''
  return judged(REASONS[status] ?? 'rejected', fateOf(failure), joined(' ', got, why, then))
}

function notFound({ call, access, jobId }: Context): string {
  const noJob = `The service knows no job ${code(jobId)} in the project ${code(access.projectId)}`
  if (call === 'read')
    return `${noJob}: look at the dashboard. If the agent opened no pull request, send the whole request again.`
  return call === 'message'
    ? `${noJob}: check \`job-id\` and \`project-id\`.`
    : `The service knows no project ${code(access.projectId)}: check \`project-id\` in the dashboard under Settings → API keys.`
}

/** Why it is not known whether the service processed a request. */
export function explainUnknown(failure: Failure): string {
  if (failure.kind === 'status') return `The service answered ${describeFailure(failure)}.`
  if (failure.kind === 'unreadable') return "The service's answer held no job."
  return `The service did not answer the request (${failure.error.message}).`
}

/** Overwriting the secret of a key that signs what threads remember would make them start over. */
function renewal({ apiKey, memoryKey }: ServiceAccess): string {
  const hasOwnMemory = memoryKey !== '' && memoryKey !== apiKey
  const store = hasOwnMemory
    ? ' and store it in the secret that `api-key` reads: `memory-key` keeps the threads.'
    : `. Without a \`memory-key\`, threads then start over: [keep them](${KEEP_THREADS}) before you overwrite the secret.`
  return `The API key is wrong or has expired. Make a new admin key in the dashboard under Settings → API keys${store}`
}

/** Two other kinds of key look much alike. The prefix is a hint, never a condition. */
const OTHER_KEYS: Readonly<Record<string, string>> = { mint_dsc_: 'an assistant', mint_us_: 'an index' }

function keyHint(apiKey: string): string {
  const [prefix, kind] = Object.entries(OTHER_KEYS).find(([start]) => apiKey.startsWith(start)) ?? []
  if (prefix === undefined) return ''
  return `The key begins with ${code(prefix)} like ${kind} key, which cannot do this: make an admin key in the dashboard under Settings → API keys, and pass that as \`api-key\`.`
}
