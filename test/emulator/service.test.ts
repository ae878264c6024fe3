import { expect, test } from 'vitest'
import { clients, emulate } from './helpers.ts'

const JOB = '/v2/agent/docs/job'

test('projects of one organisation share the key, and know no jobs of each other', async () => {
  const emulator = await emulate({ otherProjects: ['api'] })
  const { service } = clients(emulator)
  const { status, body } = await service('POST', '/v2/agent/api/job', { prompt: 'x' })
  expect([status, emulator.service.jobs()[0]?.project]).toEqual([201, 'api'])
  expect((await service('GET', `/v2/agent/api/job/${body.id}`)).status).toBe(200)
  expect((await service('GET', `${JOB}/${body.id}`)).status).toBe(404)
  expect((await service('POST', `${JOB}/${body.id}/message`, { prompt: 'y' })).status).toBe(404)
  expect((await service('POST', '/v2/agent/other/job', { prompt: 'x' })).status).toBe(404)
})

test('a follow-up may be answered by a stale read, and keeps the pull request', async () => {
  const emulator = await emulate()
  const { service } = clients(emulator)
  emulator.service.script.push({ reads: 0 }, { staleReads: 1, reads: 1 })
  const { body } = await service('POST', JOB, { prompt: 'x' })
  const read = async () => (await service('GET', `${JOB}/${body.id}`)).body
  const first = await read()
  expect((await service('POST', `${JOB}/${body.id}/message`, { prompt: 'y' })).body.status).toBe('active')
  expect(await read()).toEqual(first)
  expect(await read()).toMatchObject({ status: 'active', prLink: first.prLink })
  expect(await read()).toEqual(first)
  expect(emulator.service.jobs()[0]?.prompts).toEqual(['x', 'y'])
})

test('scripted turns: at once, by the clock, failed, archived, odd', async () => {
  let now = Date.UTC(2026, 0, 1)
  const emulator = await emulate({ now: () => now })
  const { service } = clients(emulator)
  emulator.service.script.push(
    { answerStatus: 'completed', pr: 'https://gitlab.example/x/-/merge_requests/1' },
    { durationMs: 5000, ending: 'failed' },
    { ending: 'archived', reads: 0 },
    { ending: 'active-forever', activeStatus: 'pondering', fields: { model: null, source: undefined } },
  )
  const make = async () => (await service('POST', JOB, { prompt: 'x' })).body
  const read = async (job: Record<string, unknown>) => (await service('GET', `${JOB}/${job.id}`)).body
  expect(await make()).toMatchObject({
    status: 'completed',
    prLink: 'https://gitlab.example/x/-/merge_requests/1',
  })

  const timed = await make()
  expect((await read(timed)).status).toBe('active')
  now += 5000
  expect(await read(timed)).toMatchObject({ status: 'failed', prLink: null })

  const archived = await make()
  expect(await read(archived)).toMatchObject({ status: 'archived', archivedAt: '2026-01-01T00:00:05.000Z' })
  const message = await service('POST', `${JOB}/${archived.id}/message`, { prompt: 'more' })
  expect(message).toMatchObject({ status: 400, body: { error: 'Job is archived' } })

  const odd = await make()
  expect(odd).toMatchObject({ status: 'pondering', model: null })
  expect(odd).not.toHaveProperty('source')
})

test('the hundred and first creation within an hour is refused, and accepted an hour later', async () => {
  let now = 0
  const emulator = await emulate({ now: () => now })
  const { service } = clients(emulator)
  const create = async () => (await service('POST', JOB, { prompt: 'x' })).status
  const all = await Promise.all(Array.from({ length: 101 }, create))
  expect(all.filter((status) => status === 429)).toHaveLength(1)
  now += 3_600_001
  expect(await create()).toBe(201)
})
