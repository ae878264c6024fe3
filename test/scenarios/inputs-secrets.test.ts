import { expect, test } from 'vitest'
import { world } from '../helpers/world.ts'

const alice = { login: 'alice', type: 'User' }
const DEPENDABOT = { login: 'dependabot[bot]', type: 'Bot' }
const pullRequest = (from: string, sender: object = alice) => ({
  name: 'pull_request',
  payload: {
    action: 'opened',
    sender,
    pull_request: {
      number: 80,
      user: sender,
      base: { ref: 'main', repo: { full_name: 'octo/app' } },
      head: { ref: 'topic', repo: { full_name: from } },
    },
  },
})

const MISSING = ['missing-secret', 'warning', /withholds secrets/] as const
const MISTAKE = ['bad-input', 'error', /api-key is missing/] as const
const TARGET = { ...pullRequest('alice/app'), name: 'pull_request_target' }

test.each([
  ['a pull request from a fork', { event: pullRequest('alice/app') }, MISSING],
  ['a run of Dependabot', { env: { GITHUB_ACTOR: 'dependabot[bot]' } }, MISSING],
  ['a pull request of Dependabot', { event: pullRequest('octo/app', DEPENDABOT) }, MISSING],
  ['a pull request of the repository itself', { event: pullRequest('octo/app') }, MISTAKE],
  ['pull_request_target, which has the secrets', { event: TARGET }, MISTAKE],
  ['any other event', {}, MISTAKE],
])('1.3 no key in %s: no request', async (_, more, [reason, level, says]) => {
  const emulator = world()
  // A fork has no variables either.
  const inputs = { 'api-key': '', ...(reason === 'missing-secret' && { 'project-id': '' }) }
  const result = await emulator.dispatch({ ...more, inputs })
  expect(result.outputs.reason).toBe(reason)
  expect(result.exitCode).toBe(level === 'error' ? 1 : 0)
  expect(result.annotations).toMatchObject([{ level, message: expect.stringMatching(says) }])
  expect(emulator.requests).toEqual([])
})
