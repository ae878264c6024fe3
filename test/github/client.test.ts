import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { cancellation } from '../../src/cancellation.ts'
import { octokitClient } from '../../src/github/client.ts'
import { proxyFetch } from '../../src/http/fetch.ts'
import { thrownBy } from '../helpers/agent.ts'
import { closedPort, serve } from '../helpers/server.ts'

const TARGET = { owner: 'octo', repo: 'app' }
const NOW = Date.UTC(2026, 0, 1)
const forever = (signal?: AbortSignal) =>
  new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

/** A client whose pauses take no time and are noted; the time limit of a request never comes. */
async function clientOf(apiUrl: string, token = 'test-token') {
  const pauses: number[] = []
  const canceller = cancellation(() => forever())
  const octokit = await octokitClient(
    {
      fetch: proxyFetch({}),
      cancellation: canceller,
      now: () => NOW,
      sleep: async (ms, signal) => {
        if (ms === 10_000) return await forever(signal)
        pauses.push(ms)
        return undefined
      },
    },
    apiUrl,
    token,
  )
  const get = () => octokit.rest.issues.getComment({ ...TARGET, comment_id: 1 })
  const write = () => octokit.rest.issues.updateComment({ ...TARGET, comment_id: 1, body: 'x' })
  const create = () => octokit.rest.issues.createComment({ ...TARGET, issue_number: 12, body: 'x' })
  return { octokit, canceller, get, write, create, pauses }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const ok: Answer = (_, response) => response.setHeader('content-type', 'application/json').end('{"id":1}')
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{"message":"No"}')

/** A GitHub that gives these answers in turn; the last one again and again. */
async function github(...answers: readonly Answer[]) {
  const calls: string[] = []
  const server = await serve((request, response) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)] ?? ok
    calls.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  return { ...server, calls, ...(await clientOf(server.url)) }
}

test('5.7 a request carries the token and the name of the action, under the path of GITHUB_API_URL', async () => {
  const { url, requests } = await serve((_, response) => response.end('{"id":1}'))
  const { get } = await clientOf(`${url}/api/v3`)
  await get()
  expect(requests[0]?.url).toBe('/api/v3/repos/octo/app/issues/comments/1')
  expect(requests[0]?.headers).toMatchObject({
    authorization: 'token test-token',
    'user-agent': expect.stringMatching(/^docs-agent-action\/\d/),
  })
})

test('5.7 without a token GitHub is asked all the same, and its refusal can be explained', async () => {
  const { url } = await serve((_, response) => response.writeHead(401).end('{"message":"Bad credentials"}'))
  const { get } = await clientOf(url, '')
  expect(await thrownBy(get())).toMatchObject({ status: 401 })
})

test.each([301, 302, 303, 307, 308])(
  '4.7 a read follows a redirect (%i) within GitHub, as after a renaming',
  async (code) => {
    const { get, calls } = await github(status(code, { location: '/repositories/7/issues/comments/1' }), ok)
    expect((await get()).data).toEqual({ id: 1 })
    expect(calls).toEqual(['GET /repos/octo/app/issues/comments/1', 'GET /repositories/7/issues/comments/1'])
  },
)

test('4.7 neither token nor request goes to another host', async () => {
  const elsewhere = await serve((_, response) => response.end('{"id":2}'))
  for (const code of [301, 302, 307, 308]) {
    const { get, write, create } = await github(status(code, { location: `${elsewhere.url}/x` }))
    for (const act of [get, write, create]) expect(await thrownBy(act())).toBeInstanceOf(Error)
  }
  expect(elsewhere.requests).toEqual([])
})

test.each([307, 308])('4.7 a write follows a redirect that keeps it (%i), body included', async (code) => {
  let body = ''
  const { write, create, calls } = await github(
    status(code, { location: '/repositories/7/x' }),
    async (request, response) => {
      for await (const part of request) body += part
      response.end('{"id":1}')
    },
    status(code, { location: '/repositories/7/y' }),
    ok,
  )
  await write()
  expect(JSON.parse(body)).toEqual({ body: 'x' })
  await create()
  expect(calls.map((call) => call.replace(/ .*\//, ' '))).toEqual([
    'PATCH 1',
    'PATCH x',
    'POST comments',
    'POST y',
  ])
})

test.each([301, 302, 303])(
  '4.7 a write that a redirect (%i) would turn into a read has failed',
  async (code) => {
    const { write, create, calls } = await github(status(code, { location: '/repositories/7/x' }))
    for (const act of [write, create]) expect(await thrownBy(act())).toBeInstanceOf(Error)
    expect(calls).toHaveLength(2)
  },
)

test('4.7 redirects without end are given up', async () => {
  const { get, calls } = await github(status(302, { location: '/again' }))
  expect(await thrownBy(get())).toBeInstanceOf(Error)
  expect(calls.length).toBeLessThan(10)
})

test.each([
  ['Retry-After', 429, { 'retry-after': '7' }, [7000]],
  ['Retry-After of a secondary limit', 403, { 'retry-after': '7' }, [7000]],
  [
    'a spent budget',
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 30) },
    [30_000],
  ],
  ['500', 500, {}, [500]],
  ['502', 502, {}, [500]],
  ['503 with Retry-After', 503, { 'retry-after': '9' }, [9000]],
] as const)('5.7 %s: tried again, as the headers say', async (_, code, headers, expected) => {
  const { get, pauses, calls } = await github(status(code, headers as Record<string, string>), ok)
  expect((await get()).data).toEqual({ id: 1 })
  expect(pauses).toEqual(expected)
  expect(calls).toHaveLength(2)
})

test('5.7 at most three times, with growing pauses', async () => {
  const { get, write, pauses, calls } = await github(status(500))
  expect(await thrownBy(get())).toMatchObject({ status: 500 })
  expect(calls).toHaveLength(4)
  expect(pauses).toEqual([500, 1000, 2000])
  expect(await thrownBy(write())).toMatchObject({ status: 500 })
  expect(calls).toHaveLength(8)
})

test.each([
  ['a limit that lasts longer than a minute', 429, { 'retry-after': '61' }],
  ['a permission that is missing', 403, {}],
  ['an unknown thing', 404, {}],
  ['an invalid one', 422, { 'retry-after': '1' }],
] as const)('5.7 %s is not tried again', async (_, code, headers) => {
  const { get, calls } = await github(status(code, headers as Record<string, string>))
  expect(await thrownBy(get())).toMatchObject({ status: code })
  expect(calls).toHaveLength(1)
})

test('5.7 a comment is created again only where it surely was not: the caller looks first', async () => {
  const failing = await github(status(500))
  expect(await thrownBy(failing.create())).toMatchObject({ status: 500 })
  expect(failing.calls).toHaveLength(1)
  const limited = await github(status(429, { 'retry-after': '1' }), ok)
  await limited.create()
  expect(limited.calls).toHaveLength(2)
})

test('6.1 a run that is cancelled waits for nothing', async () => {
  const { get, calls, canceller } = await github(status(500))
  canceller.cancel()
  expect(await thrownBy(get())).toMatchObject({ status: 500 })
  expect(calls).toHaveLength(1)
})

test.each(['', 'null', '<html>', '[{"id":'])('5.2 a read of %j is no empty list', async (text) => {
  const { octokit } = await github((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(text),
  )
  expect(await thrownBy(octokit.rest.issues.listComments({ ...TARGET, issue_number: 12 }))).toBeInstanceOf(
    Error,
  )
})

test('5.6 a GitHub that cannot be reached is distinguished from one that refuses', async () => {
  const { get } = await clientOf(`http://127.0.0.1:${await closedPort()}`)
  const error = await thrownBy(get())
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toHaveProperty('response.status')
})

test('4.7 a request ends after its time limit', async () => {
  const clock = simulatedClock(0)
  const { url } = await serve(() => {})
  const octokit = await octokitClient(
    {
      fetch: proxyFetch({}),
      cancellation: cancellation(() => forever()),
      now: () => NOW,
      sleep: clock.sleep,
    },
    url,
    'test-token',
  )
  await thrownBy(octokit.rest.issues.getComment({ ...TARGET, comment_id: 1 }))
  expect(clock.passed()).toBe(10_000)
})
