import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { agentClient } from '../../src/agent/agent-client.ts'
import { serve } from '../helpers/server.ts'

const deps = {
  fetch,
  now: Date.now,
  sleep: async (ms: number, signal?: AbortSignal) => void (await wait(ms, undefined, signal && { signal })),
}
const JOB = JSON.stringify({ id: 'j_1', status: 'active' })

test('1.2 a path prefix is kept, project and job cannot leave their place in the path', async () => {
  const { url, requests } = await serve((_, response) => response.end(JOB))
  const client = agentClient(deps, { baseUrl: `${url}/a/b`, apiKey: 'test-key', projectId: '../x?y=1#z/ü' })
  await client.create('x')
  // The answers are about another job.
  await Promise.allSettled([client.message('../j?&/1', 'x')])
  await Promise.allSettled([client.read('j%2f1')])
  expect(requests.map(({ url }) => url)).toEqual([
    '/a/b/v2/agent/..%2Fx%3Fy%3D1%23z%2F%C3%BC/job',
    '/a/b/v2/agent/..%2Fx%3Fy%3D1%23z%2F%C3%BC/job/..%2Fj%3F%26%2F1/message',
    '/a/b/v2/agent/..%2Fx%3Fy%3D1%23z%2F%C3%BC/job/j%252f1',
  ])
})

test('4.7 a read times out after 30 s, or earlier at a deadline; create and message after 90 s', async () => {
  const limits: number[] = []
  const sleep = (ms: number) => {
    limits.push(ms)
    return new Promise<void>(() => {})
  }
  const { url } = await serve((_, response) => response.end(JOB))
  const client = agentClient({ ...deps, sleep }, { baseUrl: url, apiKey: 'test-key', projectId: 'docs' })
  await client.read('j_1')
  await client.read('j_1', 120_000)
  await client.read('j_1', 700)
  await client.create('x')
  await client.message('j_1', 'x')
  expect(limits).toEqual([30_000, 30_000, 700, 90_000, 90_000])
})

test.each(['test-key', 'a/b"c\\d+'])(
  '1.1 the key %s is taken out of an answer that spells it with escapes',
  async (apiKey) => {
    const escaped = Array.from(
      apiKey,
      (character) => `\\u00${character.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    const plain = JSON.stringify(apiKey).slice(1, -1)
    const texts = [escaped.join(''), plain, plain.replace('/', '\\/')]
    for (const model of texts) {
      const { url } = await serve((_, response) =>
        response.end(`{"id":"j_1","status":"active","model":"${model}"}`),
      )
      const client = agentClient(deps, { baseUrl: url, apiKey, projectId: 'docs' })
      expect(await client.read('j_1')).toMatchObject({ model: '***' })
    }
  },
)
