import { expect, test } from 'vitest'
import { APP, clients, emulate, numbers } from './helpers.ts'

test('an issue is created with labels, edited, closed with a reason and opened again', async () => {
  const emulator = await emulate()
  const { github } = clients(emulator)
  const created = await github('POST', `${APP}/issues`, { title: 'Docs', body: 'text', labels: ['docs'] })
  expect(created).toMatchObject({
    status: 201,
    body: { state: 'open', user: { login: 'github-actions[bot]' }, labels: [{ name: 'docs' }] },
  })
  const one = `${APP}/issues/${created.body.number}`
  expect(created.headers.get('location')).toBe(emulator.githubUrl + one)
  const closed = await github('PATCH', one, { body: 'new', state: 'closed', state_reason: 'not_planned' })
  expect(closed.body).toMatchObject({
    title: 'Docs',
    body: 'new',
    state: 'closed',
    state_reason: 'not_planned',
  })
  expect(closed.body.closed_at).not.toBeNull()
  const opened = await github('PATCH', one, { state: 'open' })
  expect(opened.body).toMatchObject({ state: 'open', state_reason: 'reopened', closed_at: null })
})

test.each([
  ['POST', {}],
  ['POST', { title: ' ' }],
  ['POST', { title: 'x'.repeat(257) }],
  ['POST', { title: 'x', body: 'x'.repeat(65_537) }],
  ['POST', { title: 'x', labels: [''] }],
  ['PATCH', { state: 'gone' }],
  ['PATCH', { state_reason: 'because' }],
])('%s refuses %j', async (method, body) => {
  const emulator = await emulate()
  const { number } = emulator.github.addIssue()
  const path = method === 'POST' ? `${APP}/issues` : `${APP}/issues/${number}`
  expect((await clients(emulator).github(method, path, body)).status).toBe(422)
  expect(emulator.github.repository('octo/app')?.issues.size).toBe(1)
})

test('the list has pull requests too, and goes by state, creator, labels, time, order and page', async () => {
  let now = Date.UTC(2026, 0, 1)
  const emulator = await emulate({ now: () => now })
  const { github } = clients(emulator)
  emulator.github.addIssue({ number: 1, user: 'alice', labels: ['Docs', 'bug'] })
  now += 60_000
  emulator.github.addIssue({ number: 2, user: 'github-actions[bot]' })
  emulator.github.addPullRequest({ number: 3, user: 'alice' })
  emulator.github.addIssue({ number: 4 })
  emulator.github.editIssue(4, { state: 'closed' })
  now += 60_000
  emulator.github.addComment(1, { login: 'bob', body: 'hello' })
  const list = async (query: string) => numbers((await github('GET', `${APP}/issues?${query}`)).body)
  expect(await list('')).toEqual([3, 2, 1])
  expect(await list('state=all&direction=asc')).toEqual([1, 2, 3, 4])
  expect(await list('state=closed')).toEqual([4])
  expect(await list('creator=github-actions%5Bbot%5D')).toEqual([2])
  expect(await list('labels=docs,bug')).toEqual([1])
  expect(await list('labels=docs,other')).toEqual([])
  expect(await list('sort=updated')).toEqual([1, 3, 2])
  expect(await list('sort=comments&direction=asc')).toEqual([2, 3, 1])
  expect(await list('since=2026-01-01T00:02:00Z')).toEqual([1])
  const page = await github('GET', `${APP}/issues?per_page=1&page=2`)
  expect([numbers(page.body), page.headers.get('link')]).toEqual([[2], expect.stringContaining('rel="next"')])
  expect((await github('GET', `${APP}/issues`)).body).toMatchObject({
    0: { pull_request: { merged_at: null } },
  })
})

test('a repository without issues answers 410, but for its pull requests', async () => {
  const emulator = await emulate()
  const { github } = clients(emulator)
  emulator.github.addIssue({ number: 1 })
  emulator.github.addPullRequest({ number: 77 })
  emulator.github.setIssues(false)
  for (const [method, path] of [
    ['POST', '/issues'],
    ['GET', '/issues'],
    ['PATCH', '/issues/1'],
  ] as const)
    expect((await github(method, APP + path, method === 'GET' ? undefined : { title: 'x' })).status).toBe(410)
  expect((await github('PATCH', `${APP}/issues/77`, { title: 'x' })).status).toBe(200)
})

test('labels are added once, and created where the repository has none of that name', async () => {
  const emulator = await emulate()
  const { github } = clients(emulator)
  const { number } = emulator.github.addPullRequest({ labels: ['Docs'] })
  const add = (labels: unknown) => github('POST', `${APP}/issues/${number}/labels`, labels)
  expect((await add({ labels: ['docs', 'new'] })).body).toMatchObject([{ name: 'Docs' }, { name: 'new' }])
  expect((await add(['new'])).status).toBe(200)
  expect((await add({ labels: 'new' })).status).toBe(422)
  const repo = emulator.github.repository('octo/app')
  expect(repo?.issues.get(number)?.labels).toEqual(['Docs', 'new'])
  expect([...(repo?.labels ?? [])]).toEqual(['Docs', 'new'])
})

test('what the token’s permissions allow', async () => {
  const statuses = async (issues: 'read' | 'none', pull_requests: 'read' | 'write') => {
    const emulator = await emulate({ permissions: { issues, pull_requests } })
    emulator.github.addIssue({ number: 1 })
    const { github } = clients(emulator)
    const calls = [
      github('GET', `${APP}/issues`),
      github('POST', `${APP}/issues`, { title: 'x' }),
      github('PATCH', `${APP}/issues/1`, { title: 'x' }),
      github('POST', `${APP}/issues/1/labels`, ['x']),
    ]
    return (await Promise.all(calls)).map(({ status }) => status)
  }
  expect(await statuses('read', 'read')).toEqual([200, 403, 403, 403])
  expect(await statuses('none', 'write')).toEqual([403, 403, 200, 200])
})
