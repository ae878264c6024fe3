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

test.each([403, 404, 451])(
  'a repository that the token does not see (%i) is asked for once',
  async (status) => {
    const isHidden = ({ path }: { readonly path: string }) => path.includes('/octo/old-app')
    const { github, paths } = await scripted((call) =>
      isHidden(call) ? { status, json: { message: 'No' } } : { json: { number: 77 } },
    )
    expect(await github.hadName(NAME)).toBe(false)
    const reads = [github.pullRequest({ ...NAME, number: 77 }), github.pullRequest({ ...NAME, number: 78 })]
    for (const read of reads)
      await expect(read).rejects.toMatchObject({ kind: 'refused', httpStatus: status })
    expect(await github.pullRequest({ owner: 'octo', repo: 'docs', number: 77 })).toMatchObject({
      number: 77,
    })
    expect(paths()).toEqual(['GET /repos/octo/old-app', 'GET /repos/octo/docs/pulls/77'])
  },
)

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

const VIEWER = { data: { viewer: { login: 'docs-app[bot]' } } }
test.each<[string, number, unknown, string]>([
  ['of an account of its own', 200, { login: 'docs-bot' }, 'docs-bot'],
  ['of an App', 403, VIEWER, 'docs-app[bot]'],
  ['of a server that does not know it', 403, { errors: [{ message: 'No' }] }, 'github-actions[bot]'],
])('5.1 the writer with the token %s is asked for once', async (_, status, answer, login) => {
  const { github, calls } = await scripted(({ path }) =>
    path.endsWith('/user') ? { status, json: status === 200 ? answer : { message: 'No' } } : { json: answer },
  )
  expect([await github.writerLogin(), await github.writerLogin()]).toEqual([login, login])
  expect(calls).toHaveLength(status === 200 ? 1 : 2)
})
