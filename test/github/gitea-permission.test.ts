import { describe, expect, test } from 'vitest'
import { readTrigger } from '../../src/event/trigger.ts'
import { checkAccess, permissionOfSender } from '../../src/github/permissions.ts'
import type { JsonObject } from '../../src/json.ts'
import { type Answer, contextOf, forgeAt, gitea, refusal } from './helpers.ts'

const ADMIN = { admin: true, push: true, pull: true }
const WRITE = { admin: false, push: true, pull: true }
const READ = { admin: false, push: false, pull: true }
const user = (login: string) => ({ id: 6, login, username: login })
const by = (sender: string, permissions: unknown, more: JsonObject): JsonObject => ({
  repository: { id: 3, full_name: 'octo/app', permissions },
  sender: user(sender),
  ...more,
})
const ISSUE = { number: 1, user: user('mallory'), pull_request: null }
const PULL = {
  number: 2,
  user: user('alice'),
  base: { repo: { full_name: 'octo/app' } },
  head: { repo: null },
}
const comment = (author: string) => ({ id: 27, body: '/docs explain', user: user(author) })

/** As Gitea 1.26.4 sends them; `whose` says whose `repository.permissions` the event carries. */
const EVENTS: readonly [event: string, whose: string, counts: boolean, payload: JsonObject][] = [
  ['issue_comment', 'sender', true, { action: 'created', issue: ISSUE, comment: comment('eve') }],
  ['issue_comment', 'editor', false, { action: 'edited', issue: ISSUE, comment: comment('alice') }],
  ['issue_comment', 'sender', false, { action: 'deleted', issue: ISSUE, comment: comment('alice') }],
  ['issue_comment', 'unknown', false, { issue: ISSUE, comment: comment('eve') }],
  ['pull_request', 'merger', true, { action: 'closed', pull_request: { ...PULL, merged: true } }],
  ['pull_request_target', 'merger', true, { action: 'closed', pull_request: { ...PULL, merged: true } }],
  ['pull_request', 'author', false, { action: 'closed', pull_request: { ...PULL, merged: false } }],
  ['pull_request_target', 'author', false, { action: 'closed', pull_request: { ...PULL, merged: false } }],
  ['pull_request', 'author', false, { action: 'closed', pull_request: { ...PULL, merged: 'true' } }],
  ['pull_request', 'author', false, { action: 'closed', merged: true, pull_request: PULL }],
  ['pull_request', 'author', false, { action: 'opened', pull_request: PULL }],
  ['pull_request', 'author', false, { action: 'opened', pull_request: { ...PULL, merged: true } }],
  ['pull_request', 'author', false, { action: 'synchronized', pull_request: PULL }],
  ['issues', 'author', false, { action: 'opened', issue: ISSUE }],
  ['issues', 'author', false, { action: 'created', issue: ISSUE }],
  ['issues', 'author', false, { action: 'edited', issue: ISSUE }],
  ['issues', 'author', false, { action: 'label_updated', issue: ISSUE }],
  ['pull_request_review_comment', 'author', false, { action: 'reviewed', pull_request: PULL, review: {} }],
  ['pull_request_review_comment', 'author', false, { action: 'created', pull_request: PULL }],
  ['pull_request_review_approved', 'author', false, { action: 'reviewed', pull_request: PULL }],
  ['push', 'all', false, {}],
  ['release', 'all', false, { action: 'published' }],
  ['schedule', 'pusher', false, { schedule: '@daily' }],
  ['workflow_dispatch', 'nobody', false, {}],
  ['', 'unknown', false, { action: 'created', issue: ISSUE, comment: comment('eve') }],
]

/** What every job's token is told, of people that do not exist, too. */
const FORBIDDEN: Answer = {
  status: 403,
  json: refusal(
    'Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own',
  ),
}
const pathOf = (login: string) => `GET /repos/octo/app/collaborators/${login}/permission`

async function access(
  eventName: string,
  payload: JsonObject,
  answers: Readonly<Record<string, Answer>> = {},
) {
  const { apiUrl, calls } = await gitea({
    'GET /version': { json: { version: '1.26.4' } },
    [pathOf('eve')]: FORBIDDEN,
    [pathOf('alice')]: FORBIDDEN,
    ...answers,
  })
  const context = contextOf({ eventName, payload, apiUrl })
  const forge = await forgeAt(context)
  const decide = () => checkAccess(forge, readTrigger(context), 'write')
  return { forge, decide, calls }
}

describe('3.3 whose permission an event of Gitea tells, where the token may not ask', () => {
  test.each(EVENTS)('%s: the one of the %s counts: %s %j', async (event, _, counts, more) => {
    const payload = by('eve', ADMIN, more)
    const expected = counts ? { login: 'eve', permission: 'admin' } : undefined
    expect(permissionOfSender({ eventName: event, payload })).toEqual(expected)
    const { forge } = await access(event, payload)
    const read = forge.permissionOf('eve')
    if (counts) expect(await read).toBe('admin')
    else await expect(read).rejects.toMatchObject({ httpStatus: 403 })
    await expect(forge.permissionOf('alice')).rejects.toMatchObject({ httpStatus: 403 })
  })

  test.each([
    [ADMIN, 'admin'],
    [WRITE, 'write'],
    [READ, 'read'],
    [{ admin: false, push: false, pull: false }, 'none'],
    [{ admin: true, push: false, pull: true }, 'read'],
    [{ admin: true, push: true, pull: false }, 'none'],
    [{ admin: 'true', push: 'true', pull: 'true' }, 'none'],
    [{ admin: true }, 'none'],
    [{}, 'none'],
  ])('%j is %s', (permissions, permission) => {
    const payload = by('eve', permissions, { action: 'created', issue: ISSUE, comment: comment('eve') })
    expect(permissionOfSender({ eventName: 'issue_comment', payload })).toEqual({ login: 'eve', permission })
  })

  test.each([undefined, null, true, 'admin', [ADMIN]])('%j is nothing', (permissions) => {
    const payload = by('eve', permissions, { action: 'created', issue: ISSUE, comment: comment('eve') })
    expect(permissionOfSender({ eventName: 'issue_comment', payload })).toBeUndefined()
  })
})

describe('3.3 who may start a job on Gitea', () => {
  const commented = (author: string, sender: string, permissions: unknown) =>
    by(sender, permissions, { action: 'created', issue: ISSUE, comment: comment(author) })

  test.each([
    ['eve', 'eve', WRITE, { granted: true }],
    ['eve', 'eve', ADMIN, { granted: true }],
    ['eve', 'eve', READ, { granted: false, login: 'eve', has: 'read' }],
    // The event tells nothing about an author who is not its sender.
    [
      'alice',
      'eve',
      ADMIN,
      { granted: false, login: 'alice', has: '', unreadable: expect.objectContaining({ httpStatus: 403 }) },
    ],
    ['eve', 'eve', undefined, { granted: false, login: 'eve', has: '', unreadable: expect.anything() }],
  ])('a comment by %s, sent by %s with %j', async (author, sender, permissions, expected) => {
    const { decide } = await access('issue_comment', commented(author, sender, permissions))
    expect(await decide()).toEqual(expected)
  })

  test.each<[string, Answer, object]>([
    ['an owner', { json: { permission: 'owner', role_name: 'owner' } }, { granted: true }],
    ['an administrator', { json: { permission: 'admin', role_name: 'admin' } }, { granted: true }],
    ['a writer', { json: { permission: 'write', role_name: 'write' } }, { granted: true }],
    ['a reader', { json: { permission: 'read', role_name: 'read' } }, { granted: false, has: 'read' }],
    ['a stranger', { json: { permission: 'none', role_name: 'none' } }, { granted: false, has: 'none' }],
    ['nobody', { status: 404, json: refusal('not found') }, { granted: false, has: '' }],
    ['a token that ended', { status: 401, json: refusal('invalid') }, { granted: false, has: '' }],
  ])(
    'what the server says of the sender counts, whatever the event says: %s',
    async (_, answer, expected) => {
      const { decide } = await access('issue_comment', commented('eve', 'eve', ADMIN), {
        [pathOf('eve')]: answer,
      })
      expect(await decide()).toMatchObject(expected)
    },
  )

  test.each([
    ['an outage', { status: 500, json: refusal('') }],
    ['an answer of something else', { json: {} }],
  ])('%s denies no person anything, whatever the event says', async (_, answer) => {
    const { decide } = await access('issue_comment', commented('eve', 'eve', ADMIN), {
      [pathOf('eve')]: answer,
    })
    await expect(decide()).rejects.toMatchObject({ kind: 'away' })
  })

  test('a login may hold dots', async () => {
    const payload = commented('carol.smith', 'carol.smith', WRITE)
    const { decide } = await access('issue_comment', payload, { [pathOf('carol.smith')]: FORBIDDEN })
    expect(await decide()).toEqual({ granted: true })
  })
})
