import type { Core } from '../deps.ts'
import { ActionError, type ErrorReason, GitHubError, type GitHubFailure, messageOf } from '../errors.ts'
import { describeFailure, type Failure } from '../http/failure.ts'
import { reasonOf, type ServiceAccess } from '../http/service.ts'
import { code, duration, listedCode, timeOfDay } from '../text.ts'
import { KEEP_THREADS } from './phrases.ts'

/** Calls of the analytics, which share a limit. */
export type AnalyticsCall = 'visitors' | 'feedback' | 'questions' | 'searches'

export type JobCall = 'create' | 'message' | 'read' | 'key'

export type Call = JobCall | AnalyticsCall

/** The next step, a sentence for each reason. */
type Remedies = Readonly<Partial<Record<ErrorReason, string>>>

const REMEDIES: Remedies = {
  forbidden:
    'The key may lack a scope, or its IP allowlist leaves this runner out (GitHub-hosted runners have no fixed address): check the key in the dashboard under Settings → API keys.',
  'payment-required':
    'The organization has no credits left: add some in the dashboard under Usage, then run again.',
  rejected: 'Change the prompt or the inputs as the message says, then run again.',
  'rate-limited':
    'The limit is 100 job creations and 100 messages per project and hour: run again later, or put several requests in one prompt.',
  'service-unavailable': 'Run again in a few minutes.',
  network: 'Check `base-url`, and the proxy and the firewall of the runner.',
  'bad-response': 'Check `base-url`: another server may answer there.',
}

const ANALYTICS_REMEDIES: Remedies = {
  rejected: 'Change the inputs as the message says, then run again.',
  'rate-limited':
    'The limit is 100 requests an organization an hour, shared by all analytics: run again later, or raise `timeout-minutes`.',
}

const READ_REMEDIES: Remedies = { 'rate-limited': 'Run again later.' }

/** `remedies`: where the call makes a difference. */
const CALLS: Readonly<Record<Call, { readonly doing: string; readonly remedies?: Remedies }>> = {
  create: { doing: 'start a job' },
  message: { doing: 'send the job a message' },
  read: { doing: 'read the job', remedies: READ_REMEDIES },
  key: { doing: 'check the API key', remedies: READ_REMEDIES },
  visitors: { doing: 'read the visitors', remedies: ANALYTICS_REMEDIES },
  feedback: { doing: "read the readers' feedback", remedies: ANALYTICS_REMEDIES },
  questions: { doing: "read the assistant's conversations", remedies: ANALYTICS_REMEDIES },
  searches: { doing: 'read the searches', remedies: ANALYTICS_REMEDIES },
}

/** One to three sentences. */
export function explainFailure(call: Call, failure: Failure, access: ServiceAccess, jobId = ''): string {
  const what = `${CALLS[call].doing} (${describeFailure(failure)})`
  if (failure.kind !== 'status' || failure.isForeign === true) {
    const got = failure.kind === 'transport' ? 'got no answer' : 'got an unusable answer'
    return `The request to ${what} ${got}. ${remedy(call, failure)}`
  }
  const { status, retryAfterMs } = failure
  if (status >= 300 && status < 400) {
    return `The request to ${what} got a redirect, which the action does not follow, to keep the key safe. Set \`base-url\` to the final address.`
  }
  const refused = `The service refused to ${what}.`
  if (status === 404) return `${refused} ${notFound(call, access, jobId)}`
  const wait = retryAfterMs === undefined ? '' : ` The service says to retry in ${duration(retryAfterMs)}.`
  const hint = keyHint(status, access.apiKey) || (status === 401 ? renewal(access) : remedy(call, failure))
  return `${refused}${wait} ${hint}`
}

function remedy(call: Call, failure: Failure): string {
  const reason = reasonOf(failure)
  const detail = failure.kind === 'status' ? failure.detail : ''
  const known =
    reason === 'forbidden' ? FORBIDDEN.find((rule) => rule.detail.test(detail))?.remedy : undefined
  return known ?? CALLS[call].remedies?.[reason] ?? REMEDIES[reason] ?? ''
}

/** What the body of a 403 says. */
const FORBIDDEN: readonly { readonly detail: RegExp; readonly remedy: string }[] = [
  {
    detail: /\bscopes?\b|read-only/i,
    remedy:
      'The key lacks a scope: make an admin key with write scope in the dashboard under Settings → API keys (read scope is enough for `visitors` and `insights`), and pass that as `api-key`.',
  },
  {
    detail: /\bIP\b|allow-?list/i,
    remedy:
      "The key's IP allowlist leaves this runner out, and GitHub-hosted runners have no fixed address: use a key without a list (dashboard, Settings → API keys), or a runner whose address is on it.",
  },
]

function notFound(call: Call, access: ServiceAccess, jobId: string): string {
  const noJob = `The service knows no job ${code(jobId)} in the project ${code(access.projectId)}`
  if (call === 'read') return `${noJob}: look at the dashboard.`
  return call === 'message'
    ? `${noJob}: check \`job-id\` and \`project-id\`.`
    : `The service knows no project ${code(access.projectId)}: check \`project-id\` in the dashboard under Settings → API keys.`
}

/** Why it is not known whether the service processed a request. */
export function explainUnknown(failure: Failure): string {
  if (failure.kind === 'status') return `The service answered HTTP ${failure.status}.`
  if (failure.kind === 'unreadable') return "The service's answer held no job."
  return `The service did not answer the request (${failure.error.message}).`
}

/** Overwriting the secret of a key that signs what threads remember would make them start over. */
function renewal({ apiKey, memoryKey }: ServiceAccess): string {
  const hasOwnMemory = memoryKey !== '' && memoryKey !== apiKey
  const store = hasOwnMemory
    ? ' and store it in the secret that `api-key` reads: `memory-key` keeps the threads.'
    : `. Before you overwrite the secret: without a \`memory-key\`, threads start over. [Keep them](${KEEP_THREADS}).`
  return `The API key is wrong or has expired. Make a new admin key in the dashboard under Settings → API keys${store}`
}

/** Two other kinds of key look much alike. The prefix is a hint, never a condition. */
const OTHER_KEYS: Readonly<Record<string, string>> = { mint_dsc_: 'an assistant', mint_us_: 'an index' }

function keyHint(status: number, apiKey: string): string {
  const [prefix, kind] = Object.entries(OTHER_KEYS).find(([start]) => apiKey.startsWith(start)) ?? []
  if (prefix === undefined || (status !== 401 && status !== 403)) return ''
  return `The key begins with ${code(prefix)} like ${kind} key, which cannot do this: make an admin key in the dashboard under Settings → API keys, and pass that as \`api-key\`.`
}

/**
 * What GitHub refused, or that it is away, with the line to add where a permission is missing.
 * @param doing completes "Could not …"
 * @param permission the workflow permissions that it takes, such as `issues: write`; '' where none gives it
 */
export function explainGitHub(error: unknown, doing: string, permission: string): string {
  if (!(error instanceof GitHubError)) {
    return `Could not ${doing} (${code(messageOf(error), 150)}).`
  }
  const { kind, httpStatus, detail } = error
  if (kind === 'away') {
    return `Could not ${doing} (${goneFor(error)}: ${quoteDetail(detail)}). ${limitRemedy(error)}`.trim()
  }
  const remedy =
    GITHUB_REMEDIES.find((rule) => rule.status.includes(httpStatus) && rule.says.test(detail))?.remedy ?? ''
  const add = permission === '' ? 'Pass a `github-token` that can do this.' : addLines(permission.split(', '))
  return `Could not ${doing} (HTTP ${httpStatus}: ${quoteDetail(detail)}). ${remedy.replace('{add}', add)}`.trim()
}

/** The HTML of a server in front would fill a phone. */
const quoteDetail = (detail: string): string =>
  /^\s*</.test(detail) ? 'a page instead of an answer' : code(detail, 150)

/** A limit that asks for too long a pause, and a redirect elsewhere, end the request at once. */
function goneFor({ httpStatus, triedMs }: GitHubFailure): string {
  const long = triedMs < 1000 ? '' : ` for ${duration(triedMs)}`
  if (httpStatus === 200) return `An answer was unusable${long}`
  return httpStatus === 0 ? `GitHub did not answer${long}` : `GitHub answered HTTP ${httpStatus}${long}`
}

function limitRemedy({ detail, httpStatus, limitedUntil }: GitHubError): string {
  if (limitedUntil !== undefined) return `The rate limit is used up until ${timeOfDay(limitedUntil)}.`
  return httpStatus === 429 || /rate limit|abuse/i.test(detail) ? 'The rate limit is used up.' : ''
}

function addLines(permissions: readonly string[]): string {
  const [lines, those] =
    permissions.length === 1 ? ['line', 'that permission'] : ['lines', 'those permissions']
  const names = listedCode(permissions)
  return `Add the ${lines} ${names} under \`permissions:\` of the job in the workflow file, or give ${those} to the token in \`github-token\`.`
}

/** GitHub stayed away before the agent was asked. */
export function explainAway(failure: GitHubFailure): string {
  const { detail, limitedUntil } = failure
  const until = limitedUntil === undefined ? '' : ` Its rate limit ends at ${timeOfDay(limitedUntil)}.`
  return `${goneFor(failure)} (${quoteDetail(detail)}), so nothing was sent.${until} Re-run the workflow, or comment again.`
}

/**
 * From what GitHub says to what can be done; the first that applies counts. A 403 has many causes, and a missing permission
 * is only the one that names nothing else. `{add}` stands for the line to add.
 */
const GITHUB_REMEDIES: readonly {
  readonly status: readonly number[]
  readonly says: RegExp
  readonly remedy: string
}[] = [
  { status: [401], says: /./, remedy: 'Pass a valid `github-token`.' },
  {
    status: [403, 404, 407, 451],
    says: /^\s*</,
    remedy: 'A proxy or a firewall may answer in the place of GitHub: check the network of the runner.',
  },
  {
    status: [403],
    says: /IP allow ?list|IP address is not permitted/i,
    remedy:
      "The organization's IP allow list leaves this runner out, and GitHub-hosted runners have no fixed address: use a runner whose address is on the list.",
  },
  {
    status: [403],
    says: /\bSAML\b|single sign-on|\bSSO\b/i,
    remedy:
      'Authorize the token in `github-token` for the single sign-on of the organization, or use the token of the workflow.',
  },
  {
    status: [403],
    says: /forbids access via|token's lifetime/i,
    remedy:
      'The organization does not take this kind of token: pass the token of a GitHub App as `github-token`.',
  },
  {
    status: [403, 410],
    says: /archived/i,
    remedy: 'Unarchive the repository, or disable this workflow.',
  },
  {
    status: [403, 422],
    says: /more than [\d,]+ comments|commenting is disabled/i,
    remedy: 'GitHub takes no more comments in this thread: go on in a new issue or pull request.',
  },
  { status: [403, 410, 422], says: /lock/i, remedy: 'Unlock the thread to let the action comment there.' },
  {
    status: [403, 422],
    says: /interaction limit|limited the ability to comment/i,
    remedy:
      'The repository limits who may comment: lift that under Settings → Moderation, or wait for its end.',
  },
  {
    status: [403, 451],
    says: /suspended|blocked|disabled (?:by|for)|has been disabled/i,
    remedy: 'GitHub has blocked the repository or the account: ask an owner, or GitHub.',
  },
  {
    status: [410],
    says: /disabled/i,
    remedy: 'Turn on issues in the settings of the repository, or use another input than `issue-title`.',
  },
  { status: [403], says: /./, remedy: '{add}' },
  { status: [404], says: /./, remedy: 'Check that it exists. {add}' },
]

export function explainError(core: Pick<Core, 'isDebug' | 'debug'>, error: unknown): string {
  if (error instanceof ActionError) return error.message
  // A bug of the action itself: its stack goes to the debug log only.
  if (core.isDebug() && error instanceof Error) core.debug(error.stack ?? '')
  return `Unexpected error (${code(messageOf(error), 200)}). Re-run with debug logging, and report the log as an issue.`
}
