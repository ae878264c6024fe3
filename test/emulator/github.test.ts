import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { APP, clients, numbers } from './helpers.ts'

test('the list of issues has pull requests too, and goes by state, creator, labels, time and order', async () => {
  let now = Date.UTC(2026, 0, 1)
  const emulator = createEmulator({ now: () => now })
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
  expect(await list('sort=updated')).toEqual([1, 3, 2])
  expect(await list('since=2026-01-01T00:02:00Z')).toEqual([1])
  const page = await github('GET', `${APP}/issues?per_page=1&page=2`)
  expect([numbers(page.body), page.headers.get('link')]).toEqual([[2], expect.stringContaining('rel="next"')])
})

test('a repository without issues answers 410, but for its pull requests', async () => {
  const emulator = createEmulator()
  const { github } = clients(emulator)
  emulator.github.addPullRequest({ number: 77 })
  emulator.github.setIssues(false)
  expect((await github('POST', `${APP}/issues`, { title: 'x' })).status).toBe(410)
  expect((await github('PATCH', `${APP}/issues/77`, { title: 'x' })).status).toBe(200)
})

test('the pull requests of a commit: those registered, and the one that it merged', async () => {
  const emulator = createEmulator()
  const { github } = clients(emulator)
  const merged = emulator.github.addPullRequest()
  const other = emulator.github.addPullRequest({ headRepository: 'fork/app' })
  emulator.github.closePullRequest(merged.number, { merged: true })
  emulator.github.setCommitPulls('abc123', [merged.number, other.number])
  const of = (sha: string | null) => github('GET', `${APP}/commits/${sha}/pulls`)
  expect(numbers((await of('abc123')).body)).toEqual([77, 78])
  expect(numbers((await of(merged.mergeCommitSha)).body)).toEqual([77])
  expect((await of('beef')).body).toEqual([])
  expect((await of('main')).status).toBe(422)
})

test('a comparison counts all commits and shows them by pages, its files on the first', async () => {
  const emulator = createEmulator()
  const { github } = clients(emulator)
  const commits = Array.from({ length: 260 }, (_, i) => ({ sha: `c${i}`, message: `change ${i}` }))
  emulator.github.setCompare('a1', 'b2', { commits, files: [{ filename: 'a.ts' }] })
  const path = `${APP}/compare/a1...b2`
  const whole = (await github('GET', path)).body
  expect([whole.total_commits, (whole.commits as unknown[]).length]).toEqual([260, 250])
  const page = await github('GET', `${path}?per_page=100&page=3`)
  expect([(page.body.commits as unknown[]).length, page.body.files]).toEqual([60, []])
})

test.each([
  ['application/vnd.github+json', ['body']],
  ['application/vnd.github.html+json', ['body_html']],
  ['application/vnd.github.full+json', ['body', 'body_html']],
])('each resource with a text has it, as %s, in the forms %j', async (accept, forms) => {
  const emulator = createEmulator()
  const { github } = emulator
  const [login, body] = ['alice', 'a < b']
  github.addIssue({ number: 1, body })
  github.addPullRequest({ number: 77, body })
  const { id: comment } = github.addComment(1, { login, body })
  const { id: reviewComment } = github.addReviewComment(77, { login, body })
  const { id: review } = github.addReview(77, { login, body })
  const { id: release } = github.addRelease({ tag: 'v1', body })
  for (const path of [
    ...['/issues/1', '/pulls/77', `/issues/comments/${comment}`, '/issues/1/comments'],
    ...[`/pulls/comments/${reviewComment}`, `/pulls/77/reviews/${review}`, `/releases/${release}`],
  ]) {
    const answer = (await clients(emulator).github('GET', APP + path, undefined, { accept })).body
    const resource = (Array.isArray(answer) ? answer[0] : answer) as Record<string, unknown>
    expect([path, Object.keys(resource).filter((name) => name.startsWith('body'))]).toEqual([path, forms])
    if (forms.includes('body_html')) expect(resource.body_html).toMatch(/a &(lt|#x3C); b<\/p>/)
  }
})

test('a renamed repository keeps its id and its threads, and is found by the old name', async () => {
  const emulator = createEmulator()
  const { github } = clients(emulator)
  emulator.github.addIssue({ number: 1, title: 'Retries' })
  const { id } = (await github('GET', APP)).body
  emulator.github.renameRepository('octo/app', 'octo/new')
  expect((await github('GET', '/repos/octo/new')).body).toMatchObject({ id, full_name: 'octo/new' })
  const moved = await github('GET', `${APP}/issues/1?x=1`)
  const target = `${emulator.githubUrl}/repositories/${id}/issues/1?x=1`
  expect([moved.status, moved.headers.get('location')]).toEqual([301, target])
  expect((await github('POST', `${APP}/issues/1/comments`, { body: 'x' })).status).toBe(307)
})

test('what GitHub refuses: length, blank, lock, permission, credentials, unknown', async () => {
  const emulator = createEmulator()
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
  const headers = { authorization: 'token wrong' }
  expect((await github('GET', `${APP}/issues/1`, undefined, headers)).status).toBe(401)

  const reader = createEmulator({ permissions: { issues: 'read', pull_requests: 'none' } })
  reader.github.addIssue()
  const denied = await clients(reader).github('POST', `${APP}/issues/1/comments`, { body: 'x' })
  expect(denied).toMatchObject({ status: 403, body: { message: 'Resource not accessible by integration' } })
})
