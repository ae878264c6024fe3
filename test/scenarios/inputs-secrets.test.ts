import { expect, test } from 'vitest'
import { act, DISPATCH } from '../helpers/action.ts'
import { world } from './conversation-helpers.ts'

const alice = { login: 'alice', type: 'User' }
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

test.each([
  ['a pull request from a fork', pullRequest('alice/app'), {}],
  ['a pull request whose fork is gone', { ...pullRequest('') }, {}],
  [
    'a pull request from a fork, without repository variables',
    pullRequest('alice/app'),
    { 'project-id': '' },
  ],
])('1.3 no key in %s: a warning, green, no request', async (_, event, inputs) => {
  const emulator = await world()
  const result = await act(emulator, { event, inputs: { 'api-key': '', ...inputs } })
  expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'skipped', reason: 'missing-secret' } })
  expect(result.annotations).toMatchObject([
    { level: 'warning', message: expect.stringMatching(/withholds secrets/) },
  ])
  expect(emulator.requests).toEqual([])
})

test('1.3 no key for Dependabot: a warning, green, no request', async () => {
  const emulator = await world()
  const inputs = { 'api-key': '' }
  const result = await act(emulator, { event: DISPATCH, actor: 'dependabot[bot]', inputs })
  expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'skipped', reason: 'missing-secret' } })
  expect(result.annotations).toMatchObject([{ level: 'warning' }])
  expect(emulator.requests).toEqual([])
})

test.each([
  ['a pull request of the repository itself', pullRequest('octo/app')],
  [
    'pull_request_target, which has the secrets',
    { ...pullRequest('alice/app'), name: 'pull_request_target' },
  ],
  ['any other event', DISPATCH],
])('1.3 no key in %s: an error', async (_, event) => {
  const emulator = await world()
  const result = await act(emulator, { event, inputs: { 'api-key': '' } })
  expect(result).toMatchObject({ exitCode: 1, outputs: { outcome: 'error', reason: 'bad-input' } })
  expect(result.annotations).toMatchObject([
    { level: 'error', message: expect.stringMatching(/api-key is missing/) },
  ])
  expect(emulator.requests).toEqual([])
})
