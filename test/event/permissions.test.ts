import { expect, test } from 'vitest'
import { GitHubError } from '../../src/base/errors.ts'
import { checkAccess } from '../../src/event/gate.ts'
import { readTrigger } from '../../src/event/trigger.ts'
import { PERMISSIONS, type Permission } from '../../src/record/permission.ts'

const person = (login: string) => ({ login, type: 'User' })

/** Somebody comments, and perhaps somebody else sends the event. */
const commented = (author: string, sender = author) =>
  readTrigger({
    eventName: 'issue_comment',
    payload: {
      action: 'created',
      issue: { number: 12, user: person('carol') },
      comment: { id: 1, body: '/docs explain', user: person(author) },
      sender: person(sender),
    },
  })

const failure = (kind: GitHubError['kind'], httpStatus: number) =>
  new GitHubError({ kind, httpStatus, detail: 'Not Found', triedMs: 0 })

/** Alice has write permission, Mallory can read; GitHub fails for everyone else. */
const githubThat = (fails: GitHubError) => ({
  async permissionOf(login: string): Promise<Permission> {
    if (login === 'alice') return 'write'
    if (login === 'mallory') return 'read'
    throw fails
  },
})
const GITHUB = githubThat(failure('refused', 404))

test.each([401, 403, 404, 410])(
  '3.3 a person whose permission GitHub refuses to show (HTTP %i) may not ask',
  async (status) => {
    const refused = failure('refused', status)
    const github = githubThat(refused)
    const denied = { granted: false, login: 'trudy', has: '', unreadable: refused }
    expect(await checkAccess(github, commented('trudy'), 'read')).toEqual(denied)
    expect(await checkAccess(github, commented('trudy', 'alice'), 'write')).toEqual(denied)
    expect(await checkAccess(github, commented('alice', 'trudy'), 'write')).toEqual(denied)
  },
)

test('3.3 where GitHub does not answer, the person is neither let in nor denied', async () => {
  const away = failure('away', 0)
  await expect(checkAccess(githubThat(away), commented('trudy'), 'write')).rejects.toBe(away)
})

test.each([
  ['mallory', 'alice'],
  ['alice', 'mallory'],
  ['mallory', 'mallory'],
])('3.3 a comment of %s that %s sends: Mallory may not ask', async (author, sender) => {
  const access = await checkAccess(GITHUB, commented(author, sender), 'write')
  expect(access).toEqual({ granted: false, login: 'mallory', has: 'read' })
})

test.each([true, false])(
  '3.3 a person whose login a bot has, too, needs the permission (the bot first: %s)',
  async (isFirst) => {
    const [bot, mallory] = [true, false].map((isBot) => ({ login: 'mallory', bot: isBot }))
    const trigger = { ...commented('alice'), authors: isFirst ? [bot, mallory] : [mallory, bot] }
    const denied = { granted: false, login: 'mallory', has: 'read' }
    expect(await checkAccess(GITHUB, trigger, 'write')).toEqual(denied)
  },
)

test('3.3 a comment whose author or sender the event does not name may not ask', async () => {
  const trigger = commented('alice')
  for (const one of [
    { ...trigger, authors: [undefined] },
    { ...trigger, sender: undefined },
  ])
    expect(await checkAccess(GITHUB, one, 'read')).toEqual({ granted: false, login: '', has: '' })
})

test.each(PERMISSIONS.map((has, at) => [has, at] as const))(
  '3.3 who has %s may ask where that or less is needed',
  async (has, at) => {
    const github = { permissionOf: async () => has }
    for (const [needed, needs] of PERMISSIONS.entries())
      expect((await checkAccess(github, commented('dave'), needs)).granted, needs).toBe(at >= needed)
  },
)
