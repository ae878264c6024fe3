import { expect, test } from 'vitest'
import { APP, clients, emulate } from './helpers.ts'

test('`since` goes by the time of the last change', async () => {
  let now = Date.UTC(2026, 0, 1)
  const emulator = await emulate({ now: () => now })
  const { number } = emulator.github.addIssue()
  const old = emulator.github.addComment(number, { login: 'alice', body: 'old' })
  emulator.github.addComment(number, { login: 'alice', body: 'untouched' })
  now += 86_400_000
  emulator.github.editComment(old.id, 'old, edited')
  const { body } = await clients(emulator).github('GET', `${APP}/issues/comments?since=2026-01-01T12:00:00Z`)
  expect(body).toMatchObject([{ body: 'old, edited' }])
})

test('what GitHub refuses: length, blank, lock, permission, credentials, unknown', async () => {
  const emulator = await emulate()
  const { github } = clients(emulator)
  const { number } = emulator.github.addIssue()
  const post = (body: string) => github('POST', `${APP}/issues/${number}/comments`, { body })
  expect((await post('x'.repeat(65_537))).status).toBe(422)
  expect((await post(' ')).status).toBe(422)
  expect((await post('x'.repeat(65_536))).status).toBe(201)
  emulator.github.lock(number)
  expect(await post('x')).toMatchObject({
    status: 403,
    body: { message: 'Unable to create comment because issue is locked.' },
  })
  expect((await github('GET', '/repos/octo/none/issues/1')).status).toBe(404)
  const bad = await fetch(`${emulator.githubUrl}${APP}/issues/1`, {
    headers: { authorization: 'token wrong' },
  })
  expect(bad.status).toBe(401)
  expect(bad.headers.get('x-ratelimit-remaining')).not.toBeNull()

  const reader = await emulate({ permissions: { issues: 'read', pull_requests: 'none' } })
  reader.github.addIssue()
  const denied = await clients(reader).github('POST', `${APP}/issues/1/comments`, { body: 'x' })
  expect(denied).toMatchObject({ status: 403, body: { message: 'Resource not accessible by integration' } })
})
