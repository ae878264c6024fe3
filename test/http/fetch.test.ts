import { setTimeout as wait } from 'node:timers/promises'
import { getGlobalDispatcher, ProxyAgent, setGlobalDispatcher } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { exchange, proxyFetch } from '../../src/http/fetch.ts'
import { callService } from '../../src/http/service.ts'
import { serve, serveProxy } from '../helpers/server.ts'

interface Setting {
  readonly variables?: Readonly<Record<string, string>>
  readonly rules?: Parameters<typeof serveProxy>[1]
}

/** A server, and a proxy in front of it that the variables name. */
async function behindProxy({ variables = {}, rules }: Setting = {}) {
  const target = await serve((_, response) => response.end('ok'))
  const proxy = await serveProxy(target, rules)
  for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'NO_PROXY']) vi.stubEnv(name, undefined)
  const proxies = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, ...variables }
  for (const [name, value] of Object.entries(proxies)) vi.stubEnv(name, value)
  const deps = {
    fetch: proxyFetch(process.env),
    now: Date.now,
    sleep: async (ms: number, signal?: AbortSignal) => void (await wait(ms, undefined, signal && { signal })),
  }
  const get = (url: string) => exchange(deps, { method: 'GET', url, headers: {}, timeoutMs: 30_000 })
  const judge = () => ({ reason: 'network', fate: 'unsent', sentence: 'It failed.' }) as const
  const call = (baseUrl: string) =>
    callService(
      deps,
      { baseUrl, apiKey: 'test-key', memoryKey: '', projectId: 'docs' },
      { path: '/x', body: {}, leftMs: 30_000, parse: (text) => ({ text }), judge },
    )
  return { target, proxy, get, call }
}

/** As `NODE_USE_ENV_PROXY=1` leaves it: Node and undici share one place for it. */
function makeGlobal(proxyUrl: string): void {
  const before = getGlobalDispatcher()
  onTestFinished(() => setGlobalDispatcher(before))
  setGlobalDispatcher(new ProxyAgent(proxyUrl))
}

const UNKNOWN = 'http://docs.invalid'
const NO_HOST = { kind: 'unsent', message: expect.stringMatching(/host name not found|name server/) }

test.each([
  ['NO_PROXY', 'docs.invalid'],
  ['NO_PROXY', '*'],
  ['NO_PROXY', 'example.com, .invalid'],
  ['no_proxy', 'docs.invalid'],
])('4.7 but for the hosts of %s=%s, the lower case first', async (name, names) => {
  const { proxy, get } = await behindProxy({ variables: { NO_PROXY: 'example.com', [name]: names } })
  await expect(get(UNKNOWN)).rejects.toMatchObject(NO_HOST)
  expect(proxy.hosts).toEqual([])
})

test.each(['all', '443', 'none'] as const)(
  '4.7 an http: server needs no tunnel of a proxy that opens %s',
  async (tunnels) => {
    const { proxy, target, get } = await behindProxy({ rules: { tunnels } })
    expect(await get('http://github.invalid/api/v3/user')).toMatchObject({ status: 200, text: 'ok' })
    expect(proxy.hosts).toEqual(['github.invalid'])
    expect(target.requests[0]).toMatchObject({ url: '/api/v3/user', headers: { host: 'github.invalid' } })
  },
)

test.each([
  ['http://github.invalid:8080', 'github.invalid:8080'],
  ['http://github.invalid', 'github.invalid'],
])('4.7 the proxy gets the port of %s', async (url, host) => {
  const { proxy, get } = await behindProxy({ rules: { tunnels: 'none' } })
  await get(url)
  expect(proxy.hosts).toEqual([host])
})

test.each(['none', '443'] as const)(
  '4.7 an https: server needs a tunnel to 443, of a proxy that opens %s',
  async (tunnels) => {
    const { proxy, get } = await behindProxy({ rules: { tunnels } })
    // The target speaks no TLS.
    const kind = tunnels === 'none' ? 'unsent' : 'unusable'
    await expect(get('https://docs.invalid')).rejects.toMatchObject({ kind })
    expect(proxy.hosts).toEqual(['docs.invalid:443'])
  },
)

test.each(['http://docs.invalid', 'https://docs.invalid'])(
  '4.3 a proxy that wants a login did not send the request on: %s',
  async (url) => {
    const { get } = await behindProxy({ rules: { refusal: 407 } })
    const refused = { kind: 'unsent', message: 'the proxy did not let the request through' }
    await expect(get(url)).rejects.toMatchObject(refused)
  },
)

test.each([
  ['what the variables name', {}],
  ['what Node takes from them', { NODE_USE_ENV_PROXY: '1' }],
  ['no variable, and Node has one', { HTTP_PROXY: '', HTTPS_PROXY: '' }],
])('1.2 the service on this machine never gets its key through a proxy: %s', async (_, variables) => {
  const { target, proxy, call } = await behindProxy({ variables })
  makeGlobal(proxy.url)
  expect(await call(target.url)).toEqual({ text: 'ok' })
  expect(proxy.hosts).toEqual([])
  expect(target.requests[0]?.headers.authorization).toBe('Bearer test-key')
})

test.each(['localhost', '127.0.0.1', '127.0.0.2', '127.1'])(
  '4.7 nothing goes to %s through a proxy, over http: or https:',
  async (host) => {
    const { target, proxy, get } = await behindProxy()
    for (const protocol of ['http', 'https'])
      await get(`${protocol}://${host}:${target.port}`).catch(() => {})
    expect(proxy.hosts).toEqual([])
  },
)

test('4.7 nor to the address of this machine in IPv6', async () => {
  const { target, proxy, get } = await behindProxy()
  await expect(get(`http://[::1]:${target.port}`)).rejects.toMatchObject({ kind: 'unsent' })
  expect(proxy.hosts).toEqual([])
})

test.each(['http://docs.invalid', 'https://docs.invalid'])(
  "4.7 without a variable, %s is not asked for at Node's own proxy",
  async (url) => {
    const { proxy, get } = await behindProxy({ variables: { HTTP_PROXY: '', HTTPS_PROXY: '' } })
    makeGlobal(proxy.url)
    await expect(get(url)).rejects.toMatchObject(NO_HOST)
    expect(proxy.hosts).toEqual([])
  },
)

test.each([
  ['HTTPS_PROXY', 'not a URL'],
  ['HTTPS_PROXY', 'socks9://127.0.0.1'],
  ['HTTPS_PROXY', 'http://'],
  ['HTTP_PROXY', 'not a URL'],
])(
  '4.7 a variable that holds no URL of a proxy ends the request, and its value is not shown: %s=%j',
  async (name, value) => {
    const variables = { HTTP_PROXY: '', HTTPS_PROXY: '', [name]: `${value}#secret` }
    const { get } = await behindProxy({ variables })
    const protocol = name.replace('_PROXY', '').toLowerCase()
    await expect(get(`${protocol}://service.test`)).rejects.toMatchObject({
      kind: 'unusable',
      message: `${name} holds no URL of a proxy`,
    })
  },
)
