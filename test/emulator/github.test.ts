import { expect, test } from 'vitest'
import { APP, clients, emulate } from './helpers.ts'

test('comments: create, list by pages with Link, edit, delete', async () => {
  const emulator = await emulate()
  const { github } = clients(emulator)
  const { number } = emulator.github.addIssue({ title: 'Retries' })
  for (let i = 0; i < 5; i += 1) emulator.github.addComment(number, { login: 'alice', body: `note ${i}` })
  const created = await github('POST', `${APP}/issues/${number}/comments`, { body: 'hello' })
  expect(created).toMatchObject({
    status: 201,
    body: { user: { login: 'github-actions[bot]', type: 'Bot' } },
  })
  expect(created.body.html_url).toBe(`https://github.com/octo/app/issues/1#issuecomment-${created.body.id}`)

  const second = await github('GET', `${APP}/issues/${number}/comments?per_page=2&page=2`)
  const url = (page: number) => `${emulator.githubUrl}${APP}/issues/1/comments?per_page=2&page=${page}`
  expect(second.headers.get('link')).toBe(
    `<${url(1)}>; rel="prev", <${url(3)}>; rel="next", <${url(3)}>; rel="last", <${url(1)}>; rel="first"`,
  )
  const all = await github('GET', `${APP}/issues/comments?sort=created&direction=desc&per_page=100`)
  expect(all.headers.get('link')).toBeNull()
  expect(all.body).toHaveLength(6)
  expect(all.body).toMatchObject({ 0: { body: 'hello' } })

  const one = `${APP}/issues/comments/${created.body.id}`
  expect((await github('PATCH', one, { body: 'changed' })).body.body).toBe('changed')
  expect((await github('DELETE', one)).status).toBe(204)
  expect((await github('GET', one)).status).toBe(404)
})

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

test('reactions are given once, listed and taken back, on both kinds of comments', async () => {
  const emulator = await emulate()
  const { github } = clients(emulator)
  const { number } = emulator.github.addPullRequest()
  const plain = emulator.github.addComment(number, { login: 'alice', body: '/docs' })
  const review = emulator.github.addReviewComment(number, { login: 'alice', body: '/docs' })
  for (const path of [`${APP}/issues/comments/${plain.id}`, `${APP}/pulls/comments/${review.id}`]) {
    const first = await github('POST', `${path}/reactions`, { content: 'eyes' })
    expect(first.status).toBe(201)
    const again = await github('POST', `${path}/reactions`, { content: 'eyes' })
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id } })
    expect((await github('GET', `${path}/reactions`)).body).toHaveLength(1)
    expect((await github('DELETE', `${path}/reactions/${first.body.id}`)).status).toBe(204)
    expect((await github('DELETE', `${path}/reactions/${first.body.id}`)).status).toBe(404)
    expect((await github('POST', `${path}/reactions`, { content: 'shrug' })).status).toBe(422)
  }
})

test('permissions: built-in roles, custom roles, strangers and nobody', async () => {
  const emulator = await emulate()
  const of = (login: string) =>
    clients(emulator).github('GET', `${APP}/collaborators/${encodeURIComponent(login)}/permission`)
  emulator.github.setPermission('alice', 'maintain')
  emulator.github.setPermission('carol', { permission: 'write', role_name: 'docs-writer' })
  emulator.github.setPermission('ghost', 'missing')
  expect((await of('Alice')).body).toMatchObject({ permission: 'write', role_name: 'maintain' })
  expect((await of('carol')).body).toMatchObject({ permission: 'write', role_name: 'docs-writer' })
  expect((await of('mallory')).body).toMatchObject({ permission: 'read', user: { login: 'mallory' } })
  expect((await of('ghost')).status).toBe(404)
})

test('pull requests, their files and comparisons', async () => {
  const emulator = await emulate()
  const { github } = clients(emulator)
  const files = Array.from({ length: 3 }, (_, i) => ({ filename: `src/${i}.ts`, additions: 2, patch: '+x' }))
  const { number } = emulator.github.addPullRequest({ title: 'Add retries', user: 'alice', files })
  const path = `${APP}/pulls/${number}`
  expect((await github('GET', path)).body).toMatchObject({ changed_files: 3, additions: 6, state: 'open' })
  const page = await github('GET', `${path}/files?per_page=2`)
  expect(page.body).toHaveLength(2)
  expect(page.headers.get('link')).toContain('rel="next"')
  emulator.github.closePullRequest(number, { merged: true })
  expect((await github('GET', path)).body).toMatchObject({ merged: true, state: 'closed' })

  emulator.github.setCompare('a1', 'b2', { files, commits: [{ sha: 'b2', message: 'Squashed' }] })
  expect((await github('GET', `${APP}/compare/a1...b2`)).body).toMatchObject({ total_commits: 1 })
  expect((await github('GET', `${APP}/compare/a1...c3`)).status).toBe(404)
})
