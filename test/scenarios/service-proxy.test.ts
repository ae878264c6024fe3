import { expect, test } from 'vitest'
import { serve, serveProxy } from '../helpers/server.ts'
import { errorsOf, IN_BUNDLE, type World, world } from '../helpers/world.ts'

/** In front of the emulator. */
const proxyTo = (emulator: World, refusal?: number) =>
  serveProxy({ port: Number(new URL(emulator.serviceUrl).port) }, { tunnels: 'none', refusal })

const GITHUB = 'github.example.invalid'

test.runIf(IN_BUNDLE).each(['HTTP_PROXY', 'http_proxy'])(
  '4.7 %s is honoured for GitHub, and not for the service on this machine',
  { tags: 'bundle' },
  async (name) => {
    const emulator = world()
    const { url, hosts } = await proxyTo(emulator)
    const GITHUB_API_URL = emulator.githubUrl.replace(/127\.0\.0\.1:\d+/, GITHUB)
    const result = await emulator.ask('/docs Explain retries', { env: { [name]: url, GITHUB_API_URL } })
    expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'pull-request' } })
    expect(new Set(hosts)).toEqual(new Set([GITHUB]))
    expect(hosts).toHaveLength(emulator.calls('github').length)
    expect(emulator.calls('service')).not.toEqual([])
  },
)

test
  .runIf(IN_BUNDLE)
  .each([
    { NODE_USE_ENV_PROXY: '1' },
    { NODE_USE_ENV_PROXY: '0' },
    { NODE_OPTIONS: '--use-env-proxy' },
    { NODE_OPTIONS: '--no-use-env-proxy' },
  ])('1.2 4.7 nothing of this machine goes through a proxy: %j', { tags: 'bundle' }, async (variables) => {
  const emulator = world()
  const { url, hosts } = await proxyTo(emulator)
  const env = { HTTP_PROXY: url, HTTPS_PROXY: url, ...variables }
  const result = await emulator.ask('/docs Explain retries', { env })
  expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'pull-request' } })
  expect(hosts).toEqual([])
})

test.runIf(IN_BUNDLE).each([
  ['HTTPS_PROXY', {}],
  ['https_proxy', { NODE_USE_ENV_PROXY: '1' }],
])(
  '4.7 %s is honoured, with %j, too; what it does not let through was not sent',
  { tags: 'bundle' },
  async (name, variables) => {
    const emulator = world()
    const { url, hosts } = await proxyTo(emulator, 502)
    const inputs = {
      'base-url': 'https://docs.example.invalid',
      'poll-interval-seconds': '1',
      'timeout-minutes': '0.2',
    }
    const result = await emulator.dispatch({ env: { [name]: url, ...variables }, inputs })
    expect(new Set(hosts)).toEqual(new Set(['docs.example.invalid:443']))
    expect(result).toMatchObject({ exitCode: 1, outputs: { outcome: 'error', reason: 'network' } })
    expect(errorsOf(result)[0]).toMatch(/\(the proxy did not let the request through\)/)
  },
)

test.runIf(IN_BUNDLE)('4.7 a redirect is not followed either', { tags: 'bundle' }, async () => {
  const emulator = world()
  const { url } = await proxyTo(emulator)
  const elsewhere = await serve((_, response) => response.end('{}'))
  emulator.faults.add({ match: { host: 'service' }, fault: { kind: 'redirect', location: elsewhere.url } })
  expect((await emulator.dispatch({ env: { HTTP_PROXY: url } })).outputs.reason).toBe('bad-response')
  expect(elsewhere.requests).toHaveLength(0)
  expect(emulator.calls('service')).toHaveLength(1)
})
