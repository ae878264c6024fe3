import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { GitHubError, isGone } from '../../src/base/errors.ts'
import type { GitHub } from '../../src/github/github.ts'
import { thrownBy } from '../helpers/agent.ts'
import { closedPort, serve } from '../helpers/server.ts'
import { githubAt, NOW, worldOf } from './helpers.ts'

const MINUTE = 60_000
const COMMENT = { id: 1, body: 'x', html_url: 'https://github.com/octo/app/issues/12#c', user: null }

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const json =
  (value: unknown): Answer =>
  (_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
const ok = json(COMMENT)
const status =
  (code: number, headers: Record<string, string> = {}, message = 'No'): Answer =>
  (_, response) =>
    response
      .writeHead(code, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ message }))
const reset: Answer = (request) => void request.socket.destroy()

/** A GitHub that gives these answers in turn; the last one again and again. */
async function answering(...answers: readonly Answer[]) {
  const calls: string[] = []
  const server = await serve((request, response) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)] ?? ok
    calls.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  return { ...(await githubTo(server.url)), requests: server.requests, calls }
}

async function githubTo(apiUrl: string, token = 'test-token') {
  const world = worldOf()
  const github = await githubAt({ apiUrl, repositoryId: 7 }, world, {}, token)
  return { ...world, github }
}

const READS = {
  get: (github: GitHub) => github.listComments(12),
}
const WRITES = {
  update: (github: GitHub) => github.updateComment(1, 'x'),
  create: (github: GitHub) => github.createComment(12, 'x'),
}
const [get, update, create] = [READS.get, WRITES.update, WRITES.create]

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])(
    '4.7 a read follows %i within GitHub, as after a renaming',
    async (code) => {
      const { github, calls } = await answering(
        status(code, { location: '/repositories/7/x' }),
        json([COMMENT]),
      )
      expect(await get(github)).toMatchObject([{ id: 1 }])
      expect(calls[1]).toBe('GET /repositories/7/x')
    },
  )

  test('4.7 the token goes to no other host, a write neither, and no answer comes from there', async () => {
    // What GitHub itself would answer to a read.
    const elsewhere = await serve(json([COMMENT]))
    for (const code of [301, 302, 307, 308]) {
      for (const act of [get, update, create]) {
        const { github } = await answering(status(code, { location: `${elsewhere.url}/x` }))
        expect(await thrownBy(act(github))).toBeInstanceOf(GitHubError)
      }
    }
    expect(elsewhere.requests).not.toEqual([])
    for (const { method, headers } of elsewhere.requests)
      expect([method, headers.authorization]).toEqual(['GET', undefined])
  })

  test('4.7 a list whose next page is on another host is not read there, and the token stays here', async () => {
    const elsewhere = await serve(json([COMMENT]))
    const nextPage: Answer = (request, response) => {
      response.setHeader('link', `<${elsewhere.url}/x?page=2>; rel="next"`)
      json([COMMENT])(request, response)
    }
    const { github, calls } = await answering(nextPage)
    expect(await thrownBy(get(github))).toBeInstanceOf(GitHubError)
    expect(calls.length).toBeGreaterThan(0)
    expect(elsewhere.requests).toEqual([])
  })

  test.each([
    [301, '/repositories/8/issues/12/comments', 'it was moved to another repository'],
    [302, '/repositories/7/../8/issues/12/comments', 'it was moved to another repository'],
    [307, '/repositories/8/issues/12/comments', 'it was moved to another repository'],
    [308, '/repositories/7/discussions/12', 'it was turned into a discussion'],
    [301, '/repos/octo/app/discussions/12', 'it was turned into a discussion'],
  ])('5.7 a thread that %i leads to %s for is gone', async (code, location, detail) => {
    for (const [act, most] of [
      [get, 2],
      [create, 1],
    ] as const) {
      const { github, calls } = await answering(status(code, { location }), json([COMMENT]))
      const error = await thrownBy(act(github))
      expect(error).toMatchObject({ kind: 'refused', detail })
      expect(isGone(error)).toBe(true)
      expect(calls).toHaveLength(most)
    }
  })

  test('5.7 a thread that was deleted is gone, one that is not found is not', async () => {
    const [deleted, unknown] = [await answering(status(410)), await answering(status(404))]
    expect(isGone(await thrownBy(get(deleted.github)))).toBe(true)
    expect(isGone(await thrownBy(get(unknown.github)))).toBe(false)
  })
})

describe('one request that breaks', () => {
  const SPENT = { 'x-ratelimit-remaining': '0', date: new Date(NOW).toUTCString() }
  test.each<[string, Answer, number]>([
    ['a reset', reset, 500],
    ['408', status(408), 500],
    ['500', status(500), 500],
    ['502', status(502), 500],
    ['503 with Retry-After', status(503, { 'retry-after': '9' }), 9000],
    ['429', status(429), MINUTE],
    ['429 with Retry-After', status(429, { 'retry-after': '7' }), 7000],
    ['a secondary limit with Retry-After', status(403, { 'retry-after': '7' }), 7000],
    ['a secondary limit', status(403, {}, 'You have exceeded a secondary rate limit'), MINUTE],
    ['a spent budget', status(403, { ...SPENT, 'x-ratelimit-reset': String(NOW / 1000 + 40) }), 40_000],
    ['an answer that is no JSON', (_, response) => response.end('<html>'), 500],
  ])('5.7 by %s is tried again', async (_, answer, pause) => {
    for (const act of [get, update]) {
      const { github, pauses, calls } = await answering(answer, act === get ? json([COMMENT]) : ok)
      expect(await act(github)).toBeDefined()
      expect([pauses, calls.length]).toEqual([[pause], 2])
    }
  })

  test('5.7 also where GitHub cannot be reached, which is no refusal', async () => {
    const { github, passed } = await githubTo(`http://127.0.0.1:${await closedPort()}`)
    expect(await thrownBy(get(github))).toMatchObject({
      kind: 'away',
      httpStatus: 0,
      detail: 'connection refused',
    })
    expect(passed()).toBe(2 * MINUTE)
  })
})

describe('how long', () => {
  test.each([
    ['a permission that is missing', 403, {}],
    ['an unknown thing', 404, {}],
    ['an invalid one', 422, { 'retry-after': '1' }],
  ] as const)('5.7 %s is a refusal, and shows at once', async (_, code, headers) => {
    const { github, calls } = await answering(status(code, headers as Record<string, string>))
    const refusal = { kind: 'refused', httpStatus: code, detail: 'No' }
    expect(await thrownBy(get(github))).toMatchObject(refusal)
    expect(calls).toHaveLength(1)
  })

  test('5.7 6.1 a run that is cancelled tries in haste, but no earlier than a limit allows', async () => {
    const { github, canceller, pauses } = await answering(
      status(500),
      status(429, { 'retry-after': '3' }),
      ok,
    )
    canceller.cancel()
    await update(github)
    expect(pauses).toEqual([500, 3000])
  })
})

describe('a comment that GitHub may have created', () => {
  // GitHub may give back other white space around a body than it got.
  const created = json([{ ...COMMENT, id: 5, body: 'x\n' }])
  test('5.7 a write that takes effect late is found before every later try', async () => {
    const { github, calls } = await answering(status(504), json([]), status(504), created)
    expect(await create(github)).toMatchObject({ id: 5 })
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['POST', 'GET', 'POST', 'GET'])
  })
})

test.each([404, 410])('5.7 a comment that is deleted twice is gone (%i)', async (code) => {
  const { github, calls } = await answering(reset, status(code))
  await github.deleteComment(1)
  expect(calls).toHaveLength(2)
})
