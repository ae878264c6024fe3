import type { Core } from '../base/deps.ts'
import { ActionError, GitHubError, type GitHubFailure, messageOf } from '../base/errors.ts'
import { codeSpan, duration, joined, listedCode, timeOfDay } from '../base/text.ts'
import { isThrottle, isUnlistable } from '../http/failure.ts'
import { remedyFor } from './github-causes.ts'
import { ASK_ANEW, RERUN, RERUN_SOON } from './phrases.ts'

/** Whose token it is, as far as that is known: what gives it a permission differs. */
export type TokenKind = 'workflow' | 'app' | 'person'

/**
 * What GitHub refused, or that it is away, with the line to add where a permission is missing.
 * @param doing completes "Could not …"
 * @param permission the workflow permissions that it takes, such as `issues: write`; '' where none gives it
 */
export function explainGitHub(
  error: unknown,
  doing: string,
  permission: string,
  token: TokenKind = 'workflow',
): string {
  if (!(error instanceof GitHubError)) {
    return `Could not ${doing} (${codeSpan(messageOf(error), 150)}).`
  }
  const { kind, httpStatus, detail } = error
  if (kind === 'away') {
    return `Could not ${doing} (${joined(': ', goneFor(error), quoteDetail(detail))}). ${limitRemedy(error)}`.trim()
  }
  const add =
    permission === '' ? 'Pass a `github-token` that can do this.' : addLines(permission.split(', '), token)
  return `Could not ${doing} (${joined(': ', `HTTP ${httpStatus}`, quoteDetail(detail))}). ${remedyFor(error, add)}`.trim()
}

/** The same, and how to go on afterwards. */
export function explainRefusal(
  error: unknown,
  doing: string,
  permission: string,
): readonly [cause: string, then: string] {
  const cause = explainGitHub(error, doing, permission)
  return [cause, cause.includes('`permissions:`') ? ASK_ANEW : RERUN]
}

/** The HTML of a server in front would fill a phone. */
const quoteDetail = (detail: string): string =>
  /^\s*</.test(detail) ? 'a page instead of an answer' : codeSpan(detail, 150)

/** A limit that asks for too long a pause, and a redirect elsewhere, end the request at once. */
function goneFor({ httpStatus, triedMs }: GitHubFailure): string {
  const long = triedMs < 1000 ? '' : ` for ${duration(triedMs)}`
  if (httpStatus >= 200 && httpStatus < 300) return `An answer was unusable${long}`
  return httpStatus === 0 ? `GitHub did not answer${long}` : `GitHub answered HTTP ${httpStatus}${long}`
}

function limitRemedy({ detail, httpStatus, limitedUntil }: GitHubError): string {
  if (limitedUntil !== undefined) return `The rate limit is used up until ${timeOfDay(limitedUntil)}.`
  return httpStatus === 429 || isThrottle(httpStatus, detail) ? 'The rate limit is used up.' : ''
}

function addLines(permissions: readonly string[], token: TokenKind): string {
  const [lines, those] =
    permissions.length === 1 ? ['line', 'that permission'] : ['lines', 'those permissions']
  const names = permissionNames(permissions, token)
  switch (token) {
    case 'workflow':
      return `Add the ${lines} ${names} under \`permissions:\` of the job in the workflow file, or give ${those} to the token in \`github-token\`.`
    case 'app':
      return `Add the ${lines} ${names} to the step that makes the token, and give ${those} to the App.`
    case 'person':
      return `Give ${names} to the token in \`github-token\`.`
  }
}

/** As people write them for such a token: `permission-issues: write` is an input of the action that makes an App's. */
export const permissionNames = (permissions: readonly string[], token: TokenKind): string =>
  listedCode(permissions.map((one) => (token === 'app' ? `permission-${one}` : one)))

const ASK_WITHOUT = 'If GitHub still does not list the changes then, a command asks without them.'

/** GitHub stayed away before the agent was asked. */
export function explainAway(failure: GitHubFailure): string {
  const { detail, limitedUntil } = failure
  const until = limitedUntil === undefined ? '' : ` Its rate limit ends at ${timeOfDay(limitedUntil)}.`
  const why = detail === '' ? '' : ` (${quoteDetail(detail)})`
  const then = isUnlistable(failure) ? ` ${ASK_WITHOUT}` : ''
  return `${goneFor(failure)}${why}, so nothing was sent.${until} ${until === '' ? RERUN_SOON : RERUN}${then}`
}

export function explainError(core: Pick<Core, 'isDebug' | 'debug'>, error: unknown): string {
  if (error instanceof ActionError) return error.message
  // A bug of the action itself: its stack goes to the debug log only.
  if (core.isDebug() && error instanceof Error) core.debug(error.stack ?? '')
  return `Unexpected error (${codeSpan(messageOf(error), 200)}). Re-run the workflow with debug logging, and report the log as an issue.`
}
