import { expect, test } from 'vitest'
import { asArray, asObject } from '../../src/json.ts'
import { ask, emulate } from './helpers.ts'

// Pull requests as they move. What is quoted is GitHub's description of the endpoint, in @octokit/openapi.

const JOB = '/v2/agent/docs/job'

// "If the value is `null`, then GitHub has started a background job to compute the mergeability."
test('whether a pull request can be merged is known a while after its first reading, for each head and base', async () => {
  const { clock, app, github } = emulate({ mergeableAfterMs: 5000 })
  github.addPullRequest({ number: 77 })
  github.addPullRequest({ number: 78 })
  const state = async () => {
    const { mergeable, mergeable_state } = (await app('GET /pulls/77')).body
    return [mergeable, mergeable_state]
  }
  const unknown = [null, 'unknown']
  clock.now += 60_000
  expect(await state()).toEqual(unknown)
  clock.now += 4999
  expect(await state()).toEqual(unknown)
  clock.now += 1
  expect(await state()).toEqual([true, 'clean'])
  const later = async () => {
    const first = await state()
    clock.now += 5000
    return [first, await state()]
  }
  github.moveBase(77, { conflicts: true })
  expect(await later()).toEqual([unknown, [false, 'dirty']])
  github.push(77, { conflicts: false })
  expect(await later()).toEqual([unknown, [true, 'clean']])
  github.closePullRequest(78, { merged: true })
  expect(await later()).toEqual([unknown, [true, 'clean']])
  github.closePullRequest(77)
  expect(await later()).toEqual([unknown, unknown])
})

test('a pull request is clean, unstable while a check has not ended well, or what else holds it', async () => {
  const { clock, app, github } = emulate()
  const { head } = github.addPullRequest({ number: 77 })
  const state = async () => (await app('GET /pulls/77')).body.mergeable_state
  github.addChecks(head.sha, [{ name: 'a', takesMs: 1000, conclusion: 'failure' }])
  const seen = [await state()]
  clock.now += 1000
  seen.push(await state())
  github.addChecks(head.sha, [{ name: 'a' }])
  seen.push(await state())
  github.pull(77).mergeableState = 'blocked'
  seen.push(await state())
  expect(seen).toEqual(['unstable', 'unstable', 'clean', 'blocked'])
})

test('a pull request tells its repositories apart by id and visibility', async () => {
  const { emulator, app, github } = emulate({ tokenCoversDocs: true })
  github.addPullRequest({ number: 77 })
  const { number } = github.addPullRequest({ repo: 'octo/docs' })
  const base = ({ body }: Awaited<ReturnType<typeof ask>>) => asObject(asObject(body.base).repo)
  expect(base(await app('GET /pulls/77'))).toMatchObject({ id: github.repo().id, private: false })
  expect(base(await ask(emulator, `GET /repos/octo/docs/pulls/${number}`))).toMatchObject({
    id: github.repo('octo/docs').id,
    private: true,
    visibility: 'private',
  })
})

// "Lists a maximum of 250 commits for a pull request."
test('the commits of a pull request tell their authors, where GitHub knows them', async () => {
  const { app, github } = emulate()
  github.addPullRequest({ number: 77, user: 'alice' })
  github.push(77, { by: 'mintlify[bot]' })
  github.push(77, { by: null })
  const commits = async (query = '') => (await app(`GET /pulls/77/commits${query}`)).list
  expect((await commits()).map(({ author }) => author)).toMatchObject([
    { login: 'alice', type: 'User' },
    { login: 'mintlify[bot]', type: 'Bot' },
    null,
  ])
  expect((await commits()).at(-1)?.sha).toBe(github.pull(77).head.sha)
  for (let n = 0; n < 248; n += 1) github.push(77)
  expect(await commits('?per_page=100&page=3')).toHaveLength(50)
})

test("the agent's pull request under a person's name tells the App, and the bot that wrote its commits", async () => {
  const names = { docsRepository: 'octo/app', prAuthor: 'alice' }
  const { emulator, app } = emulate({ ...names, prApp: 'mintlify', prCommitAuthor: 'mintlify[bot]' })
  emulator.service.script.push({ reads: 0 })
  const { id } = (await ask(emulator, `POST ${JOB}`, { prompt: 'x' })).body
  await ask(emulator, `GET ${JOB}/${id}`)
  expect((await app('GET /issues/77')).body).toMatchObject({
    user: { login: 'alice', type: 'User' },
    performed_via_github_app: { slug: 'mintlify' },
  })
  expect((await app('GET /pulls/77/commits')).list).toMatchObject([{ author: { login: 'mintlify[bot]' } }])
  emulator.github.addPullRequest({ number: 78 })
  expect((await app('GET /issues/78')).body.performed_via_github_app).toBeNull()
})

test('a file has the SHA of its blob, its former name, and sometimes no patch', async () => {
  const { app, github } = emulate()
  const files = [
    { filename: 'a.png', sha: 'b'.repeat(40), status: 'added' },
    { filename: 'docs/b.md', earlier: 'b.md', patch: '@@ -1 +1 @@\n-x\n+y' },
    { filename: 'c.md', patch: '-x' },
  ] as const
  github.addPullRequest({ number: 77, files })
  const [image, moved, text] = (await app('GET /pulls/77/files')).list
  expect(image).toMatchObject({ sha: 'b'.repeat(40), status: 'added' })
  expect(image).not.toHaveProperty('patch')
  expect(moved).toMatchObject({ status: 'renamed', previous_filename: 'b.md' })
  github.push(77, { files: [{ filename: 'c.md', patch: '-y' }] })
  const [changed] = (await app('GET /pulls/77/files')).list
  expect(changed?.sha).toMatch(/^[0-9a-f]{40}$/)
  expect(changed?.sha).not.toBe(text?.sha)
})

test('heads are compared as commits follow each other, through pushes, rebases and merges of the base', async () => {
  const { app, github } = emulate()
  const [a, b, c] = ['a.md', 'b.md', 'c.md'].map((filename) => [{ filename }])
  const root = github.branchHead()
  const { sha: first } = github.addPullRequest({ number: 77, headRef: 'change', files: a ?? [] }).head
  github.push(77, { commit: b ?? [] })
  const second = github.pull(77).head.sha
  github.moveBase(77, { commit: c ?? [] })
  const main = github.branchHead()
  github.push(77, { isForced: true })
  const third = github.pull(77).head.sha
  const compared = async (range: string) => {
    const { body } = await app(`GET /compare/${range}`)
    const files = asArray(body.files).map((file) => asObject(file).filename)
    const commits = asArray(body.commits).map((commit) => asObject(commit).sha)
    return [body.status, body.ahead_by, body.behind_by, commits, files, asObject(body.merge_base_commit).sha]
  }
  expect(await compared(`${first}...${second}`)).toEqual(['ahead', 1, 0, [second], ['b.md'], first])
  expect(await compared(`${second}...${first}`)).toEqual(['behind', 0, 1, [], [], first])
  expect(await compared(`${second}...${third}`)).toEqual([
    ...['diverged', 2, 2],
    [main, third],
    ['c.md', 'a.md'],
    root,
  ])
  expect(await compared('main...change')).toEqual(['ahead', 1, 0, [third], ['a.md'], main])
  expect((await compared('main...main'))[0]).toBe('identical')
  expect((await app('GET /pulls/77')).body.base).toMatchObject({ sha: main })
  github.closePullRequest(77, { merged: true })
  expect((await compared(`${third}...main`))[0]).not.toBe('identical')
  expect((await app(`GET /compare/${'0'.repeat(40)}...main`)).status).toBe(404)
})

test('a comparison that a test sets can have diverged', async () => {
  const { app, github } = emulate()
  github.setCompare('a', 'b', { commits: [{ sha: 'b', message: 'x' }], behindBy: 2, mergeBase: 'c' })
  expect((await app('GET /compare/a...b')).body).toMatchObject({
    status: 'diverged',
    behind_by: 2,
    merge_base_commit: { sha: 'c' },
  })
})

test.each([1, 1500, 2500, 50_000])(
  'the head moves %i ms after the end of the turn, not before',
  async (late) => {
    const { clock, emulator, app, github } = emulate({ docsRepository: 'octo/app' })
    const turn = { durationMs: 60_000, lateCommitAfterMs: late }
    emulator.service.script.push(turn, { ...turn, pr: 'none', change: { files: [{ filename: 'fixed.md' }] } })
    const { id } = (await ask(emulator, `POST ${JOB}`, { prompt: 'x' })).body
    /** How many commits there are right before and right after the time, although nobody looked at the end of the turn. */
    const moves = async () => {
      const counts = []
      for (const ms of [60_000 + late - 1, 1]) {
        clock.now += ms
        await ask(emulator, `GET ${JOB}/${id}`)
        counts.push(github.pull(77).commits.length)
      }
      return counts
    }
    expect(await moves()).toEqual([1, 2])
    await ask(emulator, `POST ${JOB}/${id}/message`, { prompt: 'y' })
    expect(await moves()).toEqual([2, 3])
    expect((await app('GET /pulls/77/files')).list).toMatchObject([{ filename: 'fixed.md' }])
  },
)

// "Gets comments of a review": a legacy shape, in which nothing says at which line they stand.
test('the comments of one review are those of no other, and tell no lines', async () => {
  const { app, github, listed } = emulate()
  for (const number of [77, 78]) github.addPullRequest({ number })
  const [one, two] = ['a', 'b'].map((body) => github.addReview(77, { login: 'bob', body }).id)
  for (const review of [one, two, one])
    github.addReviewComment(77, { login: 'bob', body: `of ${review}`, line: 3, ...(review && { review }) })
  const path = `/pulls/77/reviews/${one}/comments`
  expect(await listed(path, 'pull_request_review_id')).toEqual([one, one])
  const [comment] = (await app(`GET ${path}`)).list
  expect(Object.keys(comment ?? {}).filter((key) => /line|side/.test(key))).toEqual([])
  expect(comment).toMatchObject({ body: `of ${one}`, diff_hunk: expect.any(String), user: { login: 'bob' } })
  expect((await app(`GET ${path}?per_page=1&page=2`)).list).toHaveLength(1)
  expect((await app(`GET /pulls/78/reviews/${one}/comments`)).status).toBe(404)
})

test('line comments come in the order that `sort` and `direction` say, and since a time', async () => {
  const { clock, github, listed } = emulate()
  github.addPullRequest({ number: 77 })
  const ids = ['a', 'b', 'c'].map((body) => {
    clock.now += 60_000
    return github.addReviewComment(77, { login: 'bob', body }).id
  })
  clock.now += 60_000
  github.editComment(ids[0] ?? 0, 'd', 'review')
  const bodies = (query: string) => listed(`/pulls/77/comments${query}`, 'body')
  expect(await bodies('')).toEqual(['d', 'b', 'c'])
  // "Ignored without `sort` parameter."
  expect(await bodies('?direction=desc')).toEqual(['d', 'b', 'c'])
  expect(await bodies('?sort=created&direction=desc')).toEqual(['c', 'b', 'd'])
  expect(await bodies('?sort=created&direction=desc&per_page=1&page=2')).toEqual(['b'])
  expect(await bodies('?sort=updated&direction=asc')).toEqual(['b', 'c', 'd'])
  expect(await bodies('?sort=created&direction=desc&since=2026-01-01T00:03:00Z')).toEqual(['c', 'd'])
})
