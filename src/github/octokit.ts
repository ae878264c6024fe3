import type { getOctokit } from '@actions/github'
import type { Deps } from '../base/deps.ts'
import { GitHubError, isMade, messageOf } from '../base/errors.ts'
import { asArray, asObject, asString, isObject, parseJson } from '../base/json.ts'
import { fullName } from '../base/link.ts'
import { joined, oneLine } from '../base/text.ts'
import type { Runner } from '../event/trigger.ts'
import { dateOf, type Failure, fateOf, isSpent, isThrottle, retryAfterMs } from '../http/failure.ts'
import { exchange, type HttpAnswer, TransportError, USER_AGENT } from '../http/fetch.ts'
import { retryBudget } from './retry-budget.ts'
import { readStoredLog } from './stored-log.ts'

export type Octokit = ReturnType<typeof getOctokit>
export type RequestDeps = Omit<Deps, 'core'>
export type Connection = Awaited<ReturnType<typeof connect>>

/** On GitHub Enterprise Server `apiUrl` has a path. */
export type Endpoint = Pick<Runner, 'apiUrl' | 'repository' | 'repositoryId'>

export interface RequestTiming {
  /** On the monotonic clock, in ms: a request that begins earlier is not tried beyond it. */
  readonly deadline?: number | undefined
  /** Between two writes, for what makes many of them, in ms. */
  readonly writesApartMs?: number | undefined
}

/** GitHub ends its own work after this time, and the requests of the action end then, too. */
const TIMEOUT_MS = 10_000
/** GitHub makes none larger: a page of the longest comments has about 6 MiB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** A second one would show, or count, after what others did meanwhile: `once` looks before it. */
const CREATES = /\/(comments|issues|statuses\/[^/]+)$/
const RENDERS = /\/markdown$/
/** What GitHub leads elsewhere to: the address is the answer, and the token does not go there. */
const LEADS_AWAY = /\/actions\/jobs\/[^/]+\/logs$/
/** What is read again and again: what did not change since does not count against the limit of the hour. */
const REPEATED = /\/(pulls\/\d+|check-runs|check-suites|status)(\?|$)/

/**
 * Octokit with patience: every request is tried again after what passes, through the hook that `@octokit/plugin-retry`
 * uses. That plugin repeats a POST after a reset, which makes a second comment, and waits on the clock of the process.
 */
export async function connect(
  deps: RequestDeps,
  endpoint: Endpoint,
  token: string,
  { deadline = Number.POSITIVE_INFINITY, writesApartMs = 0 }: RequestTiming = {},
) {
  const { getOctokit } = await import(/* webpackMode: "eager" */ '@actions/github')
  const { monotonic } = deps
  const { pause, throwIfLimited, answered, beforeNextTry, beforeLook } = retryBudget(deps, deadline)
  const { fetchOnce, clock } = conditionalFetch(deps, endpoint)
  let nextWriteAt = 0

  /** As GitHub asks of what makes many writes, which meets its secondary limits otherwise. */
  async function waitToWrite(): Promise<void> {
    const now = monotonic()
    const at = Math.max(now, nextWriteAt)
    nextWriteAt = at + writesApartMs
    if (at > now) await pause(at - now)
    throwIfLimited()
  }

  // octokit refuses an empty token; GitHub answers the placeholder with 401, and the warning says what to pass.
  const octokit = getOctokit(token || 'none', {
    baseUrl: endpoint.apiUrl,
    userAgent: USER_AGENT,
    request: { fetch: fetchOnce },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  })
  octokit.hook.wrap('request', async (request, options) => {
    const { method, url } = options
    const mostMs: number | undefined = options.request?.patienceMs
    const began = monotonic()
    for (let tries = 1; ; tries++) {
      try {
        throwIfLimited()
        if (method !== 'GET' && writesApartMs > 0) await waitToWrite()
        const answer = await request(options)
        throwIfUnusable(answer, url)
        answered()
        return answer
      } catch (error) {
        const { failure, httpStatus } = failureOf(error, deps.now())
        const fate = fateOf(failure)
        if (fate === 'refused') answered()
        const isFinal = fate === 'refused' || (fate === 'open' && method === 'POST' && CREATES.test(url))
        const limitMs = isFinal ? 0 : await beforeNextTry(failure, error, { began, tries, mostMs })
        if (limitMs === undefined) continue
        const limitedUntil = fate === 'limited' ? deps.now() + limitMs : undefined
        const triedMs = monotonic() - began
        throw githubError(failure, {
          httpStatus,
          triedMs,
          limitedUntil,
          cause: error,
          call: `${method} ${url}`,
        })
      }
    }
  })

  return {
    octokit,
    /** @see readStoredLog */
    readStored: (address: string) => readStoredLog(deps, address),
    clock,
    /**
     * @param find what a write whose answer was lost may have made: before each other try, once GitHub answers again. What
     * GitHub has surely made is looked for, and never made again.
     */
    async writeOnce<T>(write: () => Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
      const began = monotonic()
      let made: GitHubError | undefined
      for (let tries = 1; ; tries++) {
        try {
          if (made !== undefined) throw made
          return await write()
        } catch (error) {
          if (!(error instanceof GitHubError) || error.kind === 'refused') throw error
          if (isMade(error)) made = error
          if (!(await beforeLook({ began, tries }))) throw error
          const found = await find()
          if (found !== undefined) return found
        }
      }
    },
  }
}

/** What `octokit` fetches with, and the clock that its answers tell. What is read again and again is asked for with its ETag. */
function conditionalFetch(deps: RequestDeps, endpoint: Endpoint) {
  const { monotonic } = deps
  /** GitHub's clock less the monotonic one. */
  let aheadMs: number | undefined
  const remembered = new Map<string, HttpAnswer>()

  async function fetchOnce(input: unknown, { method = 'GET', headers, body }: RequestInit = {}) {
    const url = String(input)
    const isRead = method === 'GET'
    const last = isRead ? remembered.get(url) : undefined
    const etag = last?.headers.get('etag')
    const answer = await exchange(deps, {
      ...{ method, url: atGitHub(url, endpoint), timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES },
      ...(typeof body === 'string' && { body }),
      headers: { ...(headers as Record<string, string>), ...(etag && { 'if-none-match': etag }) },
      // 301, 302 and 303 turn a write into a read, and a write that a read replaces has not happened.
      redirect: isRead && !LEADS_AWAY.test(url) ? 'follow' : 'manual',
      signal: deps.cancellation.everythingEnds,
    })
    const date = dateOf(answer.headers.get('date') ?? '')
    if (date !== undefined) aheadMs = date - monotonic()
    if (LEADS_AWAY.test(url)) return responseOf(answer)
    const isRedirect = answer.status >= 300 && answer.status < 400 && answer.status !== 304
    const location = isRedirect ? (answer.headers.get('location') ?? '') : ''
    const target = atGitHub(new URL(location, answer.url).href, endpoint)
    const why = whyGone(url, target, endpoint)
    if (why !== '') return responseOf({ ...answer, status: 410, text: JSON.stringify({ message: why }) })
    // A refusal counts without its body; what should hold something is lost.
    if (answer.broken !== undefined && answer.status < 300)
      throw new UnusableAnswer({ kind: 'transport', error: answer.broken }, answer.status)
    if (answer.status === 304 && last !== undefined) return responseOf(last)
    // With its ETag, a broken answer would count until the next change.
    const isWhole = answer.status === 200 && typeof (parseJson(answer.text) ?? '') === 'object'
    if (isRead && REPEATED.test(url) && isWhole) remembered.set(url, answer)
    return responseOf(answer)
  }

  /** In ms since the epoch, as the last answer said, or this machine where none has. The header counts whole seconds. */
  const clock = () => (aheadMs === undefined ? deps.now() : aheadMs + monotonic())
  return { fetchOnce, clock }
}

const REDIRECT = { kind: 'status', detail: 'a redirect of a write', retryAfterMs: undefined } as const
const NO_JSON = { kind: 'unreadable', detail: 'one that is no JSON' } as const

const isJson = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && !(data instanceof ArrayBuffer)

/** @throws {UnusableAnswer} for one that octokit takes for a good one */
function throwIfUnusable(
  { status, data }: { readonly status: number; readonly data: unknown },
  url: string,
): void {
  if (status === 302 && LEADS_AWAY.test(url)) return
  if (status >= 300) throw new UnusableAnswer({ ...REDIRECT, status }, status)
  // octokit takes an answer that is no JSON for a text, and an unread thread must not look like an empty one.
  if (status !== 204 && !isJson(data) && !RENDERS.test(url)) throw new UnusableAnswer(NO_JSON, status)
}

/** The constructor takes no body for the statuses that have none. */
const responseOf = ({ status, headers, text }: HttpAnswer): Response =>
  new Response([204, 205, 304].includes(status) ? null : text, { status, headers })

/** @throws {TransportError} for a link to another host: the token must not go there, nor the answer come from there */
function atGitHub(url: string, { apiUrl }: Endpoint): string {
  if (new URL(url).origin === new URL(apiUrl).origin) return url
  throw new TransportError('unusable', 'an address on another host')
}

/** A thread that is no longer there leads to where it is now. '' for every other redirect, such as after a renaming. */
function whyGone(from: string, to: string, { apiUrl, repository, repositoryId }: Endpoint): string {
  const own = `${apiUrl}/repos/${fullName(repository)}/`.toLowerCase()
  if (to === from || !from.toLowerCase().startsWith(own)) return ''
  if (new URL(to).pathname.includes('/discussions/')) return 'it was turned into a discussion'
  const [, id = ''] = /\/repositories\/(\d+)\//.exec(to) ?? []
  return id === '' || Number(id) === repositoryId ? '' : 'it was moved to another repository'
}

interface Failed {
  readonly failure: Failure
  /** 0 where no answer came. */
  readonly httpStatus: number
}

/** An answer that octokit takes for a good one, or of which the body was lost. */
class UnusableAnswer extends Error implements Failed {
  readonly failure: Failure
  readonly httpStatus: number

  constructor(failure: Failure, httpStatus: number) {
    super()
    this.failure = failure
    this.httpStatus = httpStatus
  }
}

/** @param error what octokit threw @param now in ms since the epoch */
function failureOf(error: unknown, now: number): Failed {
  if (error instanceof UnusableAnswer) return error
  const { response, cause } = asObject(error instanceof Error ? { ...error, cause: error.cause } : error)
  if (cause instanceof UnusableAnswer) return cause
  const broken = (why: TransportError): Failed => ({
    failure: { kind: 'transport', error: why },
    httpStatus: 0,
  })
  if (cause instanceof TransportError) return broken(cause)
  if (!isObject(response)) return broken(new TransportError('broken', oneLine(messageOf(error), 150)))
  const httpStatus = Number(response.status)
  const headers = new Headers(Object.entries(asObject(response.headers)).map(([k, v]) => [k, String(v)]))
  const isHalf = HALF.test(asString(response.data))
  const detail = oneLine(isHalf ? '' : messageIn(response.data) || messageOf(error), 150)
  const isDated = headers.has('retry-after')
  const isForbidden = httpStatus === 403 && (isDated || isSpent(headers))
  const isLimit = httpStatus === 429 || isForbidden || isThrottle(httpStatus, detail)
  const asked = isLimit || isDated ? retryAfterMs(headers, now) : undefined
  return {
    failure: { kind: 'status', status: httpStatus, detail, retryAfterMs: asked, isLimit },
    httpStatus,
  }
}

/** What octokit has in the place of JSON that was cut short: its text. */
const HALF = /^\s*[{[]/

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
function githubError(
  failure: Failure,
  { cause, ...more }: Pick<GitHubError, 'httpStatus' | 'triedMs' | 'limitedUntil' | 'cause' | 'call'>,
): GitHubError {
  const isRefused = failure.kind === 'status' && fateOf(failure) === 'refused'
  const detail = failure.kind === 'transport' ? failure.error.message : failure.detail
  return new GitHubError({ kind: isRefused ? 'refused' : 'away', detail, ...more }, { cause })
}
