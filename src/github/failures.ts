import { GitHubError, messageOf } from '../errors.ts'
import { type Failure, fateOf, retryAfterMs } from '../http/failure.ts'
import { TransportError } from '../http/fetch.ts'
import { asArray, asObject, asString, isObject } from '../json.ts'
import { joined, oneLine } from '../text.ts'

/** An answer that octokit takes for a good one. */
export class UnusableAnswer extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super()
    this.failure = failure
  }
}

/** GitHub's secondary limits have no status of their own. */
const LIMIT = /rate limit|abuse/i

/** @param error what octokit threw @param now in ms since the epoch */
export function failureOf(error: unknown, now: number): Failure {
  if (error instanceof UnusableAnswer) return error.failure
  const { response, cause } = asObject(error instanceof Error ? { ...error, cause: error.cause } : error)
  if (cause instanceof TransportError) return { kind: 'transport', error: cause }
  if (!isObject(response))
    return { kind: 'transport', error: new TransportError('broken', oneLine(messageOf(error), 150)) }
  const status = Number(response.status)
  const headers = new Headers(Object.entries(asObject(response.headers)).map(([k, v]) => [k, String(v)]))
  const detail = oneLine(messageIn(response.data) || messageOf(error), 150)
  const isSpent = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'
  const isLimit = status === 429 || (status === 403 && (isSpent || LIMIT.test(detail)))
  const asked = isLimit || headers.has('retry-after') ? retryAfterMs(headers, now) : undefined
  return { kind: 'status', status, detail, retryAfterMs: asked, isLimit }
}

/** "Validation Failed" says what failed in its list of errors: texts, or objects that may have one. */
function messageIn(data: unknown): string {
  const { message, errors } = asObject(data)
  const faults = asArray(errors).map((fault) => {
    const { message: said, resource, field, code } = asObject(fault)
    return (
      asString(fault) || asString(said) || [resource, field, code].map(asString).filter(Boolean).join(' ')
    )
  })
  return joined(': ', asString(message), joined(', ', ...faults))
}

/** What GitHub refuses stays refused; everything else may pass. */
export function githubError(
  failure: Failure,
  { triedMs, limitedUntil, cause }: Pick<GitHubError, 'triedMs' | 'limitedUntil' | 'cause'>,
): GitHubError {
  const isRefused = failure.kind === 'status' && fateOf(failure) === 'refused'
  const httpStatus = failure.kind === 'status' ? failure.status : failure.kind === 'unreadable' ? 200 : 0
  const detail = failure.kind === 'transport' ? failure.error.message : failure.detail
  return new GitHubError(
    { kind: isRefused ? 'refused' : 'away', httpStatus, detail, triedMs, limitedUntil },
    { cause },
  )
}
