import { expect, test } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import { clients, emulate } from './helpers.ts'

const create = (emulator: Emulator, body: unknown = { branch: 'docs-agent/a' }) =>
  clients(emulator).service('POST', '/v1/project/preview/docs', body)

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
