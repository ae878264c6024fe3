import { expect, test } from 'vitest'
import { world } from '../helpers/world.ts'

const ALWAYS = { times: Number.POSITIVE_INFINITY } as const
const refusal = (body: unknown) => ({ kind: 'status', status: 403, body }) as const
const said = ({ annotations }: { readonly annotations: readonly { readonly message: string }[] }) =>
  annotations.map(({ message }) => message).join('\n')

/** What GitHub says, and what helps. */
const CAUSES = {
  'an IP allow list': [
    'Although you appear to have the correct authorization credentials, the `octo` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.',
    /allow list leaves this runner out/,
  ],
  SAML: [
    'Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.',
    /single sign-on/,
  ],
  'a kind of token': [
    '`octo` forbids access via a personal access token (classic).',
    /token of a GitHub App/,
  ],
  'an archived repository': ['Repository was archived so is read-only.', /Unarchive the repository/],
  'a full thread': ['Commenting is disabled on issues with more than 2500 comments', /go on in a new issue/],
  'a locked thread': ['Unable to create comment because issue is locked.', /Unlock the thread/],
} as const

const CASES = Object.entries(CAUSES).map(([name, [message, remedy]]) => ({ name, message, remedy }))

test.each(CASES)(
  '5.6 a comment that is refused for $name: the warning has the remedy, and no permission',
  async ({ message, remedy }) => {
    const emulator = world()
    const match = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ } as const
    emulator.faults.add({ match, ...ALWAYS, fault: refusal({ message }) })
    const result = await emulator.ask('/docs explain')
    expect(said(result)).toMatch(remedy)
    expect(said(result)).not.toMatch(/Add the line/)
  },
)

test('5.6 a missing permission gets its line', async () => {
  const emulator = world()
  const match = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ } as const
  emulator.faults.add({
    match,
    ...ALWAYS,
    fault: refusal({ message: 'Resource not accessible by integration' }),
  })
  expect(said(await emulator.ask('/docs explain'))).toContain('Add the line issues: write')
})

test('5.6 a 403 with a page names neither its HTML nor a permission', async () => {
  const emulator = world()
  const match = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ } as const
  const fault = { ...refusal('<!DOCTYPE html><html><body>Blocked by policy</body></html>') }
  emulator.faults.add({ match, ...ALWAYS, fault })
  const text = said(await emulator.ask('/docs explain'))
  expect(text).toContain('(HTTP 403: a page instead of an answer). A proxy or a firewall')
  expect(text).not.toMatch(/DOCTYPE|Add the line/)
})
