import { expect, test } from 'vitest'
import { ask, emulate } from './helpers.ts'

// The service as its description has it.

const JOB = '/v2/agent/docs/job'
const MINUTE = 60_000

test('projects of one organisation share the key, and know no jobs of each other', async () => {
  const { emulator } = emulate({ otherProjects: ['api'] })
  const { status, body } = await ask(emulator, 'POST /v2/agent/api/job', { prompt: 'x' })
  expect([status, (await ask(emulator, `GET /v2/agent/api/job/${body.id}`)).status]).toEqual([201, 200])
  expect((await ask(emulator, `GET ${JOB}/${body.id}`)).status).toBe(404)
  expect((await ask(emulator, `POST ${JOB}/${body.id}/message`, { prompt: 'y' })).status).toBe(404)
  expect((await ask(emulator, 'POST /v2/agent/other/job', { prompt: 'x' })).status).toBe(404)
})

test.each<[string, number, number, (nth: number, id: unknown) => readonly [string, unknown?]]>([
  ['a hundred jobs are created an hour', 100, 60 * MINUTE, () => [`POST ${JOB}`, { prompt: 'x' }]],
  ['a hundred messages an hour', 100, 60 * MINUTE, (_, id) => [`POST ${JOB}/${id}/message`, { prompt: 'x' }]],
  [
    'all analytics share a hundred requests an hour',
    100,
    60 * MINUTE,
    (nth) => [`GET /v1/analytics/docs/${['visitors', 'feedback', 'assistant', 'searches'][nth % 4]}`],
  ],
])('%s', async (_, limit, period, request) => {
  const { clock, emulator } = emulate()
  const { id } = emulator.service.create('docs', 'x')
  const statusOf = async (nth: number) => (await ask(emulator, ...request(nth, id))).status
  const statuses = await Promise.all(Array.from({ length: limit + 1 }, (__, nth) => statusOf(nth)))
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  clock.now += period + 1
  expect(await statusOf(0)).toBeLessThan(300)
})

test.each([
  [`POST ${JOB}`, {}, 400],
  [`POST ${JOB}`, { prompt: '' }, 400],
  ['GET /v1/analytics/docs/feedback?limit=101', undefined, 400],
  ['GET /v1/analytics/docs/feedback?cursor=what', undefined, 400],
  ['GET /v1/analytics/docs/feedback?status=pending,other', undefined, 400],
  ['GET /v1/analytics/docs/assistant?limit=1001', undefined, 400],
  ['GET /v1/analytics/docs/searches?dateFrom=2026-01-02&dateTo=2026-01-02', undefined, 400],
  ['GET /v1/analytics/docs/visitors?limit=251', undefined, 400],
])('%s with %j is %i', async (request, body, status) => {
  expect((await ask(emulate().emulator, request, body)).status).toBe(status)
})
