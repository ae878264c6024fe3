import { expect, test } from 'vitest'
import type { GitHub } from '../../src/github/github.ts'
import { scripted } from './helpers.ts'

const NAME = { owner: 'octo', repo: 'old-app' }

test('5.1 the name of the account is read once', async () => {
  const { github, paths } = await scripted(() => ({ json: { login: 'docs-bot' } }))
  expect([await github.ownLogin(), await github.ownLogin()]).toEqual(['docs-bot', 'docs-bot'])
  expect(paths()).toEqual(['GET /user'])
})

test.each([401, 403, 404])('5.1 a token without an account (%i) comments as a bot', async (status) => {
  const { github, calls } = await scripted(() => ({ status, json: { message: 'No' } }))
  expect([await github.ownLogin(), await github.ownLogin()]).toEqual([undefined, undefined])
  expect(calls).toHaveLength(1)
})

test('3.5 a name of the repository leads to its id', async () => {
  const { github } = await scripted(({ path }) => ({ json: { id: path.endsWith('/old-app') ? 3 : 4 } }))
  expect([await github.hadName(NAME), await github.hadName({ owner: 'octo', repo: 'other' })]).toEqual([
    true,
    false,
  ])
})

test.each([
  ['the name of the repository', (github: GitHub) => github.hadName(NAME), true],
  ['the name of the account', (github: GitHub) => github.ownLogin(), 'docs-bot'],
])('5.7 %s is asked again once GitHub answers again', async (_, read, answer) => {
  let status = 502
  const { github } = await scripted(() => ({ status, json: { id: 3, login: 'docs-bot' } }))
  await expect(read(github)).rejects.toThrow()
  status = 200
  expect(await read(github)).toBe(answer)
})
