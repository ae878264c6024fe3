import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import type { Permission as Answer } from '../../emulator/github/access.ts'
import { ForgeError } from '../../src/errors.ts'
import { PERMISSIONS, type Permission } from '../../src/event/account.ts'
import { checkAccess } from '../../src/event/gate.ts'
import { readTrigger } from '../../src/event/trigger.ts'
import type { JsonObject } from '../../src/json.ts'
import { forgeOf } from '../trigger/helpers.ts'

const emulator = createEmulator()
const forge = await forgeOf(emulator)
const user = (login: string, type = 'User') => ({ login, type })

function check(event: string, payload: JsonObject, needs: Permission = 'write') {
  emulator.clearRequests()
  return checkAccess(forge, readTrigger({ eventName: event, payload }), needs)
}
const comment = (author: JsonObject | null, sender: JsonObject | null) =>
  ({ issue: { number: 12 }, comment: { id: 1, body: 'x', user: author }, sender }) as JsonObject

const ranked = PERMISSIONS.flatMap((has) => PERMISSIONS.map((needs) => ({ has, needs })))

test.each(ranked)('3.3 a person who has $has where $needs is needed', async ({ has, needs }) => {
  emulator.github.setPermission('alice', has)
  const granted = PERMISSIONS.indexOf(has) >= PERMISSIONS.indexOf(needs)
  const access = await check('issue_comment', comment(user('alice'), user('alice')), needs)
  expect(access).toEqual(granted ? { granted: true } : { granted: false, login: 'alice', has })
  expect(emulator.requests).toHaveLength(needs === 'none' ? 0 : 1)
})

test.each<[string, Answer, boolean]>([
  ['a custom role on top of write', { role_name: 'docs-writer', permission: 'write' }, true],
  ['a custom role on top of read', { role_name: 'docs-writer', permission: 'read' }, false],
  ['a custom role that is called like none', { role_name: 'Admin', permission: 'read' }, false],
  ['a custom role on top of admin', { role_name: 'boss', permission: 'admin' }, true],
])('3.3 %s', async (_, answer, granted) => {
  emulator.github.setPermission('alice', answer)
  expect(await check('issue_comment', comment(user('alice'), user('alice')))).toMatchObject({ granted })
})

test.each<readonly [string, Answer['permission'], Permission]>([
  ['admin', 'admin', 'admin'],
  ['maintain', 'write', 'maintain'],
  ['write', 'write', 'write'],
  ['triage', 'read', 'triage'],
  ['read', 'read', 'read'],
  ['none', 'none', 'none'],
  // They disagree: the lower one counts.
  ['admin', 'write', 'write'],
  ['admin', 'read', 'read'],
  ['admin', 'none', 'none'],
  ['maintain', 'admin', 'maintain'],
  ['maintain', 'read', 'read'],
  ['write', 'admin', 'write'],
  ['write', 'read', 'read'],
  ['triage', 'write', 'triage'],
  ['triage', 'none', 'none'],
  ['read', 'admin', 'read'],
  ['none', 'admin', 'none'],
])('3.3 role_name %s with permission %s counts as %s', async (role_name, permission, level) => {
  emulator.github.setPermission('alice', { role_name, permission })
  const rank = PERMISSIONS.indexOf(level)
  const event = comment(user('alice'), user('alice'))
  expect(await check('issue_comment', event, level)).toEqual({ granted: true })
  const more = PERMISSIONS[rank + 1]
  if (more === undefined) return
  expect(await check('issue_comment', event, more)).toEqual({ granted: false, login: 'alice', has: level })
})

test.each([
  ['alice', 'mallory', 'mallory'],
  ['mallory', 'alice', 'mallory'],
  ['mallory', 'mallory', 'mallory'],
  ['alice', 'alice', ''],
  ['alice', 'bob', ''],
])('3.3 a comment by %s, sent by %s', async (author, sender, denied) => {
  for (const login of ['alice', 'bob']) emulator.github.setPermission(login, 'write')
  emulator.github.setPermission('mallory', 'read')
  const access = await check('issue_comment', comment(user(author), user(sender)))
  expect(access).toEqual(denied === '' ? { granted: true } : { granted: false, login: denied, has: 'read' })
  const asked = emulator.requests.map(({ path }) => path.split('/').at(-2))
  expect(asked.length).toBe(new Set(asked).size)
})

test.each([404, 403])('3.3 a permission that the token may not read is none: %i', async (status) => {
  emulator.github.setPermission('alice', 'admin')
  emulator.faults.add({ fault: { kind: 'status', status } })
  const access = await check('issue_comment', comment(user('alice'), user('alice')), 'read')
  expect(access).toEqual({ granted: false, login: 'alice', has: '', unreadable: expect.any(ForgeError) })
})

test.each([
  ['a server error', { kind: 'status', status: 502 }],
  ['no JSON', { kind: 'html', status: 200 }],
  ['a permission that does not exist', { kind: 'wrongType', body: '{"permission":"owner"}' }],
  [
    'a permission that is no text',
    { kind: 'wrongType', body: '{"permission":["admin"],"role_name":{"a":1}}' },
  ],
] as const)('3.3 an outage neither denies nor grants: %s', async (_, fault) => {
  emulator.github.setPermission('alice', 'admin')
  const rule = emulator.faults.add({ times: Number.POSITIVE_INFINITY, fault })
  const checked = check('issue_comment', comment(user('alice'), user('alice')), 'read')
  await expect(checked.finally(() => rule.remove())).rejects.toMatchObject({ kind: 'away' })
})

test.each([
  ['no account', null],
  ['a login that is none', user('a/../b')],
  ['an empty login', user('')],
])('3.3 an event of %s is denied without a request', async (_, sender) => {
  const access = await check('issues', { issue: { number: 1 }, sender } as JsonObject)
  expect(access).toEqual({ granted: false, login: '', has: '' })
  expect(emulator.requests).toHaveLength(0)
})
