import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { exchange, proxyFetch } from '../../src/http/fetch.ts'
import { callService } from '../../src/http/service.ts'
import { serve, serveProxy } from '../helpers/server.ts'

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
  const judge = () => ({ reason: 'network', fate: 'unsent', sentence: 'It failed.' }) as const
  const call = (baseUrl: string) =>
    callService(
      deps,
      { baseUrl, apiKey: 'test-key', memoryKey: '', projectId: 'docs' },
      { path: '/x', body: {}, leftMs: 5000, parse: (text) => ({ text }), judge },
    )
  return { target, proxy, get, call }
}

test.each([
  ['NO_PROXY', '127.0.0.1'],
  ['NO_PROXY', '*'],
  ['NO_PROXY', 'example.com, 127.0.0.1'],
  ['no_proxy', '127.0.0.1'],
])('4.7 but for the hosts of %s=%s, the lower case first', async (name, names) => {
  const { target, proxy, get } = await behindProxy({ NO_PROXY: 'example.com', [name]: names })
  expect(await get(target.url)).toMatchObject({ status: 200 })
  expect(proxy.hosts).toEqual([])
})

test('1.2 the service on this machine never gets its key through a proxy', async () => {
  const { target, proxy, call } = await behindProxy()
  expect(await call(target.url)).toEqual({ text: 'ok' })
  expect(proxy.hosts).toEqual([])
  expect(target.requests[0]?.headers.authorization).toBe('Bearer test-key')
})

test.each([
  ['HTTPS_PROXY', 'not a URL'],
  ['HTTPS_PROXY', 'socks9://127.0.0.1'],
  ['HTTPS_PROXY', 'http://'],
  ['HTTP_PROXY', 'not a URL'],
])(
  '4.7 a variable that holds no URL of a proxy ends the request, and its value is not shown: %s=%j',
  async (name, value) => {
    const { get } = await behindProxy({ HTTP_PROXY: '', HTTPS_PROXY: '', [name]: `${value}#secret` })
    const protocol = name.replace('_PROXY', '').toLowerCase()
    await expect(get(`${protocol}://service.test`)).rejects.toMatchObject({
      kind: 'unusable',
      message: `${name} holds no URL of a proxy`,
    })
  },
)
