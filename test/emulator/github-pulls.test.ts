import { expect, test } from 'vitest'
import { APP, clients, emulate, numbers } from './helpers.ts'

test('the list of pull requests tells what is merged, by state, base and order', async () => {
  let now = Date.UTC(2026, 0, 1)
  const emulator = await emulate({ now: () => now })
  const { github } = clients(emulator)
  for (const baseRef of ['main', 'main', 'next', 'main']) {
    now += 60_000
    emulator.github.addPullRequest({ baseRef })
  }
  emulator.github.closePullRequest(77, { merged: true, at: '2026-02-01T00:00:00Z' })
  emulator.github.closePullRequest(78)
  const list = async (query: string) => (await github('GET', `${APP}/pulls?${query}`)).body
  expect(numbers(await list(''))).toEqual([80, 79])
  expect(numbers(await list('state=closed&base=main&sort=updated&direction=desc'))).toEqual([77, 78])
  expect(numbers(await list('state=all&sort=updated'))).toEqual([79, 78, 80, 77])
  expect(await list('state=all&direction=asc')).toMatchObject([
    { merged_at: '2026-02-01T00:00:00Z', updated_at: '2026-02-01T00:00:00Z', base: { ref: 'main' } },
    { merged_at: null, merge_commit_sha: null, state: 'closed' },
    { merged_at: null, merge_commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/), state: 'open' },
    {},
  ])
  const page = await github('GET', `${APP}/pulls?state=all&per_page=3`)
  expect(page.headers.get('link')).toContain('rel="next"')
  expect(page.body).not.toHaveProperty('0.merged')
})

test('the pull requests of a commit: those registered, and the one that it merged', async () => {
  const emulator = await emulate()
  const { github } = clients(emulator)
  const merged = emulator.github.addPullRequest({ title: 'Add retries', body: 'text' })
  const other = emulator.github.addPullRequest({ headRepository: 'fork/app' })
  emulator.github.closePullRequest(merged.number, { merged: true })
  emulator.github.setCommitPulls('abc123', [merged.number, other.number])
  const of = (sha: string | null) => github('GET', `${APP}/commits/${sha}/pulls`)
  expect((await of('abc123')).body).toMatchObject([
    {
      number: 77,
      title: 'Add retries',
      body: 'text',
      merged_at: expect.any(String),
      user: { login: 'alice' },
    },
    { number: 78, head: { repo: { full_name: 'fork/app' } } },
  ])
  expect(numbers((await of(merged.mergeCommitSha)).body)).toEqual([77])
  expect((await of('beef')).body).toEqual([])
  expect((await of('main')).status).toBe(422)
  const page = await github('GET', `${APP}/commits/abc123/pulls?per_page=1`)
  expect([numbers(page.body), page.headers.get('link')]).toEqual([[77], expect.stringContaining('page=2')])
})

test('reviews and review comments are listed and read', async () => {
  const emulator = await emulate()
  const { github } = clients(emulator)
  emulator.github.addPullRequest()
  emulator.github.addPullRequest()
  const review = emulator.github.addReview(77, { login: 'bob', body: 'Nearly', state: 'CHANGES_REQUESTED' })
  emulator.github.addReviewComment(77, { login: 'bob', body: 'here', diffHunk: '@@' })
  expect((await github('GET', `${APP}/pulls/77/reviews/${review.id}`)).body).toMatchObject({
    body: 'Nearly',
    state: 'CHANGES_REQUESTED',
  })
  expect((await github('GET', `${APP}/pulls/78/reviews/${review.id}`)).status).toBe(404)
  expect((await github('GET', `${APP}/pulls/77/comments`)).body).toMatchObject([{ diff_hunk: '@@' }])
})
