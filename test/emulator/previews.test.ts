import { expect, test } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import { clients, emulate } from './helpers.ts'

const create = (emulator: Emulator, body: unknown = { branch: 'docs-agent/a' }) =>
  clients(emulator).service('POST', '/v1/project/preview/docs', body)

const read = async (emulator: Emulator, id: unknown) =>
  (await clients(emulator).service('GET', `/v1/project/update-status/${id}`)).body

test('a preview is queued, then in progress, then there; a second deployment has the same address', async () => {
  const emulator = await emulate()
  const { status, body } = await create(emulator)
  expect([status, body]).toEqual([
    202,
    { statusId: expect.any(String), previewUrl: 'https://docs-docs-agent-a.preview.example.com' },
  ])
  expect(await read(emulator, body.statusId)).toMatchObject({ status: 'queued', logs: [], endedAt: null })
  expect(await read(emulator, body.statusId)).toMatchObject({ status: 'in_progress', endedAt: null })
  const done = await read(emulator, body.statusId)
  expect(done).toMatchObject({
    status: 'success',
    endedAt: expect.any(String),
    commit: { ref: 'docs-agent/a', filesChanged: { modified: ['docs/retries.mdx'] } },
  })
  expect(await read(emulator, body.statusId)).toEqual(done)
  const again = (await create(emulator)).body
  expect([again.previewUrl, again.statusId === body.statusId]).toEqual([body.previewUrl, false])
  expect(emulator.service.previews.all()).toHaveLength(2)
})

test('scripted deployments: by the clock, failed, without end, odd', async () => {
  let now = 0
  const emulator = await emulate({ now: () => now })
  emulator.service.previews.script.push(
    { durationMs: 40_000, ending: 'failure', logs: ['a', 'b'] },
    { reads: 0, ending: 'never' },
    { reads: 0, previewUrl: 'javascript:alert(1)', fields: { logs: undefined, status: 'odd' } },
  )
  const timed = (await create(emulator)).body.statusId
  expect((await read(emulator, timed)).status).toBe('queued')
  now = 10_000
  expect(await read(emulator, timed)).toMatchObject({ status: 'in_progress', logs: ['a'] })
  now = 40_000
  expect(await read(emulator, timed)).toMatchObject({ status: 'failure', logs: ['a', 'b'] })
  const stuck = (await create(emulator)).body.statusId
  await read(emulator, stuck)
  expect((await read(emulator, stuck)).status).toBe('in_progress')
  const odd = (await create(emulator)).body
  expect(odd.previewUrl).toBe('javascript:alert(1)')
  const status = await read(emulator, odd.statusId)
  expect([status.status, 'logs' in status]).toEqual(['odd', false])
})

test('what the service refuses: no branch, another project, an unknown status, a plan without previews', async () => {
  const emulator = await emulate()
  const { service } = clients(emulator)
  expect((await create(emulator, { branch: '' })).status).toBe(400)
  expect((await service('POST', '/v1/project/preview/other', { branch: 'a' })).status).toBe(404)
  expect((await service('GET', '/v1/project/update-status/none')).status).toBe(404)
  emulator.service.previews.isInPlan = false
  expect((await create(emulator)).status).toBe(403)
})

test('the sixth request within a minute is refused, and accepted a minute later', async () => {
  let now = 0
  const emulator = await emulate({ now: () => now })
  const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await create(emulator)).status))
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  now += 60_001
  expect((await create(emulator)).status).toBe(202)
})
