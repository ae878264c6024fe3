import { expect, test } from 'vitest'
import { serve, serveProxy } from '../helpers/server.ts'
import { errorsOf, IN_BUNDLE, type World, world } from '../helpers/world.ts'

/** In front of the emulator. */
const proxyTo = (emulator: World, refusal?: number) =>
  serveProxy({ port: Number(new URL(emulator.serviceUrl).port) }, refusal)

test.runIf(IN_BUNDLE).each(['HTTP_PROXY', 'http_proxy'])(
  '4.7 %s is honoured, for the service and for GitHub',
  { tags: 'bundle' },
  async (name) => {
    const emulator = world()
    const { url, hosts } = await proxyTo(emulator)
    const result = await emulator.ask('/docs Explain retries', { env: { [name]: url } })
    expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'pull-request' } })
    const { host } = new URL(emulator.serviceUrl)
    expect(new Set(hosts)).toEqual(new Set([host]))
    expect(emulator.requests.map(({ host }) => host)).toEqual(expect.arrayContaining(['service', 'github']))
  },
)

test.runIf(IN_BUNDLE).each([
  ['HTTPS_PROXY', 'docs.example.invalid'],
  ['https_proxy', 'localhost'],
])(
  '4.7 %s is honoured for %s; what it does not let through was not sent',
  { tags: 'bundle' },
  async (name, host) => {
    const emulator = world()
    const { url, hosts } = await proxyTo(emulator, 502)
    const inputs = {
      'base-url': `https://${host}`,
      'poll-interval-seconds': '1',
      'timeout-minutes': '0.2',
    }
    const result = await emulator.dispatch({ env: { [name]: url }, inputs })
    expect(new Set(hosts)).toEqual(new Set([`${host}:443`]))
    expect(result).toMatchObject({ exitCode: 1, outputs: { outcome: 'error', reason: 'network' } })
    expect(errorsOf(result)[0]).toMatch(/\(the proxy did not let the request through\)/)
  },
)

test.runIf(IN_BUNDLE)(
  '4.7 a redirect is not followed through a proxy either',
  { tags: 'bundle' },
  async () => {
    const emulator = world()
    const { url } = await proxyTo(emulator)
    const elsewhere = await serve((_, response) => response.end('{}'))
    emulator.faults.add({ match: { host: 'service' }, fault: { kind: 'redirect', location: elsewhere.url } })
    expect((await emulator.dispatch({ env: { HTTP_PROXY: url } })).outputs.reason).toBe('bad-response')
    expect(elsewhere.requests).toHaveLength(0)
    expect(emulator.calls('service')).toHaveLength(1)
  },
)
