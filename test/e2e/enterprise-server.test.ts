import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'
import { commented } from './helpers/events.ts'
import { commentsIn, expectOutcome, openSandbox, reactionsTo } from './helpers/sandbox.ts'

const NAME_SERVER = fileURLToPath(new URL('helpers/name-server.ts', import.meta.url))

const EXAMPLE = 'enterprise-server.yml'

test('requests to the service pass the proxy, those to the server do not, and links lead to the server', async () => {
  const server = 'https://github.example.com'
  const sandbox = await openSandbox({ serverUrl: server })
  const { event, id } = commented(sandbox, '/docs explain retries')
  const { proxyUrl, enterprisePort, tunnels, reached } = sandbox.network
  const run = await sandbox.run(EXAMPLE, event, {
    vars: { HTTPS_PROXY: proxyUrl },
    env: {
      NODE_EXTRA_CA_CERTS: inject('certificate').file,
      NODE_OPTIONS: `--import=${NAME_SERVER}`,
      // Tests cannot listen on the port of HTTPS.
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
  expect(commentsIn(sandbox)).toEqual([expect.stringContaining(`${server}/octo/app/pull/77`)])
  expect(reactionsTo(sandbox, id)).toEqual(['rocket'])
})
