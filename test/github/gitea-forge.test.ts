import { describe, expect, test } from 'vitest'
import type { Forge } from '../../src/github/forge.ts'
import { thrownBy } from '../helpers/agent.ts'
import { type Answer, forgeAt, gitea, refusal } from './helpers.ts'

const ACTIONS = { id: -2, login: 'gitea-actions', username: 'gitea-actions' }
const ALICE = { id: 6, login: 'alice', username: 'alice' }
const HOST = 'https://forge.example/octo/app'
const FORBIDDEN: Answer = {
  status: 403,
  json: refusal('user should have specific read permission or be a repo admin or a site admin'),
}

/** As Gitea 1.26.4 answers. */
const comment = (id: number, more: object = {}) => ({
  id,
  html_url: `${HOST}/issues/1#issuecomment-${id}`,
  pull_request_url: '',
  issue_url: `${HOST}/issues/1`,
  user: ACTIONS,
  body: `comment ${id}`,
  created_at: '2026-11-21T11:49:46Z',
  updated_at: '2026-11-21T11:49:47Z',
  ...more,
})

async function forgeOf(answers: Readonly<Record<string, Answer>>) {
  const server = await gitea({ 'GET /version': { json: { version: '1.26.4' } }, ...answers })
  const { apiUrl, calls, bodies } = server
  const forge: Forge = await forgeAt({ apiUrl })
  return { forge, bodies, calls: () => calls.slice(1) }
}

const REPOSITORY = '/repos/octo/app'
const page = (ids: readonly number[], total: number): Answer => ({
  json: ids.map((id) => comment(id)),
  headers: { 'x-total-count': String(total) },
})
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const pagePath = (at: number, filter = '') => `GET ${REPOSITORY}/issues/comments?${filter}limit=50&page=${at}`

describe('5.1 comments', () => {
  test('those of a thread come all at once, and the account of jobs is a bot', async () => {
    const json = [comment(1), comment(2, { user: ALICE, body: 'a\r\nb' })]
    const { forge, calls } = await forgeOf({
      [`GET ${REPOSITORY}/issues/1/comments?per_page=100`]: { json, headers: { 'x-total-count': '2' } },
    })
    const read = await forge.listComments(1)
    expect(read.map(({ author }) => author)).toEqual([
      { login: 'gitea-actions', bot: true },
      { login: 'alice', bot: false },
    ])
    expect(read[1]?.body).toBe('a\nb')
    expect(calls()).toHaveLength(1)
  })

  test('somebody who is only called like the account of jobs is no bot', async () => {
    const user = { ...ALICE, login: 'gitea-actions' }
    const { forge } = await forgeOf({
      [`GET ${REPOSITORY}/issues/1/comments?per_page=100`]: { json: [comment(1, { user })] },
    })
    expect((await forge.listComments(1))[0]?.author).toEqual({ login: 'gitea-actions', bot: false })
  })

  test('those of the repository are read page by page, up to their number', async () => {
    const since = '2026-11-20T00:00:00.000Z'
    const query = `since=${encodeURIComponent(since)}&`
    const { forge, calls } = await forgeOf({
      [pagePath(1, query)]: page(range(1, 50), 101),
      [pagePath(2, query)]: page(range(51, 100), 101),
      [pagePath(3, query)]: page([101], 101),
    })
    const ids: number[] = []
    for await (const comments of forge.listRepositoryComments(since))
      ids.push(...comments.map(({ id }) => id))
    expect(ids).toEqual(range(1, 101))
    expect(calls()).toHaveLength(3)
  })

  test('a listing whose comments go away meanwhile ends with an empty page', async () => {
    const query = 'since=x&'
    const { forge } = await forgeOf({
      [pagePath(1, query)]: page(range(1, 50), 60),
      [pagePath(2, query)]: page([], 60),
    })
    const sizes: number[] = []
    for await (const comments of forge.listRepositoryComments('x')) sizes.push(comments.length)
    expect(sizes).toEqual([50, 0])
  })

  test('a listing without a number of entries is read until a page is empty', async () => {
    const json = range(1, 50).map((id) => comment(id))
    const query = 'since=x&'
    const { forge } = await forgeOf({
      [pagePath(1, query)]: { json },
      [pagePath(2, query)]: { json: [comment(51)] },
      [pagePath(3, query)]: { json: [] },
    })
    const sizes: number[] = []
    for await (const comments of forge.listRepositoryComments('x')) sizes.push(comments.length)
    expect(sizes).toEqual([50, 1, 0])
  })

  test('a listing that is no list is no empty one', async () => {
    const { forge } = await forgeOf({ [pagePath(1)]: { json: { message: 'ok' } } })
    await expect(forge.recentComments()).rejects.toThrow('no list')
  })

  test('each names its issue or its pull request', async () => {
    const pull = { issue_url: '', pull_request_url: `${HOST}/pulls/2` }
    const { forge } = await forgeOf({ [pagePath(1)]: { json: [comment(1), comment(2, pull), { id: 3 }] } })
    const read = await forge.recentComments()
    expect(read.map(({ id, thread }) => [id, thread])).toEqual([
      [1, 1],
      [2, 2],
    ])
    expect(read[0]?.updatedAt).toBe(Date.UTC(2026, 10, 21, 11, 49, 47))
  })

  test.each([
    [0, [], [1]],
    [50, range(1, 50), [1]],
    [60, range(1, 60), [1, 2]],
    [120, range(51, 120), [1, 2, 3]],
    [250, range(151, 250), [1, 4, 5]],
  ])('of %i in all, the newest are read', async (total, ids, pages) => {
    const last = Math.max(1, Math.ceil(total / 50))
    const answers = range(1, last).map((at) => {
      const answer = page(range((at - 1) * 50 + 1, Math.min(at * 50, total)), total)
      return [pagePath(at), answer] as const
    })
    const { forge, calls } = await forgeOf(Object.fromEntries(answers))
    expect((await forge.recentComments()).map(({ id }) => id)).toEqual(ids)
    expect(calls().sort()).toEqual(pages.map((at) => pagePath(at)))
  })

  test('the pages may be shorter than asked', async () => {
    const { forge } = await forgeOf({
      [pagePath(1)]: page(range(1, 30), 70),
      [pagePath(2)]: page(range(31, 60), 70),
      [pagePath(3)]: page(range(61, 70), 70),
    })
    expect((await forge.recentComments()).map(({ id }) => id)).toEqual(range(31, 70))
  })
})

describe('5.3 reactions have no ids', () => {
  const path = `${REPOSITORY}/issues/comments/27/reactions`

  test.each([201, 200])('one is added (%i)', async (status) => {
    const json = { user: ACTIONS, content: 'eyes', created_at: '2026-11-21T11:49:46Z' }
    const { forge, bodies } = await forgeOf({ [`POST ${path}`]: { status, json } })
    expect(await forge.addReaction({ kind: 'issue', id: 27 }, 'eyes')).toBe(0)
    expect(bodies).toEqual([{ content: 'eyes' }])
  })

  test.each([0, 9])('one is taken back by its content, whatever id is known (%i)', async (id) => {
    const { forge, bodies, calls } = await forgeOf({ [`DELETE ${path}`]: { status: 204 } })
    await forge.removeReaction({ kind: 'issue', id: 27 }, 'eyes', id)
    expect(calls()).toEqual([`DELETE ${path}`])
    expect(bodies).toEqual([{ content: 'eyes' }])
  })
})

describe('4.2 texts are rendered by the repository', () => {
  const html = '<p dir="auto">a <strong>b</strong></p>\n'
  const RENDERED = { [`POST ${REPOSITORY}/markdown`]: { html } }
  const body = 'a <!-- x --> **b**'

  test.each([
    [{ kind: 'issue', number: 1 } as const, '/issues/1'],
    [{ kind: 'pull', number: 2 } as const, '/issues/2'],
    [{ kind: 'release', id: 4 } as const, '/releases/4'],
  ])('%j', async (source, path) => {
    const { forge, bodies, calls } = await forgeOf({
      ...RENDERED,
      [`GET ${REPOSITORY}${path}`]: { json: { body } },
    })
    expect(await forge.readBody(source)).toEqual({ markdown: body, html })
    expect(bodies).toEqual([{ text: body, mode: 'comment', context: 'octo/app' }])
    // `POST /markdown` without a repository ends the server of Gitea 1.26 where the text holds the hash of a commit.
    expect(calls()).toEqual([`GET ${REPOSITORY}${path}`, `POST ${REPOSITORY}/markdown`])
  })

  test('an empty text needs no rendering', async () => {
    const { forge, calls } = await forgeOf({ [`GET ${REPOSITORY}/issues/1`]: { json: { body: '' } } })
    expect(await forge.readBody({ kind: 'issue', number: 1 })).toEqual({ markdown: '', html: '' })
    expect(calls()).toHaveLength(1)
  })

  test.each<[string, Answer]>([
    ['a page', { html: '<!DOCTYPE html><html><body>Sign in</body></html>' }],
    ['JSON', { json: { message: 'x' } }],
    ['an error', { status: 500, json: refusal('') }],
    ['no such page', { status: 404, json: refusal('not found') }],
  ])('%s is no rendering', async (_, answer) => {
    const { forge } = await forgeOf({ [`POST ${REPOSITORY}/markdown`]: answer })
    expect(await thrownBy(forge.renderMarkdown('a'))).toBeInstanceOf(Error)
  })
})

describe('pull requests', () => {
  const repo = (full_name: string) => ({ full_name })
  const pull = (more: object = {}) => ({
    number: 2,
    title: 'Retries',
    body: '',
    html_url: `${HOST}/pulls/2`,
    url: `${HOST}/pulls/2`,
    state: 'open',
    merged: false,
    merged_at: null,
    user: ALICE,
    base: { ref: 'main', repo: repo('octo/app') },
    head: { ref: 'retries', repo: repo('octo/app') },
    ...more,
  })
  const issue = (merged: boolean) => ({
    ...pull({ base: undefined, head: undefined, state: merged ? 'closed' : 'open' }),
    merged: undefined,
    pull_request: { merged, merged_at: merged ? '2026-11-21T11:49:46Z' : null, html_url: `${HOST}/pulls/2` },
  })
  const [PULL, ISSUE] = [`GET ${REPOSITORY}/pulls/2`, `GET ${REPOSITORY}/issues/2`]
  const read = async (answers: Readonly<Record<string, Answer>>) => {
    const { forge } = await forgeOf(answers)
    return await forge.pullRequest({ ...forge.repository, number: 2 })
  }

  test('one is read', async () => {
    const expected = { state: 'open', base: 'main', head: 'retries', fromFork: false, url: `${HOST}/pulls/2` }
    expect(await read({ [PULL]: { json: pull() } })).toMatchObject(expected)
  })

  test.each([
    [true, 'merged'],
    [false, 'open'],
  ])(
    'without permission for the contents, its issue tells whether it is merged (%s)',
    async (merged, state) => {
      const answers = { [PULL]: FORBIDDEN, [ISSUE]: { json: issue(merged) } }
      expect(await read(answers)).toMatchObject({ number: 2, state, base: '', head: '' })
    },
  )

  test.each<[string, Readonly<Record<string, Answer>>, number]>([
    ['where the issue may not be read', { [PULL]: FORBIDDEN, [ISSUE]: FORBIDDEN }, 403],
    [
      'where it is an issue',
      { [PULL]: FORBIDDEN, [ISSUE]: { json: { ...issue(false), pull_request: null } } },
      403,
    ],
    [
      'that does not exist',
      { [PULL]: { status: 404, json: refusal('not found') }, [ISSUE]: { json: issue(true) } },
      404,
    ],
  ])('not one %s', async (_, answers, status) => {
    expect(await thrownBy(read(answers))).toMatchObject({ httpStatus: status })
  })

  test.each([
    ['its own', repo('octo/app'), false],
    ['a fork', repo('mallory/app'), true],
    ['a fork that is gone', null, true],
  ])('1.3 a comment on one from %s', async (_, from, withheld) => {
    const json = pull({ head: { ref: 'retries', repo: from } })
    const { forge } = await forgeOf({ [PULL]: { json } })
    expect(await forge.withholdsSecretsOn(2)).toBe(withheld)
  })

  test('1.3 what cannot be read is no answer, even where the issue could be', async () => {
    const { forge } = await forgeOf({ [PULL]: FORBIDDEN, [ISSUE]: { json: issue(false) } })
    expect(await thrownBy(forge.withholdsSecretsOn(2))).toMatchObject({ httpStatus: 403 })
  })

  test('the changes of files are called as on GitHub', async () => {
    const statuses = ['added', 'changed', 'deleted', 'renamed', 'constructor']
    const json = statuses.map((status) => ({ filename: `${status}.md`, status, additions: 1, deletions: 2 }))
    const { forge } = await forgeOf({ [`${PULL}/files?per_page=100`]: { json } })
    const files = await forge.pullRequestFiles(2, 300)
    expect(files.map(({ status }) => status)).toEqual([
      'added',
      'modified',
      'removed',
      'renamed',
      'constructor',
    ])
    expect(files[0]).toEqual({
      path: 'added.md',
      earlierPath: '',
      sha: '',
      status: 'added',
      additions: 1,
      deletions: 2,
      patch: '',
    })
  })
})

test.each<[string, Answer, boolean]>([
  ['lives', { json: ACTIONS }, false],
  ['ended with the run that somebody cancelled', { status: 401, json: refusal('invalid username') }, true],
  [
    'is too weak to tell',
    { status: 403, json: refusal('token does not have at least one of required scope') },
    false,
  ],
])('6.2 whether the token %s', async (_, answer, revoked) => {
  const { forge, calls } = await forgeOf({ 'GET /user': answer })
  expect(await forge.tokenIsRevoked()).toBe(revoked)
  expect(calls()).toEqual(['GET /user'])
})

test('5.1 the token of a job has an account, whose login is known', async () => {
  const { forge } = await forgeOf({ 'GET /user': { json: ACTIONS } })
  expect(await forge.ownLogin()).toBe('gitea-actions')
})

test('4.11 a label that the repository lacks is left out by Gitea, and told of', async () => {
  const path = `POST ${REPOSITORY}/issues/77/labels`
  const { forge } = await forgeOf({ [path]: { json: [{ id: 1, name: 'docs' }] } })
  const pull = { owner: 'octo', repo: 'app', number: 77 }
  await expect(forge.addLabels(pull, ['docs'])).resolves.toEqual(['docs'])
  await expect(forge.addLabels(pull, ['docs', 'agent'])).rejects.toThrow('has no label agent')
})

test('4.11 Gitea lists who is asked for a review among the reviews', async () => {
  const json = [
    { id: 1, user: ALICE, team: null, state: 'APPROVED' },
    { id: 2, user: null, team: { id: 3, name: 'writers' }, state: 'REQUEST_REVIEW' },
    { id: 4, user: { ...ALICE, login: 'dora' }, team: null, state: 'REQUEST_REVIEW' },
  ]
  const path = `GET ${REPOSITORY}/pulls/77/reviews?limit=50&page=1`
  const { forge, calls } = await forgeOf({ [path]: { json, headers: { 'x-total-count': '3' } } })
  const pull = { owner: 'octo', repo: 'app', number: 77 }
  expect(await forge.reviewing(pull)).toEqual({ people: ['alice', 'dora'], teams: ['writers'] })
  expect(calls()).toHaveLength(1)
})

test('3.3 an answer about another person gives no permission', async () => {
  const json = { permission: 'admin', role_name: 'admin', user: ALICE }
  const { forge } = await forgeOf({
    [`GET ${REPOSITORY}/collaborators/mallory/permission`]: { json },
    [`GET ${REPOSITORY}/collaborators/Alice/permission`]: { json },
  })
  expect(await forge.permissionOf('Alice')).toBe('admin')
  await expect(forge.permissionOf('mallory')).rejects.toThrow('another person')
})
