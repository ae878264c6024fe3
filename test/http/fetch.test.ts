import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { exchange, proxyFetch } from '../../src/http/fetch.ts'
import { callService } from '../../src/http/service.ts'
import { closedPort, serve, serveProxy } from '../helpers/server.ts'

/** A server, and a proxy in front of it that the variables name. */
async function behindProxy(variables: Readonly<Record<string, string>> = {}, refusal?: number) {
  const target = await serve((_, response) => response.end('ok'))
  const proxy = await serveProxy(target, refusal)
  for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'NO_PROXY']) vi.stubEnv(name, undefined)
  const proxies = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, ...variables }
  for (const [name, value] of Object.entries(proxies)) vi.stubEnv(name, value)
  const deps = {
    fetch: proxyFetch(process.env),
    now: Date.now,
    sleep: async (ms: number, signal?: AbortSignal) => void (await wait(ms, undefined, signal && { signal })),
  }
  const get = (url: string) => exchange(deps, { method: 'GET', url, headers: {}, timeoutMs: 5000 })
  const call = (baseUrl: string) =>
    callService(
      deps,
      { baseUrl, apiKey: 'test-key', memoryKey: '', projectId: 'docs' },
      { path: '/x', body: {}, leftMs: 5000, parse: (text) => ({ text }), explain: () => 'It failed.' },
    )
  return { target, proxy, get, call }
}

test.each(['127.0.0.1', '*', 'example.com, 127.0.0.1'])(
  '4.7 but for the hosts of NO_PROXY=%s',
  async (names) => {
    const { target, proxy, get } = await behindProxy({ NO_PROXY: names })
    expect(await get(target.url)).toMatchObject({ status: 200 })
    expect(proxy.hosts).toEqual([])
  },
)

test.each(['', 'http://', 'HTTP://'])('4.7 a proxy can be named by %jHOST:PORT', async (scheme) => {
  const { target, proxy, get } = await behindProxy()
  vi.stubEnv('HTTP_PROXY', `${scheme}${new URL(proxy.url).host}`)
  expect(await get(target.url)).toMatchObject({ status: 200 })
  expect(proxy.hosts).toHaveLength(1)
})

test('1.2 the service on this machine never gets its key through a proxy', async () => {
  const { target, proxy, call } = await behindProxy()
  expect(await call(target.url)).toEqual({ text: 'ok' })
  expect(proxy.hosts).toEqual([])
  expect(target.requests[0]?.headers.authorization).toBe('Bearer test-key')
})

test.each(['not a URL', 'socks9://127.0.0.1', 'http://'])(
  '4.7 a variable that holds no URL of a proxy ends the request, and its value is not shown: %j',
  async (value) => {
    const { get } = await behindProxy({ HTTPS_PROXY: `${value}#secret` })
    await expect(get('https://service.test')).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringMatching(/HTTPS_PROXY.*holds no URL of a proxy$/),
    })
  },
)

test('4.7 HTTP_PROXY alone carries no https:', async () => {
  const { proxy, get } = await behindProxy({ HTTPS_PROXY: '' })
  await expect(get(`https://127.0.0.1:${await closedPort()}`)).rejects.toMatchObject({ kind: 'unsent' })
  expect(proxy.hosts).toEqual([])
})
