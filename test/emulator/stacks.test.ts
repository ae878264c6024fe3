import { expect, test } from 'vitest'
import { asObject } from '../../src/base/json.ts'
import { emulate } from './helpers.ts'

// `pull_request.stack` of @octokit/openapi-types 29.0.1: "The one-based position of this pull request within the stack,
// where 1 is the bottom of the stack."

test.each([1, 2, 5])(
  'a stack of %i: each layer but the lowest has the branch below it as its base',
  async (size) => {
    const { app, github } = emulate()
    const pulls = github.addStack(Array.from({ length: size }, () => ({})))
    for (const [at, number] of pulls.entries()) {
      const { stack, base } = (await app(`GET /pulls/${number}`)).body
      expect(stack).toMatchObject({ number: 1, size, position: at + 1, base: { ref: 'main' } })
      expect(asObject(base).ref).toBe(at === 0 ? 'main' : `change-${pulls[at - 1]}`)
    }
  },
)

test('a pull request in no stack says so', async () => {
  const { app, github } = emulate()
  expect((await app(`GET /pulls/${github.addPullRequest().number}`)).body.stack).toBeNull()
})

test('merged together: each has its commit on the base of the stack, and `base=` finds only the lowest', async () => {
  const { app, github, listed } = emulate()
  const [first = 0, second = 0, third = 0] = github.addStack([{}, {}, {}])
  github.mergeStack(third)
  expect(await listed('/pulls?state=closed&base=main')).toEqual([first])
  for (const number of [first, second, third]) {
    const { merge_commit_sha: sha, merged } = (await app(`GET /pulls/${number}`)).body
    expect(merged).toBe(true)
    expect((await app(`GET /compare/${sha}...main`)).body.behind_by).toBe(0)
    expect(await listed(`/commits/${sha}/pulls`)).toEqual([number])
  }
})

test('merged one after another, only the lowest that is left goes to the base of the stack', async () => {
  const { app, github } = emulate()
  const pulls = github.addStack([{}, {}, {}])
  const bases = async () =>
    Promise.all(pulls.map(async (number) => asObject((await app(`GET /pulls/${number}`)).body.base).ref))
  github.closePullRequest(pulls[0] ?? 0, { merged: true })
  expect(await bases()).toEqual(['main', 'main', `change-${pulls[1]}`])
})

test('a layer that leaves, and a stack that is dissolved: what is merged stays', async () => {
  const { app, github } = emulate()
  const [first = 0, second = 0, third = 0] = github.addStack([{}, {}, {}])
  const stack = async (number: number) => (await app(`GET /pulls/${number}`)).body.stack
  github.unstack(first, [third])
  expect([await stack(first), await stack(third)]).toEqual([expect.objectContaining({ size: 2 }), null])
  github.closePullRequest(first, { merged: true })
  github.unstack(second)
  expect([await stack(first), await stack(second)]).toEqual([expect.objectContaining({ size: 1 }), null])
})
