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

test('3.3 a stranger gets no job, a reaction, and one comment that says what is needed', async () => {
  const emulator = await world()
  const { result, said } = await ask(emulator, '/docs explain', { by: 'mallory' })
  expectOutcome(result, 'skipped', 'permission-denied')
  expect(result.exitCode).toBe(0)
  expect(calls(emulator, 'service')).toEqual([])
  expect(reactions(emulator, said.id)).toEqual(['confused'])
  expect(bodies(emulator)).toHaveLength(1)
  expect(lastWords(emulator)).toMatch(/^\*\*🔒 @mallory, `\/docs` needs write permission.*you have read/)
  expect(result.outputs['comment-url']).toMatch(/#issuecomment-\d+$/)
})

test('3.3 the refusal is one a thread: edited, not repeated', async () => {
  const emulator = await world()
  await ask(emulator, '/docs explain', { by: 'mallory' })
  await ask(emulator, '/docs help', { by: 'mallory' })
  emulator.github.setPermission('trudy', 'triage')
  await ask(emulator, '/docs explain', { by: 'trudy' })
  expect(bodies(emulator)).toHaveLength(1)
  expect(lastWords(emulator)).toMatch(/@trudy.*you have triage/)
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

test.each([{ kind: 'status', status: 502 }, { kind: 'reset' }, { kind: 'html', status: 200 }] as const)(
  '3.3 5.7 an outage while the permission is read (%o) refuses no person, and asks for nothing',
  async (fault) => {
    const emulator = await world()
    emulator.faults.add({ match: { path: /permission$/ }, times: Number.POSITIVE_INFINITY, fault })
    // A third of it is for GitHub.
    const { result, said } = await ask(
      emulator,
      '/docs explain',
      {},
      { inputs: { 'timeout-minutes': '0.1' } },
    )
    expect(result.outputs.outcome).toBe('error')
    expect(calls(emulator, 'service')).toEqual([])
    expect(bodies(emulator)).toEqual([])
    expect(reactions(emulator, said.id)).toEqual([])
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
