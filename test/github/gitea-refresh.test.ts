import { describe, expect, test } from 'vitest'
import { thrownBy } from '../helpers/agent.ts'
import { type Answer, forgeAt, gitea, refusal } from './helpers.ts'

const REPOSITORY = '/repos/octo/app'
const SHA = '85d62816fa3775cfa01e01da0b028bdcf48c6cca'

async function forgeOf(answers: Readonly<Record<string, Answer>>) {
  const { apiUrl, calls } = await gitea({ 'GET /version': { json: { version: '1.26.4' } }, ...answers })
  return { forge: await forgeAt({ apiUrl }), calls: () => calls.slice(1) }
}

const pull = (number: number, base = 'main') => ({
  number,
  title: `Pull request ${number}`,
  body: 'text',
  html_url: `https://forge.example/octo/app/pulls/${number}`,
  state: 'closed',
  merged: true,
  merged_at: '2026-11-21T11:49:46Z',
  updated_at: '2026-11-21T11:49:47Z',
  user: { id: 6, login: 'alice' },
  base: { ref: base, repo: { full_name: 'octo/app' } },
  head: { ref: 'x', repo: { full_name: 'octo/app' } },
})

describe('3.8 the pull request of a commit', () => {
  const path = `GET ${REPOSITORY}/commits/${SHA}/pull`
  const NONE = 'pull request does not exist [id: 0, issue_id: 0, head_repo_id: 0, base_repo_id: 3]'

  test('is one', async () => {
    const { forge } = await forgeOf({ [path]: { json: pull(2) } })
    expect(await forge.pullRequestsOf(SHA)).toMatchObject([{ number: 2, state: 'merged', base: 'main' }])
  })

  test('is none for a direct push', async () => {
    const { forge } = await forgeOf({ [path]: { status: 404, json: refusal(NONE) } })
    expect(await forge.pullRequestsOf(SHA)).toEqual([])
  })

  test('is not none where the token may not read it', async () => {
    const { forge } = await forgeOf({ [path]: { status: 404, json: refusal('not found') } })
    expect(await thrownBy(forge.pullRequestsOf(SHA))).toMatchObject({ httpStatus: 404 })
  })
})

test('3.10 the merged ones of a branch are listed by their last change', async () => {
  const query = 'state=closed&base_branch=main&sort=recentupdate&limit=50&page=2'
  const { forge } = await forgeOf({
    [`GET ${REPOSITORY}/pulls?${query}`]: { json: [pull(2), pull(3, 'v1')] },
  })
  const listed = await forge.closedPullRequests('main', 2)
  expect(listed).toMatchObject([{ number: 2, state: 'merged', html: undefined }])
})

describe('3.9 open issues', () => {
  const issue = (number: number, login: string, id: number) => ({
    number,
    title: 'T',
    body: 'x',
    user: { id, login },
  })
  const page = (at: number) => `GET ${REPOSITORY}/issues?state=open&type=issues&limit=50&page=${at}`
  const answers = {
    [page(1)]: {
      json: [issue(4, 'gitea-actions', -2), issue(3, 'mallory', 9)],
      headers: { 'x-total-count': '3' },
    },
    [page(2)]: { json: [issue(1, 'alice', 6)], headers: { 'x-total-count': '3' } },
  }

  test.each([
    ['gitea-actions', [4]],
    ['mallory', [3]],
    [undefined, [4, 3, 1]],
  ])('of %s', async (creator, numbers) => {
    const { forge } = await forgeOf(answers)
    expect((await forge.openIssues(creator)).map(({ number }) => number)).toEqual(numbers)
  })

  test('of a bot of GitHub are none, without a request', async () => {
    const { forge, calls } = await forgeOf({})
    expect(await forge.openIssues('github-actions[bot]')).toEqual([])
    expect(calls()).toEqual([])
  })
})

test('a push lists its commits, the oldest first', async () => {
  const commits = [
    { sha: 'b', commit: { message: 'B' } },
    { sha: 'a', commit: { message: 'A' } },
  ]
  const { forge } = await forgeOf({
    [`GET ${REPOSITORY}/compare/0...b`]: { json: { total_commits: 2, commits } },
  })
  expect((await forge.compare('0', 'b')).commits).toEqual([
    { sha: 'a', subject: 'A' },
    { sha: 'b', subject: 'B' },
  ])
})
