import { simulatedClock } from '../../emulator/clock.ts'
import { cancellation, type Fetch } from '../../src/base/deps.ts'
import type { Runner } from '../../src/event/trigger.ts'
import { repositoryClient } from '../../src/github/github.ts'
import { connect, type RequestDeps, type RequestTiming } from '../../src/github/octokit.ts'
import { proxyFetch } from '../../src/http/fetch.ts'

/** When all tests begin, in ms since the epoch. */
export const NOW = Date.UTC(2026, 0, 1)

/**
 * A client's view of the world in front of a real server: pauses between tries take no time, pass on the clock all the
 * same, and are noted; the time limit of a request never comes.
 */
export function worldOf() {
  const pauses: number[] = []
  let passed = 0
  const never = (signal?: AbortSignal) =>
    new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const canceller = cancellation(() => never())
  const deps = {
    fetch: proxyFetch({}),
    cancellation: canceller,
    now: () => NOW + passed,
    monotonic: () => passed,
    random: () => 0,
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (ms === 10_000) return await never(signal)
      pauses.push(ms)
      passed += ms
      return undefined
    },
  }
  const pass = (ms: number) => {
    passed += ms
  }
  return { deps, canceller, pauses, pass, passed: () => passed }
}

/** GitHub at `apiUrl` of the context. */
export async function githubAt(
  more: Partial<Runner>,
  { deps }: { readonly deps: RequestDeps } = worldOf(),
  pace: RequestTiming = {},
  token = 'test-token',
) {
  const context = contextOf(more)
  return repositoryClient(await connect(deps, context, token, pace), context)
}

export interface Call {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Headers
  readonly body: unknown
  /** When it came, in ms since the beginning. */
  readonly at: number
}

export interface Reply {
  readonly status?: number
  readonly json?: unknown
  /** As it is, in the place of `json`. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The connection breaks within the body. */
  readonly breaks?: boolean
  /** Until the answer, in ms. */
  readonly takes?: number
}

/** A GitHub that answers as `reply` says, of octo/app with the id 3, on a clock on which an hour takes no time. */
export async function scripted(reply: (call: Call) => Reply, pace: RequestTiming = {}) {
  const clock = simulatedClock(0)
  const calls: Call[] = []
  const fetch: Fetch = async (url, { method = 'GET', headers, body, signal }) => {
    const path = url.replace('https://api.github.test', '')
    const json = typeof body === 'string' ? JSON.parse(body) : undefined
    const call = { method, path, headers: new Headers(headers), body: json, at: clock.passed() }
    calls.push(call)
    const {
      status = 200,
      json: answer,
      text = JSON.stringify(answer),
      headers: more,
      takes = 0,
      breaks = false,
    } = reply(call)
    if (takes > 0) await clock.sleep(takes, signal ?? undefined)
    const type = { 'content-type': 'application/json; charset=utf-8' }
    const whole = [204, 205, 304].includes(status) ? null : text
    return new Response(breaks && whole !== null ? broken(text) : whole, {
      status,
      headers: { ...type, ...more },
    })
  }
  const deps = {
    fetch,
    cancellation: cancellation(clock.sleep),
    now: () => NOW + clock.passed(),
    monotonic: clock.passed,
    random: () => 0,
    sleep: clock.sleep,
  }
  const paths = () => calls.map(({ method, path }) => `${method} ${path}`)
  const { passed, sleep } = clock
  return {
    github: await githubAt({ apiUrl: 'https://api.github.test' }, { deps }, pace),
    calls,
    paths,
    passed,
    sleep,
  }
}

/** Half of a body, and then the end of the connection. */
function broken(text: string): ReadableStream<Uint8Array> {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
  const half = new TextEncoder().encode(text.slice(0, text.length / 2))
  let isSent = false
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated', { cause }))
      else controller.enqueue(half)
      isSent = true
    },
  })
}

/**
 * The page of a list of so many entries that a request asks for.
 * @param entry by its place in the list, from 1
 */
export function pageOf({ path }: Call, length: number, entry: (place: number) => object) {
  const url = new URL(path, 'https://api.github.test')
  const [size = 1, page = 1] = ['per_page', 'page'].map((name) => Number(url.searchParams.get(name) ?? 1))
  const places = range((page - 1) * size + 1, Math.min(length, page * size))
  url.searchParams.set('page', String(page + 1))
  const last = new URL(url)
  last.searchParams.set('page', String(Math.ceil(length / size)))
  const link = `<${url}>; rel="next", <${last}>; rel="last"`
  const headers: Record<string, string> = page * size < length ? { link } : {}
  return { size, page, entries: places.map(entry), headers }
}

export const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)

/** Of a run in octo/app, on an event that says nothing. */
export const contextOf = (more: Partial<Runner>): Runner => ({
  eventName: 'push',
  payload: {},
  repository: { owner: 'octo', repo: 'app' },
  repositoryId: 3,
  runId: 7,
  runAttempt: 1,
  branch: 'main',
  workflow: 'Docs',
  workflowJob: 'docs',
  stepId: '0',
  actor: 'alice',
  triggeringActor: 'alice',
  workspace: '.',
  serverUrl: 'https://github.example',
  apiUrl: 'https://github.example/api/v3',
  ...more,
})
