import { cancellation } from '../../src/cancellation.ts'
import type { RunContext } from '../../src/event/run-context.ts'
import { openForge } from '../../src/github/open-forge.ts'
import { proxyFetch } from '../../src/http/fetch.ts'
import { serve } from '../helpers/server.ts'

/** Pauses between tries take no time; the time limit of a request never comes. */
const sleep = (ms: number) => (ms >= 10_000 ? new Promise<void>(() => {}) : Promise.resolve())

/** The forge at `apiUrl` of the context. */
export const forgeAt = (context: Partial<RunContext>) =>
  openForge(
    { fetch: proxyFetch({}), cancellation: cancellation(sleep), now: Date.now, sleep },
    contextOf(context),
    'test-token',
  )

export interface Answer {
  readonly status?: number
  readonly json?: unknown
  readonly html?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What Gitea 1.26.4 answers to a path that it does not know. */
const NO_PAGE = '404 page not found\n'
export const refusal = (message: string) => ({ message, url: 'https://forge.example/api/swagger' })

/** A server with the API of Gitea, which answers by method and path, with the query; everything else is no page. */
export async function gitea(answers: Readonly<Record<string, Answer>>) {
  const calls: string[] = []
  const bodies: unknown[] = []
  const server = await serve(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const call = `${request.method} ${request.url?.replace('/api/v1', '')}`
    calls.push(call)
    if (body !== '') bodies.push(JSON.parse(body))
    const { status = 200, json, html, headers } = answers[call] ?? { status: 404, html: NO_PAGE }
    const type = html === undefined ? 'application/json;charset=utf-8' : 'text/html; charset=utf-8'
    response.writeHead(status, status === 204 ? {} : { 'content-type': type, ...headers })
    response.end(status === 204 ? undefined : (html ?? JSON.stringify(json)))
  })
  return { calls, bodies, apiUrl: `${server.url}/api/v1` }
}

/** Of a run in octo/app, on an event that says nothing. */
export const contextOf = (more: Partial<RunContext>): RunContext => ({
  eventName: 'push',
  payload: {},
  repository: { owner: 'octo', repo: 'app' },
  repositoryId: 3,
  runId: 7,
  runAttempt: 1,
  branch: 'main',
  workflow: 'Docs',
  job: 'docs',
  step: '0',
  actor: 'alice',
  workspace: '.',
  serverUrl: 'https://forge.example',
  apiUrl: 'https://forge.example/api/v1',
  ...more,
})
