import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { agentClient } from '../../src/agent/agent-client.ts'
import { cancellation, type Fetch } from '../../src/base/deps.ts'
import { CreationUncertain } from '../../src/base/errors.ts'
import { MAX_BODY_BYTES, proxyFetch } from '../../src/http/fetch.ts'
import { isReadTimeout } from '../../src/http/retry.ts'
import { ServiceError } from '../../src/http/service.ts'
import { inTurn, testMatrix } from '../helpers/matrix.ts'
import { serve } from '../helpers/server.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const JOB = '{"id":"j_1","status":"active"}'
const MINUTES = 60_000

/** A client of the service, on a clock on which waiting takes no time, and no request takes any. */
function clientOf(fetch: Fetch, baseUrl = 'https://service.test') {
  const clock = simulatedClock(0)
  const canceller = cancellation(() => new Promise(() => {}))
  let tries = 0
  const deps = {
    fetch: async (url: string, init: RequestInit) => {
      tries += 1
      return await fetch(url, init)
    },
    cancellation: canceller,
    now: () => clock.passed(),
    monotonic: clock.passed,
    random: () => 0.5,
    // The time limit of a request never comes.
    sleep: async (ms: number, signal?: AbortSignal) =>
      signal === canceller.requested ? await clock.sleep(ms) : await new Promise<never>(() => {}),
    core: { info: () => {} },
  }
  const access = { baseUrl, apiKey: 'test-key', memoryKey: '', projectId: 'docs' }
  const client = agentClient(deps, access)
  const deadline = 30 * MINUTES
  const endOf = async (act: () => Promise<object>) => {
    const end = await act().catch((error: unknown) => error)
    if (end instanceof CreationUncertain) return { is: 'uncertain', says: end.message, tries }
    if (end instanceof ServiceError) return { is: end.reason, says: end.message, tries }
    if (end instanceof Error) throw end
    return { is: isReadTimeout(end as object) ? 'late' : 'done', says: '', tries }
  }
  return {
    passed: clock.passed,
    create: () => endOf(() => client.postPrompt({ prompt: 'x', deadline })),
    message: () => endOf(() => client.postPrompt({ prompt: 'x', jobId: 'j_1', deadline })),
    read: () => endOf(() => client.read('j_1', { deadline, pollMs: 15_000 })),
  }
}

/** So many bytes of a body, and then the connection breaks. */
function cutAt(status: number, body: string, bytes: number, headers: Record<string, string> = JSON_TYPE) {
  if ([204, 205, 304].includes(status)) return new Response(null, { status, headers })
  const source = new ReadableStream({
    pull(controller) {
      const part = new TextEncoder().encode(body).subarray(0, bytes)
      if (part.length > 0) controller.enqueue(part)
      controller.error(
        new TypeError('terminated', { cause: Object.assign(new Error('x'), { code: 'UND_ERR_SOCKET' }) }),
      )
    },
  })
  return new Response(source, { status, headers })
}

const STATUSES = Array.from({ length: 400 }, (_, at) => 200 + at)
const REASONS: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  402: 'payment-required',
  403: 'forbidden',
  404: 'bad-response',
  429: 'rate-limited',
}

/** How a send ends, by the status alone. */
function endOfSend(status: number): string {
  if (status < 300 || status === 408 || status >= 500) return 'uncertain'
  return status < 400 ? 'bad-response' : (REASONS[status] ?? 'rejected')
}

/** A 404 alone ends no job, and a 407 is a proxy's. */
function endOfRead(status: number): string {
  if ([204, 205].includes(status)) return 'bad-response'
  if (status < 300 || status === 408 || status === 429 || status >= 500) return 'late'
  return status < 400 || status === 404 || status === 407
    ? 'service-unavailable'
    : (REASONS[status] ?? 'rejected')
}

/** One of each fate. */
const USUAL = [200, 201, 204, 302, 304, 400, 401, 402, 403, 404, 407, 408, 429, 451, 500, 503]
const statusesOf = testMatrix<readonly [string, readonly number[]]>(
  [
    ['200 to 599, one of each kind', USUAL],
    ['200 to 599, the others', STATUSES.filter((status) => !USUAL.includes(status))],
  ],
  (at) => at === 0,
)

describe('an answer whose body breaks has its status', () => {
  for (const call of ['create', 'message'] as const)
    statusesOf(`4.3 ${call}: %s`, async (_, statuses) => {
      for (const status of statuses) {
        const client = clientOf(async () => cutAt(status, '{"error":"Invalid API key test-key"}', 20))
        const { is, says, tries } = await client[call]()
        expect([status, is]).toEqual([status, endOfSend(status)])
        if (status !== 429) expect([status, tries]).toEqual([status, 1])
        expect(says).not.toMatch(/Invalid|test-|did not answer/)
      }
    })

  statusesOf('4.4 read: %s', async (_, statuses) => {
    for (const status of statuses) {
      const client = clientOf(async () => cutAt(status, '{"error":"Invalid API key"}', 20))
      const { is, tries } = await client.read()
      expect([status, is]).toEqual([status, endOfRead(status)])
      if (['unauthorized', 'payment-required', 'forbidden', 'rejected'].includes(is)) expect(tries).toBe(1)
      if (is === 'service-unavailable') expect(client.passed()).toBeLessThan(11 * MINUTES)
    }
  })
})

test.each([201, 401, 402, 429, 500])('4.3 wherever the body of a %i is cut', async (status) => {
  const body = status === 201 ? JOB : '{"error":"No credits left"}'
  for (let at = 0; at < body.length; at++) {
    const client = () => clientOf(async () => cutAt(status, body, at))
    for (const call of ['create', 'message'] as const)
      expect([call, at, (await client()[call]()).is]).toEqual([call, at, endOfSend(status)])
    expect(['read', at, (await client().read()).is]).toEqual(['read', at, endOfRead(status)])
  }
})

test('4.3 an accepted request whose answer is lost says so, and what was lost', async () => {
  const client = () => clientOf(async () => cutAt(201, JOB, 9))
  const broke = '(connection broken (UND_ERR_SOCKET)).'
  expect((await client().create()).says).toBe(
    `The service accepted the request (HTTP 201), and the job's id was lost with the rest of the answer ${broke}`,
  )
  expect((await client().message()).says).toBe(
    `The service accepted the request (HTTP 201), and the rest of the answer was lost ${broke}`,
  )
})

test.each([
  ['429', 429, 'done'],
  ['503', 503, 'done'],
  ['403', 403, 'forbidden'],
])('4.5 the headers of a %s that breaks count, too', async (_, status, is) => {
  let asked = 0
  const fetch: Fetch = async () =>
    asked++ === 0
      ? cutAt(status, '{"error":"x"}', 5, { ...JSON_TYPE, 'retry-after': '77' })
      : new Response(JOB, { status: 201 })
  const client = clientOf(fetch)
  expect((await client.create()).is).toBe(is)
  expect(client.passed()).toBe(is === 'done' ? 77_000 : 0)
})

test.each([401, 403, 404])(
  '4.4 a page with %i that breaks is still no answer of the service',
  async (status) => {
    const client = clientOf(async () =>
      cutAt(status, '<html>', 3, { 'content-type': 'text/html; charset=utf-8' }),
    )
    expect((await client.read()).is).toBe('service-unavailable')
    expect((await client.create()).says).toMatch(/an answer that is not the service's own/)
  },
)

test('4.9 a 404 that breaks ends no job', async () => {
  const { is, says } = await clientOf(async () => cutAt(404, '{"error":"Job not found"}', 9)).message()
  expect([is, says]).toEqual([
    'bad-response',
    expect.stringMatching(/only a part of its answer, which may not be/),
  ])
})

const zipped = (text: string) => gzipSync(gzipSync(text))
const ENCODED: readonly (readonly [string, string, (text: string) => string | Buffer])[] = [
  ['gzip that is none', 'gzip', (text) => text],
  ['gzip that was encoded once, and says twice', 'gzip, gzip', (text) => gzipSync(text)],
  ['deflate that is none', 'deflate', (text) => text],
  ['Brotli that is none', 'br', (text) => text],
  ['more than 5 MiB', 'identity', (text) => text.padEnd(MAX_BODY_BYTES + 1, 'x')],
  ['more than 5 MiB once it is decoded', 'gzip', (text) => gzipSync(text.padEnd(MAX_BODY_BYTES + 1, 'x'))],
]

async function serving(status: number, encoding: string, encode: (text: string) => string | Buffer) {
  const { url } = await serve((_, response) => {
    response.writeHead(status, { ...JSON_TYPE, 'content-encoding': encoding })
    response.end(encode('{"error":"No credits left"}'))
  })
  return clientOf(proxyFetch({}), url)
}

/** Each of these bodies with each of the statuses. */
const encodedWith = (statuses: readonly number[]) =>
  testMatrix(
    ENCODED.flatMap(([name, ...how]) => statuses.map((status) => [name, status, ...how] as const)),
    inTurn(ENCODED.length, statuses.length),
  )

encodedWith([200, 201, 302, 400, 401, 402, 404, 429, 451, 500])(
  '4.3 a body of %s, sent, with %i',
  async (_, status, encoding, encode) => {
    expect((await (await serving(status, encoding, encode)).create()).is).toBe(endOfSend(status))
  },
)

encodedWith([400, 401, 402, 403, 451])('4.4 a body of %s, read, with %i', async (_, status, ...how) => {
  expect(await (await serving(status, ...how)).read()).toMatchObject({ is: endOfRead(status), tries: 1 })
})

test.each([
  ['cannot be decoded', 'gzip', JOB, 'late'],
  ['is too large', 'identity', 'x'.repeat(MAX_BODY_BYTES + 1), 'bad-response'],
])('4.4 a job whose answer %s', async (_, encoding, body, is) => {
  const { url } = await serve((__, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': encoding }).end(body)
  })
  expect((await clientOf(proxyFetch({}), url).read()).is).toBe(is)
})

test('4.3 a body that was encoded twice is read like any other', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(201, { ...JSON_TYPE, 'content-encoding': 'gzip, gzip' }).end(zipped(JOB))
  })
  expect(await clientOf(proxyFetch({}), url).create()).toMatchObject({ is: 'done' })
})

test('4.3 the words name what broke', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(JOB)
  })
  const { says } = await clientOf(proxyFetch({}), url).create()
  expect(says).toMatch(/a body that could not be decoded \(Z_DATA_ERROR\)/)
})
