import type { getOctokit } from '@actions/github'
import type { Deps } from '../deps.ts'
import {
  exchange,
  type HttpAnswer,
  type HttpDeps,
  type HttpRequest,
  TransportError,
  USER_AGENT,
} from '../http/fetch.ts'
import { retryAfterMs } from '../http/service.ts'
import { parseJson } from '../json.ts'
import { parseList } from './answers.ts'

export type Octokit = ReturnType<typeof getOctokit>

export type GitHubDeps = HttpDeps & Pick<Deps, 'cancellation' | 'now'>

/** A request times out after this long. */
const TIMEOUT_MS = 10_000
/** Retries after the first try (contract 5.7). */
const RETRIES = 3
/** A rate limit that asks for a longer wait ends the try: a report is not worth a runner that sleeps. */
const LONGEST_WAIT_MS = 60_000
/** Redirects in a row, as after the renaming of a repository. */
const MOST_REDIRECTS = 5

/**
 * `@actions/github` parses the event file when it is first loaded, and throws where the file is broken: the step loads
 * it where it can report that.
 */
export const loadToolkit = () => import(/* webpackMode: "eager" */ '@actions/github')

/** @param apiUrl on GitHub Enterprise Server it has a path */
export async function octokitClient(deps: GitHubDeps, apiUrl: string, token: string): Promise<Octokit> {
  const toolkit = await loadToolkit()
  // octokit takes no empty token; GitHub answers the placeholder with 401, and the warning says what to pass.
  return toolkit.getOctokit(token || 'none', {
    baseUrl: apiUrl,
    userAgent: USER_AGENT,
    request: { fetch: retryingFetch(deps, apiUrl) },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  })
}

/** `fetch` with a time limit for the whole answer, and with retries after rate limits and server errors. */
function retryingFetch(deps: GitHubDeps, apiUrl: string): typeof fetch {
  /** Tries of each comment, by its text: `createOnce` tries again itself, and all tries count together. */
  const tries = new Map<unknown, number>()
  return async (input, init) => {
    const method = init?.method ?? 'GET'
    const request: HttpRequest = {
      method,
      url: String(input),
      headers: init?.headers as Record<string, string>,
      ...(typeof init?.body === 'string' ? { body: init.body } : {}),
      timeoutMs: TIMEOUT_MS,
      signal: deps.cancellation.everythingEnds,
    }
    // A second comment or issue is visible to people: their makers look first whether the first one is there.
    const repeatable = !(method === 'POST' && /\/(comments|issues)$/.test(new URL(request.url).pathname))
    for (let retry = repeatable ? 0 : (tries.get(init?.body) ?? 0); ; retry++) {
      if (retry > RETRIES) throw new Error('GitHub did not answer after four tries')
      if (!repeatable) tries.set(init?.body, retry + 1)
      const answer = await followRedirects(deps, apiUrl, request)
      const wait = waitMs(answer, deps.now(), retry, repeatable)
      const { requested } = deps.cancellation
      if (wait === undefined || retry >= RETRIES || wait > LONGEST_WAIT_MS || requested.aborted) {
        // octokit takes an empty answer for an empty list, and an unread thread must not look like an empty one.
        if (method === 'GET' && answer.status === 200 && !holdsJson(answer.text))
          throw new Error('GitHub answered with something that is no JSON')
        return responseOf(answer)
      }
      await deps.sleep(wait, requested).catch(() => undefined)
    }
  }
}

/** Follows redirects within GitHub's own origin only: elsewhere, neither the token nor the answer belongs. */
async function followRedirects(deps: HttpDeps, apiUrl: string, request: HttpRequest): Promise<HttpAnswer> {
  let { url } = request
  for (let redirects = 0; ; redirects++) {
    if (new URL(url).origin !== new URL(apiUrl).origin) throw new Error('GitHub pointed to another host')
    const answer = await exchange(deps, { ...request, url })
    const { status, headers } = answer
    const location = headers.get('location')
    if (status < 300 || status > 399 || status === 304 || location === null) return answer
    if (redirects >= MOST_REDIRECTS) throw new Error('GitHub redirected too often')
    // 301, 302 and 303 turn every other method into GET; a write that a GET replaces has not happened.
    if (request.method !== 'GET' && status < 307) throw new Error('GitHub redirected a write')
    url = new URL(location, url).href
  }
}

function holdsJson(text: string): boolean {
  const value = parseJson(text)
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

/**
 * Entries of a page. A hundred texts as long as GitHub takes them are larger than what the action reads of one answer
 * (contract 4.7); ten of them always fit.
 */
const PAGE_SIZE = 100
export const SMALL_PAGE_SIZE = 10

/** GitHub takes 2,500 comments a thread, 275 pages at most; a listing that goes on for longer than this never ends. */
const MOST_PAGES = 300

/** Pages of a list as they come, of the size that is asked for. */
type List = (pageSize: number) => AsyncIterable<{ readonly data: unknown }>

/** The pages of a list as they come, and from the first one that is too large on in small ones. */
export async function* pagesOf(list: List): AsyncIterable<readonly unknown[]> {
  let read = 0
  try {
    for await (const { data } of list(PAGE_SIZE)) {
      const entries = parseList(data)
      read += entries.length
      yield entries
    }
  } catch (error) {
    if (!isTooLarge(error)) throw error
    for await (const { data } of list(SMALL_PAGE_SIZE)) {
      const entries = parseList(data)
      const known = Math.min(entries.length, read)
      read -= known
      yield entries.slice(known)
    }
  }
}

/** A whole list. @param enough entries after which no further page is read */
export async function entriesOf(list: List, enough = Number.POSITIVE_INFINITY): Promise<readonly unknown[]> {
  const entries: unknown[] = []
  let pages = 0
  for await (const page of pagesOf(list)) {
    entries.push(...page)
    pages += 1
    if (entries.length >= enough || pages >= MOST_PAGES) break
  }
  return entries
}

/** One page of a list by its number, in parts where it is too large. */
export async function pageOf(
  page: number,
  read: (part: { readonly per_page: number; readonly page: number }) => Promise<{ readonly data: unknown }>,
): Promise<readonly unknown[]> {
  try {
    return parseList((await read({ per_page: PAGE_SIZE, page })).data)
  } catch (error) {
    if (!isTooLarge(error)) throw error
  }
  const parts = PAGE_SIZE / SMALL_PAGE_SIZE
  const entries: unknown[] = []
  for (let part = 1; part <= parts; part++) {
    const { data } = await read({ per_page: SMALL_PAGE_SIZE, page: (page - 1) * parts + part })
    const some = parseList(data)
    entries.push(...some)
    if (some.length < SMALL_PAGE_SIZE) break
  }
  return entries
}

function isTooLarge(error: unknown): boolean {
  if (error instanceof TransportError) return error.kind === 'too-large'
  return error instanceof Error && error.cause !== undefined && isTooLarge(error.cause)
}
