import { expect, test } from 'vitest'
import {
  act,
  ask,
  bodies,
  calls,
  expectOutcome,
  given,
  interrupted,
  lastWords,
  READ,
  reactions,
  say,
  world,
} from './conversation-helpers.ts'

test('3.3 a stranger gets no job, a reaction, and what is needed in one comment a thread, edited and not repeated', async () => {
  const emulator = await world()
  const { result, said } = await ask(emulator, '/docs explain', { by: 'mallory' })
  expectOutcome(result, 'skipped', 'permission-denied')
  expect(result.exitCode).toBe(0)
  expect(reactions(emulator, said.id)).toEqual(['confused'])
  expect(bodies(emulator)).toEqual([
    expect.stringMatching(/^\*\*🔒 @mallory, `\/docs` needs write permission.*you have read/),
  ])
  expect(result.outputs['comment-url']).toMatch(/#issuecomment-\d+$/)

  await ask(emulator, '/docs help', { by: 'mallory' })
  emulator.github.setPermission('trudy', 'triage')
  await ask(emulator, '/docs explain', { by: 'trudy' })
  expect(bodies(emulator)).toEqual([expect.stringMatching(/@trudy.*you have triage/)])
  expect(calls(emulator, 'service')).toEqual([])
  expectOutcome((await ask(emulator, '/docs explain')).result, 'pull-request')
  await ask(emulator, '/docs explain', { by: 'mallory' })
  expect(bodies(emulator)).toHaveLength(2)
})

test.each([
  ['alice', 'mallory'],
  ['mallory', 'alice'],
])('3.3 author %s and sender %s must both hold it', async (by, sender) => {
  const emulator = await world()
  const { result } = await ask(emulator, '/docs explain', { by, sender })
  expectOutcome(result, 'skipped', 'permission-denied')
  expect(calls(emulator, 'service')).toEqual([])
  expect(lastWords(emulator)).toContain('mallory')
})

test.each([
  [
    'custom role on write',
    { role_name: 'docs-writer', permission: 'write' as const },
    'write',
    'pull-request',
  ],
  ['custom role on read', { role_name: 'docs-writer', permission: 'read' as const }, 'write', 'skipped'],
  ['maintain', 'maintain', 'maintain', 'pull-request'],
  ['write where maintain is needed', 'write', 'maintain', 'skipped'],
  ['triage where triage is needed', 'triage', 'triage', 'pull-request'],
  ['read where triage is needed', 'read', 'triage', 'skipped'],
  ['nothing where nothing is needed', 'none', 'none', 'pull-request'],
])('3.3 %s', async (_, permission, needs, outcome) => {
  const emulator = await world()
  emulator.github.setPermission('dave', permission)
  const { result } = await ask(
    emulator,
    '/docs explain',
    { by: 'dave' },
    { inputs: { 'min-permission': needs } },
  )
  expect(result.outputs.outcome, result.log).toBe(outcome)
  expect(calls(emulator, 'service').length > 0).toBe(outcome === 'pull-request')
})

test.each([
  [{ kind: 'status', status: 401, body: { message: 'Bad credentials' } }, 'Pass a valid github-token'],
  [{ kind: 'status', status: 403, body: { message: 'Resource not accessible' } }, 'Pass a github-token that'],
  [{ kind: 'status', status: 404 }, 'HTTP 404'],
] as const)(
  '3.3 a permission that cannot be read (%o) is none, before any request to the service: %s',
  async (fault, why) => {
    const emulator = await world()
    emulator.faults.add({ match: { path: /permission$/ }, times: Number.POSITIVE_INFINITY, fault })
    const { result, said } = await ask(emulator, '/docs explain')
    expectOutcome(result, 'skipped', 'permission-denied')
    expect(result.exitCode).toBe(0)
    expect(calls(emulator, 'service')).toEqual([])
    expect(lastWords(emulator)).toContain('yours could not be read')
    expect(result.annotations).toMatchObject([{ level: 'warning', message: expect.stringContaining(why) }])
    expect(reactions(emulator, said.id)).toEqual(['confused'])
  },
)

test('3.3 5.3 a re-run that is let in leaves no confusion behind', async () => {
  const emulator = await world()
  const { said } = await ask(emulator, '/docs explain', { by: 'mallory' })
  emulator.github.setPermission('mallory', 'write')

  expectOutcome(await act(emulator, said, { attempt: 2 }), 'pull-request')
  expect(reactions(emulator, said.id)).toEqual(['rocket'])
})

test('3.3 5.3 a re-run that is refused leaves no eyes of an attempt that was let in', async () => {
  const emulator = await world()
  const said = say(emulator, '/docs explain')
  await interrupted(emulator, given(emulator, said, { post: false }), READ)
  expect(reactions(emulator, said.id)).toEqual(['eyes'])

  emulator.github.setPermission('alice', 'read')
  expectOutcome(await act(emulator, said, { attempt: 2 }), 'skipped', 'permission-denied')
  expect(reactions(emulator, said.id)).toEqual(['confused'])
})

test.each([
  ['renovate[bot]', 'renovate[bot]', 'pull-request', ''],
  ['renovate[bot]', 'a[bot], renovate[bot]\nb', 'pull-request', ''],
  ['renovate[bot]', 'renovate', 'skipped', 'bot'],
  ['renovate[bot]', 'Renovate[bot]', 'skipped', 'bot'],
  ['renovate[bot]', 'renovate-x[bot]', 'skipped', 'bot'],
])('3.4 a bot %s with allowed-bots %j', async (by, allowed, outcome, reason) => {
  const emulator = await world()
  const { result } = await ask(emulator, '/docs explain', { by }, { inputs: { 'allowed-bots': allowed } })
  expectOutcome(result, outcome, reason)
  expect(calls(emulator).some((call) => call.endsWith('/permission'))).toBe(false)
  if (outcome === 'pull-request') expect(lastWords(emulator)).not.toContain('@renovate')
})

test('3.3 a person who only opened an issue gets neither a comment nor a reaction', async () => {
  const emulator = await world()

  const payload = {
    action: 'opened',
    issue: { number: 12, title: 'x' },
    sender: { login: 'mallory', type: 'User' },
  }
  const result = await act(emulator, { name: 'issues', payload }, { inputs: { prompt: 'explain' } })
  expectOutcome(result, 'skipped', 'permission-denied')
  expect(calls(emulator, 'service')).toEqual([])
  expect(bodies(emulator)).toEqual([])
  expect(calls(emulator, 'github').filter((call) => !call.startsWith('GET'))).toEqual([])
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
])('3.3 a comment of %s in a discussion that is %s: %s %s', async (author, action, outcome, reason) => {
  const emulator = await world()
  const result = await act(emulator, discussed(author, action), { inputs: { prompt: 'Summarise' } })
  expectOutcome(result, outcome, reason)
  expect(emulator.service.jobs()).toHaveLength(outcome === 'skipped' ? 0 : 1)
})

test('3.3 a comment whose author cannot be read is denied', async () => {
  const emulator = await world()
  const said = say(emulator, '/docs explain')
  const payload = { ...said.payload, comment: { id: said.id, body: '/docs explain', user: null } }
  expectOutcome(await act(emulator, { ...said, payload }), 'skipped', 'permission-denied')
  expect(calls(emulator, 'service')).toEqual([])
})
