import { expect, test } from 'vitest'
import type { Permission } from '../../emulator/github/access.ts'
import { expectOutcome, world } from '../helpers/world.ts'

test('3.3 a stranger gets no job, a reaction, and what is needed in one comment a thread, edited and not repeated', {
  tags: 'bundle',
}, async () => {
  const emulator = world()
  const { said, ...result } = await emulator.ask('/docs explain', { by: 'mallory' })
  expectOutcome(result, 'skipped', 'permission-denied')
  expect(result.exitCode).toBe(0)
  expect(emulator.reactions(said.id)).toEqual(['confused'])
  expect(emulator.bodies()).toEqual([
    expect.stringMatching(/^\*\*🔒 @mallory, `\/docs` needs write permission.*you have read/),
  ])
  expect(result.outputs['comment-url']).toMatch(/#issuecomment-\d+$/)

  await emulator.ask('/docs help', { by: 'mallory' })
  emulator.github.setPermission('trudy', 'triage')
  await emulator.ask('/docs explain', { by: 'trudy' })
  expect(emulator.bodies()).toEqual([expect.stringMatching(/@trudy.*you have triage/)])
  expect(emulator.calls('service')).toEqual([])
  expectOutcome(await emulator.ask('/docs explain'), 'pull-request')
  await emulator.ask('/docs explain', { by: 'mallory' })
  expect(emulator.bodies()).toHaveLength(2)
})

test.each([
  ['alice', 'mallory'],
  ['mallory', 'alice'],
])('3.3 author %s and sender %s must both hold it', async (by, sender) => {
  const emulator = world()
  const result = await emulator.ask('/docs explain', { by, sender })
  expectOutcome(result, 'skipped', 'permission-denied')
  expect(emulator.calls('service')).toEqual([])
  expect(emulator.lastWords()).toContain('mallory')
})

const role = (role_name: string, permission: Permission['permission']) => ({ role_name, permission })

test.each<[string, Permission | 'maintain' | 'triage' | 'none', string, string]>([
  ['custom role on write', role('docs-writer', 'write'), 'write', 'pull-request'],
  ['custom role that is called like none', role('Admin', 'read'), 'write', 'skipped'],
  ['maintain', 'maintain', 'maintain', 'pull-request'],
  ['triage where triage is needed', 'triage', 'triage', 'pull-request'],
  ['nothing where nothing is needed', 'none', 'none', 'pull-request'],
  // They disagree: the lower one counts.
  ['admin by role, write by permission', role('admin', 'write'), 'maintain', 'skipped'],
  ['read by role, admin by permission', role('read', 'admin'), 'triage', 'skipped'],
  ['a permission that does not exist', { permission: 'owner' } as never, 'read', 'error'],
])('3.3 %s', async (_, permission, needs, outcome) => {
  const emulator = world()
  emulator.github.setPermission('dave', permission)
  const result = await emulator.ask('/docs explain', { by: 'dave', inputs: { 'min-permission': needs } })
  expect(result.outputs.outcome, result.log).toBe(outcome)
  expect(emulator.calls('service').length > 0).toBe(outcome === 'pull-request')
  expect(emulator.calls().some((call) => call.endsWith('/permission'))).toBe(needs !== 'none')
})

test.each([
  [{ kind: 'status', status: 401, body: { message: 'Bad credentials' } }, 'Pass a valid github-token'],
  [{ kind: 'status', status: 403, body: { message: 'Resource not accessible' } }, 'Pass a github-token that'],
  [{ kind: 'status', status: 404 }, 'HTTP 404'],
] as const)(
  '3.3 a permission that cannot be read (%o) is none, before any request to the service: %s',
  async (fault, why) => {
    const emulator = world()
    emulator.faults.add({ match: { path: /permission$/ }, times: Number.POSITIVE_INFINITY, fault })
    const { said, ...result } = await emulator.ask('/docs explain')
    expectOutcome(result, 'skipped', 'permission-denied')
    expect(result.exitCode).toBe(0)
    expect(emulator.calls('service')).toEqual([])
    expect(emulator.lastWords()).toMatch(/yours could not be read\. Pass a `github-token` that can read/)
    expect(result.annotations).toMatchObject([{ level: 'warning', message: expect.stringContaining(why) }])
    expect(emulator.reactions(said.id)).toEqual(['confused'])
  },
)

test('3.4 a bot that allowed-bots lists needs no permission, and is not mentioned', async () => {
  const emulator = world()
  const inputs = { 'allowed-bots': 'a[bot], renovate[bot]\nb' }
  expectOutcome(await emulator.ask('/docs explain', { by: 'renovate[bot]', inputs }), 'pull-request')
  expect(emulator.calls().some((call) => call.endsWith('/permission'))).toBe(false)
  expect(emulator.lastWords()).not.toContain('@renovate')
})

test('3.3 a person who only opened an issue gets neither a comment nor a reaction', {
  tags: 'bundle',
}, async () => {
  const emulator = world()

  const payload = {
    action: 'opened',
    issue: { number: 12, title: 'x' },
    sender: { login: 'mallory', type: 'User' },
  }
  const result = await emulator.act({ name: 'issues', payload }, { inputs: { prompt: 'explain' } })
  expectOutcome(result, 'skipped', 'permission-denied')
  expect(emulator.calls('service')).toEqual([])
  expect(emulator.bodies()).toEqual([])
  expect(emulator.calls('github').filter((call) => !call.startsWith('GET'))).toEqual([])
})

const discussed = (author: string, action = 'created') => ({
  name: 'discussion_comment',
  payload: {
    action,
    comment: { id: 5, body: 'hello', user: { login: author, type: 'User' } },
    sender: { login: 'alice', type: 'User' },
  },
})

test.each([
  ['mallory', 'created', 'skipped', 'permission-denied'],
  ['alice', 'edited', 'skipped', 'not-a-new-comment'],
  ['alice', 'created', 'pull-request', ''],
])(
  '3.3 a comment of %s in a discussion that is %s: %s %s',
  { tags: 'bundle' },
  async (author, action, outcome, reason) => {
    const emulator = world()
    const inputs = { prompt: 'Summarise', 'issue-title': 'Discussions' }
    const result = await emulator.act(discussed(author, action), { inputs })
    expectOutcome(result, outcome, reason)
    expect(emulator.service.jobs()).toHaveLength(outcome === 'skipped' ? 0 : 1)
    // For those who may not ask, no tracking issue is created either.
    expect(emulator.calls().includes('POST /repos/octo/app/issues')).toBe(outcome !== 'skipped')
  },
)

const commented = (name: string, body: string) => ({
  name,
  payload: {
    action: 'created',
    comment: { id: 5, body, user: { login: 'alice', type: 'User' } },
    sender: { login: 'alice', type: 'User' },
  },
})

test.each([
  ['discussion_comment', '/docs explain the retries', 'help'],
  ['discussion_comment', '/docs help', 'help'],
  ['commit_comment', '/docs explain', 'help'],
  ['discussion_comment', 'hello', 'not-a-command'],
  ['commit_comment', 'see /docs', 'not-a-command'],
  ['discussion_comment', '/docs.json is missing', 'not-a-command'],
])('3.6 a %s that says %j ends as %s, and nothing is read', async (name, body, reason) => {
  const emulator = world()
  const result = await emulator.act(commented(name, body))
  expectOutcome(result, 'skipped', reason)
  expect(result.exitCode).toBe(0)
  expect(emulator.calls()).toEqual([])
  expect(result.log.includes('Commands work in issues and pull requests')).toBe(reason === 'help')
})
