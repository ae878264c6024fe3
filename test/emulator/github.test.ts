import { expect, test } from 'vitest'
import { asArray } from '../../src/base/json.ts'
import { emulate } from './helpers.ts'

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
