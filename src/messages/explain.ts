import type { Core } from '../deps.ts'
import { ActionError, GitHubError, type GitHubFailure, messageOf } from '../errors.ts'
import { code, duration, listedCode, timeOfDay } from '../text.ts'

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
