import { Octokit } from '@octokit/core'
import { paginateRest } from '@octokit/plugin-paginate-rest'
import type { Cancellation } from '../cancellation.ts'
import { retryAfterMs } from '../http/retry-after.ts'
import { VERSION } from '../http/service.ts'

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
    request: { fetch: retrying(deps) },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  })
}

/** `fetch` with a time limit, and with retries after rate limits and faults of the server. */
function retrying(deps: GitHubDeps): typeof fetch {
  return async (input, init) => {
    for (let retry = 0; ; retry++) {
      const response = await timed(deps, input, init)
      const wait = waitMs(response, deps.now(), retry)
      const { requested } = deps.cancellation
      if (wait === undefined || retry >= RETRIES || wait > LONGEST_WAIT_MS || requested.aborted)
        return response
      await deps.sleep(wait, requested).catch(() => undefined)
    }
  }
}

/** How long to wait before the next try, or undefined when the answer stands. */
function waitMs(response: Response, now: number, retry: number): number | undefined {
  const { status, headers } = response
  const limited = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'
  if (status < 500 && !(limited && (status === 403 || status === 429))) return undefined
  return retryAfterMs(headers, now) ?? 500 * 2 ** retry
}

async function timed(
  deps: GitHubDeps,
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<Response> {
  const expiry = new AbortController()
  const settled = new AbortController()
  const { everythingEnds } = deps.cancellation
  deps.sleep(TIMEOUT_MS, settled.signal).then(
    () => expiry.abort(new Error('GitHub did not answer within 10 s')),
    () => undefined,
  )
  try {
    return await deps.fetch(input, { ...init, signal: AbortSignal.any([expiry.signal, everythingEnds]) })
  } finally {
    settled.abort()
  }
}
