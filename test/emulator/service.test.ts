import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { clients } from './helpers.ts'

const JOB = '/v2/agent/docs/job'
const PREVIEW = '/v1/project/preview/docs'

test('projects of one organisation share the key, and know no jobs of each other', async () => {
  const emulator = createEmulator({ otherProjects: ['api'] })
  const { service } = clients(emulator)
  const { status, body } = await service('POST', '/v2/agent/api/job', { prompt: 'x' })
  expect([status, emulator.service.jobs()[0]?.project]).toEqual([201, 'api'])
  expect((await service('GET', `/v2/agent/api/job/${body.id}`)).status).toBe(200)
  expect((await service('GET', `${JOB}/${body.id}`)).status).toBe(404)
  expect((await service('POST', `${JOB}/${body.id}/message`, { prompt: 'y' })).status).toBe(404)
  expect((await service('POST', '/v2/agent/other/job', { prompt: 'x' })).status).toBe(404)
})

const MINUTE = 60_000
const ANALYTICS = ['visitors', 'feedback', 'assistant', 'searches']

test.each<[string, number, number, (nth: number) => readonly [string, string, unknown?]]>([
  ['a hundred jobs are created an hour', 100, 60 * MINUTE, () => ['POST', JOB, { prompt: 'x' }]],
  ['five previews are deployed a minute', 5, MINUTE, () => ['POST', PREVIEW, { branch: 'a' }]],
  [
    'all analytics share a hundred requests an hour',
    100,
    60 * MINUTE,
    (nth) => ['GET', `/v1/analytics/docs/${ANALYTICS[nth % ANALYTICS.length]}`],
  ],
])('%s', async (_, limit, period, request) => {
  let now = Date.UTC(2026, 0, 31)
  const { service } = clients(createEmulator({ now: () => now }))
  const statusOf = async (nth: number) => (await service(...request(nth))).status
  const statuses = await Promise.all(Array.from({ length: limit + 1 }, (__, nth) => statusOf(nth)))
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  now += period + 1
  expect(await statusOf(0)).toBeLessThan(300)
})

test.each([
  ['feedback', 'limit=101'],
  ['feedback', 'cursor=what'],
  ['feedback', 'source=other'],
  ['feedback', 'status=pending,other'],
  ['feedback', 'limit=0'],
  ['assistant', 'limit=1001'],
  ['assistant', 'cursor=01J'],
  ['searches', 'limit=x'],
  ['searches', 'dateFrom=soon'],
  ['visitors', 'limit=251'],
])('%s refuses %s', async (path, query) => {
  const { service } = clients(createEmulator())
  const { status, body } = await service('GET', `/v1/analytics/docs/${path}?${query}`)
  expect([status, body.details]).toEqual([400, [{ message: expect.any(String) }]])
})
