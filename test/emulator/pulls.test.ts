import { expect, test } from 'vitest'
import { emulate } from './helpers.ts'

// Pull requests as they move. What is quoted is GitHub's description of the endpoint, in @octokit/openapi.

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
