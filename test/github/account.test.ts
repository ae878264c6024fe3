import { expect, test } from 'vitest'
import { thrownBy } from '../helpers/agent.ts'
import { type Reply, scripted } from './helpers.ts'

const AWAY: Reply = { status: 502, json: { message: 'Server Error' } }
const NAME = { owner: 'octo', repo: 'old-app' }

test('5.1 the name of the account is read once', async () => {
  const { github, paths } = await scripted(() => ({ json: { login: 'docs-bot' } }))
  expect([await github.ownLogin(), await github.ownLogin()]).toEqual(['docs-bot', 'docs-bot'])
  expect(paths()).toEqual(['GET /user'])
})

test('5.1 an account that GitHub did not name in an outage is asked for again', async () => {
  const { github, passed, sleep } = await scripted(() =>
    passed() <= 120_000 ? AWAY : { json: { login: 'docs-bot' } },
  )
  expect(await thrownBy(github.ownLogin())).toMatchObject({ kind: 'away' })
  await sleep(1000)
  expect(await github.ownLogin()).toBe('docs-bot')
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

test.each([403, 404])(
  '3.5 a name that GitHub refuses to tell of (%i) is none of the repository',
  async (status) => {
    const { github } = await scripted(() => ({ status, json: { message: 'No' } }))
    expect(await github.hadName(NAME)).toBe(false)
  },
)

test('3.5 a name is asked for once, in whatever case, and again after an outage', async () => {
  const { github, calls, passed, sleep } = await scripted(() =>
    passed() <= 120_000 ? AWAY : { json: { id: 3 } },
  )
  expect(await thrownBy(github.hadName(NAME))).toMatchObject({ kind: 'away' })
  await sleep(1000)
  const tried = calls.length
  expect([await github.hadName(NAME), await github.hadName({ owner: 'Octo', repo: 'Old-App' })]).toEqual([
    true,
    true,
  ])
  expect(calls).toHaveLength(tried + 1)
})
