import { expect, test } from 'vitest'
import { ask, emulate } from './helpers.ts'

// The service as its description has it.

const JOB = '/v2/agent/docs/job'
const PREVIEW = '/v1/project/preview/docs'
const MINUTE = 60_000

test('projects of one organisation share the key, and know no jobs of each other', async () => {
  const { emulator } = emulate({ otherProjects: ['api'] })
  const { status, body } = await ask(emulator, 'POST /v2/agent/api/job', { prompt: 'x' })
  expect([status, (await ask(emulator, `GET /v2/agent/api/job/${body.id}`)).status]).toEqual([201, 200])
  expect((await ask(emulator, `GET ${JOB}/${body.id}`)).status).toBe(404)
  expect((await ask(emulator, `POST ${JOB}/${body.id}/message`, { prompt: 'y' })).status).toBe(404)
  expect((await ask(emulator, 'POST /v2/agent/other/job', { prompt: 'x' })).status).toBe(404)
})

test('a job takes no messages once it is archived, and is not found once it is gone', async () => {
  const { emulator } = emulate()
  const { id } = (await ask(emulator, `POST ${JOB}`, { prompt: 'x' })).body
  const message = async () => (await ask(emulator, `POST ${JOB}/${id}/message`, { prompt: 'y' })).status
  emulator.service.archive(String(id))
  const { body } = await ask(emulator, `GET ${JOB}/${id}`)
  expect([await message(), body.status, body.archivedAt]).toEqual([
    400,
    'archived',
    '2026-01-01T00:00:00.000Z',
  ])
  emulator.service.forget(String(id))
  expect(await message()).toBe(404)
})

test.each([
  { kind: 'truncated' },
  { kind: 'resetMidBody' },
  { kind: 'wrongType' },
  { kind: 'oversize', bytes: 9 },
] as const)('an answer that is spoilt (%j) comes after the effect', async (fault) => {
  const { emulator } = emulate()
  emulator.faults.add({ fault })
  await ask(emulator, `POST ${JOB}`, { prompt: 'x' }).catch(() => {})
  expect(emulator.service.jobs()).toHaveLength(1)
})

test('a pull request opens while the job works, which names it at its end', async () => {
  const { clock, emulator } = emulate()
  emulator.service.script.push({ durationMs: 60_000, opensAfterMs: 10_000 })
  const { id } = (await ask(emulator, `POST ${JOB}`, { prompt: 'x' })).body
  const job = async () => (await ask(emulator, `GET ${JOB}/${id}`)).body
  expect(await job()).toMatchObject({ status: 'active', source: { ref: 'main' } })
  clock.now += 10_000
  const ref = `docs-agent/${id}`
  expect(await job()).toMatchObject({ status: 'active', prLink: null, source: { ref } })
  clock.now += 50_000
  expect(await job()).toMatchObject({ status: 'completed', prLink: expect.stringMatching(/77$/) })
})

test('after a message, reads answer as before it for a while, and for no longer than a minute', async () => {
  const { clock, emulator } = emulate()
  const { id } = (await ask(emulator, `POST ${JOB}`, { prompt: 'x' })).body
  const job = async () => (await ask(emulator, `GET ${JOB}/${id}`)).body.status
  await job()
  emulator.service.script.push({ staleReads: 5, durationMs: 3 * MINUTE })
  const before = await job()
  await ask(emulator, `POST ${JOB}/${id}/message`, { prompt: 'y' })
  expect([before, await job()]).toEqual(['completed', 'completed'])
  clock.now += MINUTE
  expect(await job()).toBe('active')
})

test('a preview waits, is built, and is there', async () => {
  const { emulator } = emulate()
  const { statusId } = (await ask(emulator, `POST ${PREVIEW}`, { branch: 'a' })).body
  const status = async () => (await ask(emulator, `GET /v1/project/update-status/${statusId}`)).body.status
  expect([await status(), await status(), await status()]).toEqual(['queued', 'in_progress', 'success'])
})

test.each<[string, number, number, (nth: number, id: unknown) => readonly [string, unknown?]]>([
  ['a hundred jobs are created an hour', 100, 60 * MINUTE, () => [`POST ${JOB}`, { prompt: 'x' }]],
  ['a hundred messages an hour', 100, 60 * MINUTE, (_, id) => [`POST ${JOB}/${id}/message`, { prompt: 'x' }]],
  ['five previews are deployed a minute', 5, MINUTE, () => [`POST ${PREVIEW}`, { branch: 'a' }]],
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
  [`POST ${PREVIEW}`, { branch: '' }, 400],
  ['GET /v1/project/update-status/none', undefined, 404],
  ['GET /v1/analytics/docs/feedback?limit=101', undefined, 400],
  ['GET /v1/analytics/docs/feedback?cursor=what', undefined, 400],
  ['GET /v1/analytics/docs/feedback?status=pending,other', undefined, 400],
  ['GET /v1/analytics/docs/assistant?limit=1001', undefined, 400],
  ['GET /v1/analytics/docs/searches?dateFrom=2026-01-02&dateTo=2026-01-02', undefined, 400],
  ['GET /v1/analytics/docs/visitors?limit=251', undefined, 400],
])('%s with %j is %i', async (request, body, status) => {
  expect((await ask(emulate().emulator, request, body)).status).toBe(status)
})

test('the key of another organisation opens nothing, and a plan without previews has none', async () => {
  const { emulator } = emulate()
  const authorization = 'Bearer other'
  expect((await ask(emulator, `GET ${JOB}/j`, undefined, { authorization })).status).toBe(401)
  emulator.service.previews.isInPlan = false
  expect((await ask(emulator, `POST ${PREVIEW}`, { branch: 'a' })).status).toBe(403)
})

test('visitors come by fifty, and searches do not say whether there are more', async () => {
  const { emulator } = emulate()
  emulator.service.site = { rows: 60 }
  const { visitors, hasMore } = (await ask(emulator, 'GET /v1/analytics/docs/visitors')).body
  expect([visitors, hasMore]).toEqual([expect.objectContaining({ length: 50 }), true])
  expect((await ask(emulator, 'GET /v1/analytics/docs/searches')).body).not.toHaveProperty('hasMore')
})
