import { Octokit } from '@octokit/core'
import { paginateRest } from '@octokit/plugin-paginate-rest'
import type { Cancellation } from '../core/cancellation.ts'
import { parse } from '../core/json.ts'
import { VERSION } from '../core/version.ts'
import { exchange, type HttpAnswer } from '../http/exchange.ts'
import { retryAfterMs } from '../http/retry-after.ts'

/**
 * GitHub's REST API. Not the client of @actions/github: that one brings undici and the methods of all endpoints,
 * 1 MB and 40 ms of start; this one types the same routes by their paths.
 */
export type GitHub = InstanceType<typeof GitHubClient>
const GitHubClient = Octokit.plugin(paginateRest)

export interface GitHubDeps {
  readonly fetch: typeof fetch
  readonly cancellation: Cancellation
  now(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface GitHubAccess {
  /** `GITHUB_API_URL`; on GitHub Enterprise Server it has a path. */
  readonly apiUrl: string
  readonly token: string
}

/** A request that hangs gives up after this long. */
const TIMEOUT_MS = 10_000
/** Retries after the first try (contract 5.7). */
const RETRIES = 3
/** A rate limit that asks for a longer wait ends the try: the thread is not worth a runner that sleeps. */
const LONGEST_WAIT_MS = 60_000

export function githubClient(deps: GitHubDeps, access: GitHubAccess): GitHub {
  return new GitHubClient({
    baseUrl: access.apiUrl,
    ...(access.token === '' ? {} : { auth: access.token }),
    userAgent: `docs-agent-action/${VERSION}`,
    request: { fetch: retrying(deps, access.apiUrl) },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  })
}

/** `fetch` with a time limit for the whole answer, and with retries after rate limits and faults of the server. */
function retrying(deps: GitHubDeps, apiUrl: string): typeof fetch {
  /** Tries of each comment, by its text: whoever makes it asks again himself, and all tries count together. */
  const tried = new Map<unknown, number>()
  return async (input, init) => {
    const url = String(input)
    const method = init?.method ?? 'GET'
    // A second comment would be read by people: whoever makes comments looks first whether this one is there.
    const repeatable = !(method === 'POST' && url.endsWith('/comments'))
    // What GitHub says where the next page is must not lead the token elsewhere.
    if (new URL(url).origin !== new URL(apiUrl).origin) throw new Error('GitHub pointed to another host')
    for (let retry = repeatable ? 0 : (tried.get(init?.body) ?? 0); ; retry++) {
      if (retry > RETRIES) throw new Error('GitHub was asked often enough')
      if (!repeatable) tried.set(init?.body, retry + 1)
      const answer = await exchange(deps, {
        method,
        url,
        headers: init?.headers as Record<string, string>,
        ...(typeof init?.body === 'string' ? { body: init.body } : {}),
        redirect: 'follow',
        timeoutMs: TIMEOUT_MS,
        signal: deps.cancellation.everythingEnds,
      })
      const wait = waitMs(answer, deps.now(), retry, repeatable)
      const { requested } = deps.cancellation
      if (wait === undefined || retry >= RETRIES || wait > LONGEST_WAIT_MS || requested.aborted) {
        // octokit would take nothing at all for an empty list, and a thread for one that remembers nothing.
        if (method === 'GET' && answer.status === 200 && !holdsJson(answer.text)) throw new Error(NO_JSON)
        return responseOf(answer)
      }
      await deps.sleep(wait, requested).catch(() => undefined)
    }
  }
}

const NO_JSON = 'GitHub answered with something that is no JSON'

function holdsJson(text: string): boolean {
  const value = parse(text)
  return typeof value === 'object' && value !== null
}

/** How long to wait before the next try, or undefined when the answer stands. */
function waitMs(answer: HttpAnswer, now: number, retry: number, repeatable: boolean): number | undefined {
  const { status, headers } = answer
  const spent = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'
  const limited = spent && (status === 403 || status === 429)
  if (!limited && !(status >= 500 && repeatable)) return undefined
  return Math.max(retryAfterMs(headers, now) ?? 0, 500 * 2 ** retry)
}

/** What octokit reads: the constructor takes no body for the statuses that have none. */
function responseOf({ status, headers, text }: HttpAnswer): Response {
  return new Response(status === 204 || status === 205 || status === 304 ? null : text, { status, headers })
}
