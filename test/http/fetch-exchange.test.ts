import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { exchange, type HttpRequest, MAX_BODY_BYTES } from '../../src/http/fetch.ts'
import { closedPort, serve } from '../helpers/server.ts'

const deps = {
  fetch,
  sleep: async (ms: number, signal?: AbortSignal) => void (await wait(ms, undefined, signal && { signal })),
}
const ask = (url: string, more: Partial<HttpRequest> = {}) =>
  exchange(deps, {
    method: 'GET',
    url,
    headers: { authorization: 'Bearer test-key' },
    timeoutMs: 5000,
    ...more,
  })

test('4.7 a redirect is handed back, and the key goes nowhere else', async () => {
  const elsewhere = await serve((_, response) => response.end('stolen'))
  for (const status of [301, 302, 303, 307, 308]) {
    const { url } = await serve((_, response) =>
      response.writeHead(status, { location: elsewhere.url }).end(),
    )
    expect((await ask(url)).status).toBe(status)
  }
  expect(elsewhere.requests).toHaveLength(0)
})

test('4.7 a body of 5 MiB is read, one byte more is refused and hung up on', async () => {
  let hungUp = false
  const { url } = await serve((request, response) => {
    response.on('close', () => {
      hungUp = !response.writableFinished
    })
    const more = request.url === '/more'
    response.write('x'.repeat(MAX_BODY_BYTES))
    if (more) response.write('x')
    else response.end()
  })
  expect((await ask(url)).text).toHaveLength(MAX_BODY_BYTES)
  expect(await ask(`${url}/more`)).toMatchObject({ status: 200, text: '', broken: { kind: 'too-large' } })
  await expect.poll(() => hungUp).toBe(true)
})

test.each([
  ['comes in two parts is whole', [0xc3, 0xbc], 'ü'],
  ['lacks its end is seen to be broken', [0x61, 0xc3], 'a\ufffd'],
  ['lacks two of three bytes is one broken character', [0xe2], '\ufffd'],
])('4.7 a character that %s', async (_, bytes, text) => {
  const parts = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const request = { method: 'GET', url: 'https://service.test', headers: {}, timeoutMs: 5000 }
  expect((await exchange({ ...deps, fetch: async () => new Response(parts) }, request)).text).toBe(text)
})

const LATE = { kind: 'broken', message: 'no answer within 0.1 s' }
const LIMITED = { method: 'GET', headers: {}, timeoutMs: 84 }

/** A time limit that comes when it is called. */
function limit() {
  let comes = () => {}
  const sleep = () => new Promise<void>((resolve) => (comes = resolve))
  return { sleep, comes: () => comes() }
}

test('4.7 the time limit ends a server that stalls before the answer', async () => {
  const { sleep, comes } = limit()
  const { url } = await serve(() => comes())
  await expect(exchange({ fetch, sleep }, { ...LIMITED, url })).rejects.toMatchObject(LATE)
})

test('4.3 4.7 the time limit ends a server that stalls in the middle of the body, and the status counts', async () => {
  const { sleep, comes } = limit()
  const begun = async (...request: Parameters<typeof fetch>) => await fetch(...request).finally(comes)
  const { url } = await serve((_, response) => void response.writeHead(402).write('{"error":'))
  const answer = await exchange({ fetch: begun, sleep }, { ...LIMITED, url })
  expect(answer).toMatchObject({ status: 402, text: '', broken: LATE })
})

test('4.3 a reset may have been processed, a refused connection was not', async () => {
  const early = await serve(({ socket }) => socket.resetAndDestroy())
  await expect(ask(early.url)).rejects.toMatchObject({ kind: 'broken', message: 'connection reset' })
  const late = await serve(({ socket }, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"id":', () => socket.destroy())
  })
  expect(await ask(late.url)).toMatchObject({ status: 200, text: '', broken: { kind: 'broken' } })
  const refused = ask(`http://127.0.0.1:${await closedPort()}`)
  await expect(refused).rejects.toMatchObject({ kind: 'unsent', message: 'connection refused' })
})

test('4.3 a server that speaks no TLS is refused like a bad certificate', async () => {
  const { port } = await serve((_, response) => response.end())
  await expect(ask(`https://127.0.0.1:${port}`)).rejects.toMatchObject({ kind: 'unusable' })
})

test('6.1 a signal ends the exchange at once, whether it had begun or not', async () => {
  const { url, requests } = await serve((_, response) => void response.write('{'))
  const ending = new AbortController()
  const pending = ask(url, { signal: ending.signal })
  await expect.poll(() => requests.length).toBe(1)
  ending.abort()
  expect(await pending).toMatchObject({ status: 200, broken: { kind: 'cancelled' } })
  await expect(ask(url, { signal: ending.signal })).rejects.toMatchObject({ kind: 'cancelled' })
  expect(requests).toHaveLength(1)
})

test('4.7 an answer ends the wait for the time limit, so that no timer is left behind', async () => {
  const { url } = await serve((_, response) => response.end('ok'))
  let left: AbortSignal | undefined
  const sleep = (_: number, signal?: AbortSignal) => {
    left = signal
    return new Promise<void>(() => {})
  }
  await exchange({ fetch, sleep }, { method: 'GET', url, headers: {}, timeoutMs: 30_000 })
  expect(left?.aborted).toBe(true)
})
