import { request as forward, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { act, answer, errorsOf } from '../helpers/action.ts'
import { serve } from '../helpers/server.ts'
import { calls, world } from './conversation-helpers.ts'

/** A proxy for both ways of asking one: a whole URL, and a tunnel. `seen` are the hosts that it was asked for. */
async function proxy() {
  const seen: string[] = []
  const { url, server } = await serve((request, response) => {
    seen.push(new URL(request.url ?? '').host)
    const { method, headers } = request
    const onward = forward(request.url ?? '', { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  server.on('connect', ({ url: host = '' }: IncomingMessage, socket: Socket) => {
    seen.push(host)
    const [name, port] = host.split(':')
    if (name !== '127.0.0.1') return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    const onward = connect(Number(port), name, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    for (const end of [onward, socket]) end.on('error', () => {})
  })
  return { url, seen }
}

test.each(['HTTP_PROXY', 'http_proxy'])(
  '4.7 %s is honoured, for the service and for GitHub',
  async (name) => {
    const emulator = await world()
    const { url, seen } = await proxy()
    const result = await answer(emulator, '/docs Explain retries', { env: { [name]: url } })
    expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'pull-request' } })
    const { host } = new URL(emulator.serviceUrl)
    expect(new Set(seen)).toEqual(new Set([host]))
    expect(emulator.requests.map(({ host }) => host)).toEqual(expect.arrayContaining(['service', 'github']))
  },
)

test('4.7 NO_PROXY is honoured', async () => {
  const emulator = await world()
  const { url, seen } = await proxy()
  const result = await act(emulator, { env: { HTTP_PROXY: url, NO_PROXY: '127.0.0.1' } })
  expect(result.outputs.outcome).toBe('pull-request')
  expect(seen).toEqual([])
})

test('4.7 HTTPS_PROXY is honoured; what it does not let through was not sent', async () => {
  const emulator = await world()
  const { url, seen } = await proxy()
  const inputs = {
    'base-url': 'https://docs.example.invalid',
    'poll-interval-seconds': '1',
    'timeout-minutes': '0.01',
  }
  const result = await act(emulator, { env: { HTTPS_PROXY: url }, inputs })
  expect(new Set(seen)).toEqual(new Set(['docs.example.invalid:443']))
  expect(result).toMatchObject({ exitCode: 1, outputs: { outcome: 'error', reason: 'network' } })
  expect(errorsOf(result)[0]).toMatch(/\(the proxy did not let the request through\)/)
})

test('4.7 HTTPS_PROXY alone leaves http: alone', async () => {
  const emulator = await world()
  const { url, seen } = await proxy()
  expect((await act(emulator, { env: { HTTPS_PROXY: url } })).outputs.outcome).toBe('pull-request')
  expect(seen).toEqual([])
})

test('4.7 a redirect is not followed through a proxy either', async () => {
  const emulator = await world()
  const { url } = await proxy()
  const elsewhere = await serve((_, response) => response.end('{}'))
  emulator.faults.add({ match: { host: 'service' }, fault: { kind: 'redirect', location: elsewhere.url } })
  expect((await act(emulator, { env: { HTTP_PROXY: url } })).outputs.reason).toBe('bad-response')
  expect(elsewhere.requests).toHaveLength(0)
  expect(calls(emulator, 'service')).toHaveLength(1)
})
