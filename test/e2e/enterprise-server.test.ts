import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'
import { commented } from './helpers/events.ts'
import { expectOutcome, openWorld, reactionsTo, told } from './helpers/world.ts'

const NAME_SERVER = fileURLToPath(new URL('helpers/name-server.ts', import.meta.url))

test('the service is asked through the proxy, the server is not, and links lead to the server', async () => {
  const server = 'https://github.example.com'
  const world = await openWorld({ serverUrl: server })
  const { event, id } = commented(world, '/docs explain retries')
  const { proxyUrl, enterprisePort, tunnels, reached } = world.network
  const run = await world.run('enterprise-server.yml', event, {
    vars: { HTTPS_PROXY: proxyUrl },
    env: {
      NODE_EXTRA_CA_CERTS: inject('certificate').file,
      NODE_OPTIONS: `--import=${NAME_SERVER}`,
      // A port of its own, since the one of HTTPS is not to be had.
      GITHUB_API_URL: `${server}:${enterprisePort}/api/v3`,
    },
    instance: 'github.example.com',
  })
  const { outputs, summary } = expectOutcome(run, 'pull-request')
  expect(outputs['pr-link']).toBe(`${server}/octo/app/pull/77`)
  expect(outputs['comment-url']).toContain(`${server}/octo/app/issues/12#issuecomment-`)
  expect(summary).toContain(`[github.example.com/octo/app#77](${server}/octo/app/pull/77)`)
  expect([...new Set(tunnels)]).toEqual(['api.mintlify.com:443'])
  expect([...new Set(reached)].sort()).toEqual(['api.mintlify.com', 'github.example.com'])
  expect(told(world)).toEqual([expect.stringContaining(`${server}/octo/app/pull/77`)])
  expect(reactionsTo(world, id)).toEqual(['rocket'])
})
