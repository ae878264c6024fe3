import { expect, test } from 'vitest'
import type { AccessLevel } from '../../emulator/options.ts'
import { asArray, asObject } from '../../src/json.ts'
import { ask, emulate } from './helpers.ts'

// The emulated GitHub is no kinder than GitHub. Scenarios show that the action copes with what it refuses; they pass as
// well where it refuses nothing. What is quoted is GitHub's description of the endpoint, in @octokit/openapi.

const SHA = 'a'.repeat(40)
const SCOPES = ['issues', 'pull_requests', 'contents', 'checks', 'statuses'] as const
/** Each scope but some has one level. */
const permitting = (level: AccessLevel, but: object) => ({
  ...Object.fromEntries(SCOPES.map((scope) => [scope, level])),
  ...but,
})

// docs.github.com/rest/authentication/permissions-required-for-github-apps
test.each([
  ['GET /issues', ['issues']],
  ['GET /issues/77/comments', ['issues', 'pull_requests']],
  ['GET /pulls/77/comments', ['pull_requests']],
  ['GET /compare/a...b', ['contents']],
  ['GET /releases/1', ['contents']],
  [`GET /commits/${SHA}/check-runs`, ['checks']],
  ['GET /check-runs/1/annotations', ['checks']],
  [`GET /commits/${SHA}/status`, ['statuses']],
] as const)('%s takes the permission to read one of %j', async (request, scopes) => {
  const statusWith = async (permissions: object) => {
    const { app, github } = emulate({ permissions })
    github.addPullRequest()
    return (await app(request)).status
  }
  const without = Object.fromEntries(scopes.map((scope) => [scope, 'none']))
  expect(await statusWith(permitting('write', without))).toBe(403)
  for (const scope of scopes) expect(await statusWith(permitting('none', { [scope]: 'read' }))).not.toBe(403)
})

test('a permission to read is none to write', async () => {
  const { app, github } = emulate({ permissions: { issues: 'read', pull_requests: 'read' } })
  github.addIssue({ number: 1 })
  expect(await app('POST /issues/1/comments', { body: 'x' })).toMatchObject({
    status: 403,
    body: { message: 'Resource not accessible by integration' },
  })
})

// Access to another repository: docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api, "404 Not Found".
test.each([
  ['private', {}, 404, 404],
  ['public', {}, 200, 403],
  ['private', { tokenCoversDocs: true }, 200, 201],
] as const)(
  'another repository (%s, %j) is read with %i and written with %i',
  async (seen, more, read, write) => {
    const { emulator, github } = emulate({ docsRepositoryVisibility: seen, ...more })
    const { number } = github.addIssue({ repo: 'octo/docs' })
    const path = `/repos/octo/docs/issues/${number}/comments`
    expect((await ask(emulator, `GET ${path}`)).status).toBe(read)
    expect((await ask(emulator, `POST ${path}`, { body: 'x' })).status).toBe(write)
  },
)

test('wrong credentials are 401, and the token of a workflow stands for no user', async () => {
  const { emulator, app } = emulate()
  expect((await app('GET /issues', undefined, { authorization: 'Bearer old' })).status).toBe(401)
  expect((await ask(emulator, 'GET /user')).status).toBe(403)
})

// docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api, "Follow redirects".
test('a repository is found by its former name, by a redirect to its id that keeps method and query', async () => {
  const { app, github, emulator } = emulate()
  github.addIssue({ number: 1 })
  github.renameRepository('octo/app', 'octo/new')
  const { status, headers } = await app('GET /issues/1?x=1')
  expect([status, headers.get('location')]).toEqual([
    301,
    expect.stringMatching(/\/repositories\/\d+\/issues\/1\?x=1$/),
  ])
  const path = headers.get('location')?.slice(emulator.githubUrl.length)
  expect((await ask(emulator, `GET ${path}`)).body).toMatchObject({ number: 1 })
  expect((await app('POST /issues/1/comments', { body: 'x' })).status).toBe(307)
})

test.each([
  ['maintain', 'Maya', { permission: 'write', role_name: 'maintain' }],
  ['triage', 'tom', { permission: 'read', role_name: 'triage' }],
])('the role %s is shown as one of the four, for a login in any case', async (role, login, shown) => {
  const { app, github } = emulate()
  github.setPermission(login, role)
  expect((await app(`GET /collaborators/${login.toUpperCase()}/permission`)).body).toMatchObject(shown)
})

test('a login that is nobody is 404', async () => {
  const { app, github } = emulate()
  github.setPermission('nobody', 'missing')
  expect((await app('GET /collaborators/nobody/permission')).status).toBe(404)
})

test('comments are by id, or by update; `since` is about updates, and an edit is one', async () => {
  const { clock, app, github, listed } = emulate()
  github.addIssue({ number: 1 })
  const [first, second] = ['a', 'b'].map((body) => github.addComment(1, { login: 'bob', body }).id)
  clock.now += 60_000
  await app(`PATCH /issues/comments/${first}`, { body: 'c' })
  expect(await listed('/issues/1/comments?since=2026-01-01T00:01:00Z', 'id')).toEqual([first])
  // "Ignored without the `sort` parameter."
  expect(await listed('/issues/comments?direction=desc', 'id')).toEqual([first, second])
  expect(await listed('/issues/comments?sort=updated&direction=desc', 'id')).toEqual([first, second])
  expect(await listed('/issues/comments?sort=updated&direction=asc', 'id')).toEqual([second, first])
})

test('what changes a thread moves its update, and a label comes to the others', async () => {
  const { clock, app, github } = emulate()
  github.addPullRequest({ number: 77, labels: ['bug'] })
  const changes = [
    ['POST /issues/77/comments', { body: 'x' }],
    ['PATCH /issues/77', { title: 'x' }],
    ['POST /issues/77/labels', { labels: ['x'] }],
  ] as const
  for (const [request, body] of changes) {
    clock.now += 60_000
    await app(request, body)
    const { updated_at: updated } = (await app('GET /issues/77')).body
    expect([request, Date.parse(String(updated))]).toEqual([request, clock.now])
  }
  // "Adds labels to an issue."
  expect(github.issue(77).labels).toEqual(['bug', 'x'])
})

test('pages have thirty entries, and at most a hundred', async () => {
  const { github, listed } = emulate()
  github.addIssue({ number: 1 })
  for (let n = 0; n < 101; n += 1) github.addComment(1, { login: 'bob', body: 'x' })
  expect(await listed('/issues/1/comments')).toHaveLength(30)
  expect(await listed('/issues/1/comments?per_page=101')).toHaveLength(100)
})

// "A response with an HTTP 200 status means that you already added the reaction type".
test('a reaction is given once, and taken back once', async () => {
  const { app, github } = emulate()
  github.addIssue({ number: 1 })
  const path = `/issues/comments/${github.addComment(1, { login: 'bob', body: 'x' }).id}/reactions`
  const react = async (content: string) => app(`POST ${path}`, { content })
  const { status, body } = await react('eyes')
  expect([status, (await react('eyes')).status, (await react('tada')).status]).toEqual([201, 200, 422])
  const takeBack = async () => (await app(`DELETE ${path}/${body.id}`)).status
  expect([await takeBack(), await takeBack()]).toEqual([204, 404])
})

// Lengths as GitHub's answers name them; no description has them.
test.each([
  ['a blank comment', 'POST /issues/1/comments', { body: ' ' }],
  ['a long comment', 'POST /issues/1/comments', { body: 'x'.repeat(65_537) }],
  ['a long title', 'POST /issues', { title: 'x'.repeat(257) }],
  ['a blank title', 'POST /issues', { title: ' ' }],
  ['a long label', 'POST /issues/1/labels', { labels: ['x'.repeat(51)] }],
  ['the pull requests of what is no SHA', 'GET /commits/main/pulls', undefined],
  ['the checks of what is no commit', 'GET /commits/none/check-runs', undefined],
])('%s is refused', async (_, request, body) => {
  const { app, github } = emulate()
  github.addIssue({ number: 1 })
  expect((await app(request, body)).status).toBe(422)
})

test('a repository without issues answers 410, but for its pull requests', async () => {
  const { app, github } = emulate()
  github.addIssue({ number: 1 })
  github.addPullRequest({ number: 77 })
  github.repo().hasIssues = false
  expect((await app('GET /issues')).status).toBe(410)
  expect((await app('POST /issues', { title: 'x' })).status).toBe(410)
  expect((await app('PATCH /issues/1', { title: 'x' })).status).toBe(410)
  expect((await app('PATCH /issues/77', { title: 'x' })).status).toBe(200)
})

test('issues have pull requests among them; the list goes by state and creator, newest first', async () => {
  const { clock, app, github, listed } = emulate()
  github.addIssue({ number: 1, user: 'alice' })
  github.addIssue({ number: 2, user: 'bob' })
  clock.now += 60_000
  github.addPullRequest({ number: 3, user: 'alice' })
  github.addIssue({ number: 4 })
  await app('PATCH /issues/4', { state: 'closed', state_reason: 'not_planned' })
  expect((await app('GET /issues/4')).body).toMatchObject({ body: null, state_reason: 'not_planned' })
  expect(await listed('/issues')).toEqual([3, 2, 1])
  expect(await listed('/issues?creator=Bob')).toEqual([2])
  expect(await listed('/issues?state=closed')).toEqual([4])
})

test('pull requests go by state, base and order, and only one that is read by its number says `merged`', async () => {
  const { clock, app, github, listed } = emulate()
  for (const baseRef of ['main', 'next', 'main']) {
    github.addPullRequest({ baseRef })
    clock.now += 60_000
  }
  github.closePullRequest(78)
  github.closePullRequest(77, { merged: true })
  expect(await listed('/pulls')).toEqual([79])
  expect(await listed('/pulls?state=all')).toEqual([79, 78, 77])
  expect(await listed('/pulls?state=all&base=main')).toEqual([79, 77])
  // "Default: `desc` when sort is `created` or sort is not specified, otherwise `asc`."
  expect(await listed('/pulls?state=all&sort=updated')).toEqual([79, 77, 78])
  expect(await listed('/pulls?state=all', 'merged')).toEqual([undefined, undefined, undefined])
  expect((await app('GET /pulls/77')).body.merged).toBe(true)
})

// "GitHub creates a merge commit to test whether the pull request can be automatically merged": such a SHA tells nothing.
test('merged is what has a time of merging; the commit of a test merge belongs to no pull request', async () => {
  const { github, app, listed } = emulate()
  for (let n = 0; n < 3; n += 1) github.addPullRequest()
  const { sha: head } = github.pull(77).head
  const { merge_commit_sha: tested } = (await app('GET /pulls/77')).body
  expect(tested).toMatch(/^[0-9a-f]{40}$/)
  github.closePullRequest(78)
  github.closePullRequest(79, { merged: true })
  expect((await app('GET /pulls/78')).body).toMatchObject({ merged_at: null, merge_commit_sha: null })
  const merge = github.pull(79).mergeCommitSha
  expect([await listed(`/commits/${head}/pulls`), await listed(`/commits/${merge}/pulls`)]).toEqual([
    [77],
    [79],
  ])
  expect(await listed(`/commits/${tested}/pulls`)).toEqual([])
})

test('a pull request from a fork has its head there', async () => {
  const { app, github } = emulate()
  github.addPullRequest({ number: 77, headRepository: 'fork/app' })
  const { head, base } = (await app('GET /pulls/77')).body
  expect([head, base]).toMatchObject([
    { repo: { full_name: 'fork/app' } },
    { repo: { full_name: 'octo/app' } },
  ])
})

test('a review is found on its own pull request alone', async () => {
  const { app, github } = emulate()
  for (const number of [77, 78]) github.addPullRequest({ number })
  const { id } = github.addReview(77, { login: 'bob', body: 'x' })
  const statuses = [77, 78].map(async (number) => (await app(`GET /pulls/${number}/reviews/${id}`)).status)
  expect(await Promise.all(statuses)).toEqual([200, 404])
})

test('whoever cannot be asked for a review keeps the others from being asked', async () => {
  const { app, github } = emulate()
  github.setPermission('dana', 'write')
  github.addPullRequest({ number: 77, user: 'alice' })
  for (const who of [{ reviewers: ['dana', 'bob'] }, { team_reviewers: ['x'] }])
    expect((await app('POST /pulls/77/requested_reviewers', who)).status).toBe(422)
  expect((await app('GET /pulls/77')).body.requested_reviewers).toEqual([])
})

// "Responses include a maximum of 3000 files"; a comparison has 300, all on the first page, and 250 commits.
test('long lists of files and commits are cut', async () => {
  const { app, github, listed } = emulate()
  const files = Array.from({ length: 3001 }, (_, n) => ({ filename: `${n}.md` }))
  const commits = Array.from({ length: 251 }, (_, n) => ({ sha: `c${n}`, message: 'x' }))
  github.addPullRequest({ number: 77, files })
  github.setCompare('a', 'b', { files, commits })
  expect(await listed('/pulls/77/files?per_page=100&page=31')).toEqual([])
  const compared = async (query: string) => {
    const { body } = await app(`GET /compare/a...b${query}`)
    return [body.total_commits, asArray(body.commits).length, asArray(body.files).length]
  }
  expect([await compared(''), await compared('?page=2')]).toEqual([
    [251, 250, 300],
    [251, 1, 0],
  ])
})

test('texts are rendered only for whom `Accept` says so, and refer to a repository only as `gfm`', async () => {
  const { app, github, emulator } = emulate()
  github.addIssue({ number: 1, body: 'a < b' })
  const html = async (accept: string) => (await app('GET /issues/1', undefined, { accept })).body.body_html
  expect(await html('application/vnd.github+json')).toBeUndefined()
  expect(await html('application/vnd.github.full+json')).toMatch(/a &(lt|#x3C); b<\/p>/)
  const { token } = emulator.settings
  const rendered = async (mode?: string) => {
    const body = JSON.stringify({ text: '#12', context: 'octo/app', mode })
    const headers = { authorization: `Bearer ${token}` }
    return await (
      await emulator.fetch(`${emulator.githubUrl}/markdown`, { method: 'POST', headers, body })
    ).text()
  }
  expect([await rendered(), await rendered('gfm')]).toEqual([
    '<p>#12</p>',
    expect.stringContaining('/octo/app/issues/12'),
  ])
})

test('checks show, wait, run and end in their own time, the latest of each name, on pages', async () => {
  const { clock, app, github } = emulate()
  const annotations = [{ path: 'a.md', line: 1, message: 'x' }]
  github.addChecks(SHA, [
    { name: 'build', takesMs: 40_000, conclusion: 'failure', annotations },
    { name: 'links', appearsAfterMs: 50_000 },
    ...Array.from({ length: 29 }, (_, n) => ({ name: `${n}` })),
  ])
  const runs = async () =>
    asArray((await app(`GET /commits/${SHA}/check-runs?per_page=100`)).body.check_runs).map(asObject)
  const build = async () => (await runs()).find(({ name }) => name === 'build')
  const annotated = async () => (await app(`GET /check-runs/${(await build())?.id}/annotations`)).list.length
  expect([await build(), await annotated()]).toMatchObject([{ status: 'queued', conclusion: null }, 0])
  clock.now += 10_000
  expect([await build(), (await runs()).length]).toMatchObject([{ status: 'in_progress' }, 30])
  clock.now += 40_000
  expect([await build(), await annotated()]).toMatchObject([
    { status: 'completed', conclusion: 'failure' },
    1,
  ])
  const { body } = await app(`GET /commits/${SHA}/check-runs`)
  expect([body.total_count, asArray(body.check_runs).length]).toEqual([31, 30])
  github.addChecks(SHA, [{ name: 'build', conclusion: 'success' }])
  expect([await build(), (await runs()).length]).toMatchObject([{ conclusion: 'success' }, 31])
})

test('the combined status has the newest of each context, fails with one, and waits for one', async () => {
  const { clock, app, github } = emulate()
  const status = { kind: 'status', takesMs: 1000 } as const
  github.addChecks(SHA, [
    { ...status, name: 'a', conclusion: 'failure' },
    { ...status, name: 'b', takesMs: 2000 },
  ])
  const combined = async () => {
    const { state, statuses } = (await app(`GET /commits/${SHA}/status`)).body
    return [state, ...asArray(statuses).map((entry) => asObject(entry).state)]
  }
  expect(await combined()).toEqual(['pending', 'pending', 'pending'])
  clock.now += 1000
  expect(await combined()).toEqual(['failure', 'failure', 'pending'])
  github.addChecks(SHA, [{ kind: 'status', name: 'a' }])
  expect(await combined()).toEqual(['pending', 'success', 'pending'])
})
