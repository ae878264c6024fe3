import type { getOctokit } from '@actions/github'
import type { Deps } from '../deps.ts'
import { loadToolkit, type RunContext } from '../event/run-context.ts'
import { dateOf } from '../http/failure.ts'
import {
  exchange,
  type HttpAnswer,
  type HttpDeps,
  type HttpRequest,
  TransportError,
  USER_AGENT,
} from '../http/fetch.ts'

export type Octokit = ReturnType<typeof getOctokit>

/** GitHub ends its own work after this time, too. */
const TIMEOUT_MS = 10_000
/** GitHub makes none larger. A hundred of the longest comments are about 20 MiB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MOST_REDIRECTS = 5

/** On GitHub Enterprise Server `apiUrl` has a path. */
export type Endpoint = Pick<RunContext, 'apiUrl' | 'repository' | 'repositoryId'>

/** Where all octokits of a process get their answers. */
export interface Octokits {
  /** One takes 0.1 to 0.3 ms, so each phase of a run has its own. It tries nothing again: see `persistRequests`. */
  create(): Octokit
  /** In ms since the epoch, as the last answer told it, or this machine where none has. The header counts whole seconds. */
  clock(): number
}

/** Octokits whose requests have a time limit for the whole answer. */
export async function octokitsAt(
  deps: HttpDeps & Pick<Deps, 'cancellation' | 'now' | 'monotonic'>,
  endpoint: Endpoint,
  token: string,
): Promise<Octokits> {
  const toolkit = await loadToolkit()
  /** The clock of the forge less the monotonic one. */
  let aheadMs: number | undefined
  const send: typeof fetch = async (input, init) => {
    const request: HttpRequest = {
      method: init?.method ?? 'GET',
      url: String(input),
      headers: init?.headers as Record<string, string>,
      ...(typeof init?.body === 'string' ? { body: init.body } : {}),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      signal: deps.cancellation.everythingEnds,
    }
    const response = await followRedirects(deps, endpoint, request)
    const date = dateOf(response.headers.get('date') ?? '')
    if (date !== undefined) aheadMs = date - deps.monotonic()
    return response
  }
  const create = () =>
    // octokit takes no empty token; GitHub answers the placeholder with 401, and the warning says what to pass.
    toolkit.getOctokit(token || 'none', {
      baseUrl: endpoint.apiUrl,
      userAgent: USER_AGENT,
      request: { fetch: send },
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    })
  return { create, clock: () => (aheadMs === undefined ? deps.now() : aheadMs + deps.monotonic()) }
}

/** Follows redirects within GitHub's own origin only: elsewhere, neither the token nor the answer belongs. */
async function followRedirects(deps: HttpDeps, endpoint: Endpoint, request: HttpRequest): Promise<Response> {
  const refuse = (what: string): never => {
    throw new TransportError('redirect', what)
  }
  let { url } = request
  for (let redirects = 0; ; redirects++) {
    if (new URL(url).origin !== new URL(endpoint.apiUrl).origin) refuse('a redirect to another host')
    const answer = await exchange(deps, { ...request, url })
    const { status, headers } = answer
    const location = headers.get('location')
    if (status < 300 || status > 399 || status === 304 || location === null) return responseOf(answer, url)
    if (redirects >= MOST_REDIRECTS) refuse('redirects without an end')
    const target = new URL(location, url).href
    const gone = whatBecameOf(request.url, target, endpoint)
    if (gone !== undefined) return responseOf(goneAnswer(gone), url)
    if (request.method !== 'GET') {
      // 301, 302 and 303 turn every other method into GET; a write that a GET replaces has not happened.
      if (status < 307) refuse('a redirect of a write')
      if (!isSameResource(url, target, endpoint)) refuse('a redirect of a write to another repository')
    }
    url = target
  }
}

/** Of `/repos/octo/app/issues/12` or `/repositories/7/issues/12`: the repository, and the rest of the path. */
function resourceOf(address: string, { apiUrl }: Endpoint): readonly [repository: string, rest: string] {
  const base = new URL(apiUrl).pathname.replace(/\/$/, '')
  const { pathname } = new URL(address)
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : ''
  const [, repository = '', rest = ''] =
    /^(\/repos\/[^/]+\/[^/]+|\/repositories\/\d+)(\/.*)?$/.exec(path) ?? []
  return [repository.toLowerCase(), rest]
}

const byId = ({ repositoryId }: Endpoint): string => `/repositories/${repositoryId}`

/** What GitHub makes of `/repos/{owner}/{repo}` where the repository was renamed: its id stays the same. */
function isSameResource(from: string, to: string, endpoint: Endpoint): boolean {
  const [[name, rest], [target, targetRest]] = [resourceOf(from, endpoint), resourceOf(to, endpoint)]
  const isSame = target === name || (endpoint.repositoryId !== 0 && target === byId(endpoint))
  return name !== '' && isSame && rest === targetRest
}

/**
 * What became of an issue of the workflow's repository that is there no more (contract 5.7): one that was transferred
 * leads to the id of its new repository. Undefined for every other redirect.
 * https://docs.github.com/rest/issues/issues#get-an-issue
 */
function whatBecameOf(from: string, to: string, endpoint: Endpoint): string | undefined {
  const { owner, repo } = endpoint.repository
  const [name] = resourceOf(from, endpoint)
  const [target, rest] = resourceOf(to, endpoint)
  const isOwn = name === `/repos/${owner}/${repo}`.toLowerCase() || name === byId(endpoint)
  if (!isOwn || endpoint.repositoryId === 0) return undefined
  if (rest.startsWith('/discussions/')) return 'it was turned into a discussion'
  return target.startsWith('/repositories/') && target !== byId(endpoint)
    ? 'it was moved to another repository'
    : undefined
}

/** As GitHub answers for an issue that was deleted. */
const goneAnswer = (message: string): HttpAnswer => ({
  status: 410,
  headers: new Headers({ 'content-type': 'application/json' }),
  text: JSON.stringify({ message }),
})

/** What octokit reads: the constructor takes no body for the statuses that have none, and no URL. */
function responseOf({ status, headers, text }: HttpAnswer, url: string): Response {
  const body = status === 204 || status === 205 || status === 304 ? null : text
  return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url })
}
