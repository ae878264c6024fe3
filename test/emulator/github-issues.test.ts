import { expect, test } from 'vitest'
import { APP, clients, emulate, numbers } from './helpers.ts'

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
