import type { RunContext } from '../event/trigger.ts'
import { dateOf, type TimeLimits } from '../http/failure.ts'
import { exchange, type HttpAnswer, type HttpRequest, TransportError, USER_AGENT } from '../http/fetch.ts'
import { parseJson } from '../json.ts'
import { fullName } from '../link.ts'
import { type Octokit, pacer, type RequestDeps, type Retry, retryRequests, TIMEOUT_MS } from './requests.ts'

/** GitHub makes none larger. A hundred of the longest comments are about 20 MiB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MOST_REDIRECTS = 5

/** On GitHub Enterprise Server `apiUrl` has a path. */
export type Endpoint = Pick<RunContext, 'apiUrl' | 'repository' | 'repositoryId'>

interface LocatedAnswer extends HttpAnswer {
  /** Where it came from at last. */
  readonly url: string
}

/** What one phase of a run reaches the forge with. */
export interface Connection {
  /** Tries again by itself, unless an earlier try must be looked for first. */
  readonly octokit: Octokit
  readonly retry: Retry
  /** What the process has learned, for all its phases. */
  readonly known: {
    ownLogin?: Promise<string | undefined> | undefined
    /** Whether a name, in lower case, is one of the repository's. */
    readonly names: Map<string, Promise<boolean>>
  }
  /** In ms since the epoch, as the last answer said, or this machine where none has. The header counts whole seconds. */
  clock(): number
  /**
   * The option `request` of what is read again and again: it asks only for what changed, and an answer 304 does not count
   * against the limit of the hour. https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
   */
  readonly repeated: { readonly fetch: typeof fetch }
  /** For another phase: its requests are tried for that long, in turn with those of the others. */
  during(limits: TimeLimits): Connection
}

/** This many answers are remembered, the ones read last, and none longer than the next number. */
const MOST_REMEMBERED = 20
const MAX_REMEMBERED_CHARACTERS = 2_000_000

/** @param limits of the first phase */
export async function connect(
  deps: RequestDeps,
  endpoint: Endpoint,
  token: string,
  limits: TimeLimits,
): Promise<Connection> {
  const toolkit = await import(/* webpackMode: "eager" */ '@actions/github')
  /** The clock of the forge less the monotonic one. */
  let aheadMs: number | undefined
  const remembered = new Map<string, LocatedAnswer>()

  async function send(input: string, init?: RequestInit): Promise<LocatedAnswer> {
    const request: HttpRequest = {
      method: init?.method ?? 'GET',
      url: input,
      headers: init?.headers as Record<string, string>,
      ...(typeof init?.body === 'string' ? { body: init.body } : {}),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      signal: deps.cancellation.everythingEnds,
    }
    const answer = await followRedirects(deps, endpoint, request)
    const date = dateOf(answer.headers.get('date') ?? '')
    if (date !== undefined) aheadMs = date - deps.monotonic()
    return answer
  }

  async function sendIfChanged(input: string, init?: RequestInit): Promise<LocatedAnswer> {
    const last = remembered.get(input)
    const etag = last?.headers.get('etag')
    const headers = { ...init?.headers, ...(etag && { 'if-none-match': etag }) }
    const answer = await send(input, { ...init, headers })
    const current = answer.status === 304 && last !== undefined ? last : answer
    if (current.status !== 200) return current
    // The answer read last stands last.
    remembered.delete(input)
    const isShort = current.text.length <= MAX_REMEMBERED_CHARACTERS
    // One that cannot be used, such as half of one, would come back each time that GitHub says that nothing changed.
    const isUsable = typeof (parseJson(current.text) ?? '') === 'object'
    if (current.headers.has('etag') && isShort && isUsable) remembered.set(input, current)
    const [oldest = ''] = remembered.keys()
    if (remembered.size > MOST_REMEMBERED) remembered.delete(oldest)
    return current
  }

  const inTurn = pacer(deps)
  const shared = {
    known: { names: new Map() },
    clock: () => (aheadMs === undefined ? deps.now() : aheadMs + deps.monotonic()),
    repeated: { fetch: asFetch(sendIfChanged) },
  }
  function during(phase: TimeLimits): Connection {
    // Making one takes 0.1 to 0.3 ms. octokit refuses an empty token; GitHub answers the placeholder with 401, and the
    // warning says what to pass.
    const octokit = toolkit.getOctokit(token || 'none', {
      baseUrl: endpoint.apiUrl,
      userAgent: USER_AGENT,
      request: { fetch: asFetch(send) },
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    })
    return { ...shared, octokit, retry: retryRequests(octokit, deps, phase, inTurn), during }
  }
  return during(limits)
}

/** What octokit reads: the constructor takes no body for the statuses that have none, and no URL. */
const asFetch =
  (send: (url: string, init?: RequestInit) => Promise<LocatedAnswer>): typeof fetch =>
  async (input, init) => {
    const { status, headers, text, url } = await send(String(input), init)
    const body = status === 204 || status === 205 || status === 304 ? null : text
    return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url })
  }

/**
 * Follows redirects within GitHub's own origin only: the token must not go elsewhere, nor the answer come from there. A
 * write stays in its repository: after a rename, GitHub makes `/repositories/{id}` of `/repos/{owner}/{repo}`.
 */
async function followRedirects(
  deps: RequestDeps,
  { apiUrl, repository, repositoryId }: Endpoint,
  request: HttpRequest,
): Promise<LocatedAnswer> {
  const refuse = (what: string): never => {
    throw new TransportError('redirect', what)
  }
  const byId = repositoryId === 0 ? '' : `/repositories/${repositoryId}`
  const [name, rest] = resourceOf(request.url, apiUrl)
  const isOwn = name !== '' && [`/repos/${fullName(repository)}`.toLowerCase(), byId].includes(name)
  let { url } = request
  for (let redirects = 0; ; redirects++) {
    if (new URL(url).origin !== new URL(apiUrl).origin) refuse('a redirect to another host')
    const answer = await exchange(deps, { ...request, url })
    const { status, headers } = answer
    const location = headers.get('location')
    if (status < 300 || status > 399 || status === 304 || location === null) return { ...answer, url }
    if (redirects >= MOST_REDIRECTS) refuse('redirects without an end')
    url = new URL(location, url).href
    const [target, targetRest] = resourceOf(url, apiUrl)
    let message = ''
    if (isOwn && byId !== '') {
      // An issue that was transferred leads to the id of its new repository (contract 5.7).
      // https://docs.github.com/rest/issues/issues#get-an-issue
      const isMoved = target.startsWith('/repositories/') && target !== byId
      if (targetRest.startsWith('/discussions/')) message = 'it was turned into a discussion'
      else if (isMoved) message = 'it was moved to another repository'
    }
    const isSame = name !== '' && targetRest === rest && (target === name || (isOwn && target === byId))
    if (message === '' && request.method !== 'GET' && (status < 307 || !isSame)) {
      // 301, 302 and 303 turn every other method into GET; a write that a GET replaces has not happened.
      message = `a redirect of a write${status < 307 ? '' : ' to another repository'}`
      // Other repositories may have another name by now: that is no outage, and waiting does not help.
      if (isOwn || name === '') refuse(message)
    }
    if (message !== '') {
      // As GitHub answers for an issue that was deleted.
      const headers = new Headers({ 'content-type': 'application/json' })
      return { status: 410, headers, text: JSON.stringify({ message }), url: request.url }
    }
  }
}

/** Of `/repos/octo/app/issues/12` or `/repositories/7/issues/12`: the repository, and the rest of the path. */
function resourceOf(address: string, apiUrl: string): readonly [repository: string, rest: string] {
  const base = new URL(apiUrl).pathname.replace(/\/$/, '')
  const { pathname } = new URL(address)
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : ''
  const [, repository = '', rest = ''] =
    /^(\/repos\/[^/]+\/[^/]+|\/repositories\/\d+)(\/.*)?$/.exec(path) ?? []
  return [repository.toLowerCase(), rest]
}
