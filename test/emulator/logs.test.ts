import { expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import { emulate } from './helpers.ts'

// The logs of jobs, as docs.github.com/rest/actions/workflow-jobs has them, on a host of their own.

const SHA = 'a'.repeat(40)

async function stored(check: Partial<Check>, actions: 'read' | 'none' = 'read') {
  const { clock, emulator, app, github } = emulate({ permissions: { actions } })
  github.addChecks(SHA, [{ name: 'links', conclusion: 'failure', ...check }])
  const { body } = await app(`GET /commits/${SHA}/check-runs`)
  const [run] = (body.check_runs ?? []) as readonly { readonly id: number }[]
  const { status, headers } = await app(`GET /actions/jobs/${run?.id}/logs`)
  const location = headers.get('location') ?? ''
  const read = async (more = {}) => {
    const answer = await emulator.fetch(location, { headers: more })
    const [text, range] = [await answer.text(), answer.headers.get('content-range') ?? '']
    return [answer.status, text, range] as const
  }
  return { status, location, read, clock, emulator }
}

test('an address on another host gives the log without a token, whole or a part', async () => {
  const { status, location, read, emulator } = await stored({ log: 'a\nbé\n' })
  expect(status).toBe(302)
  expect(new URL(location).host).not.toBe(new URL(emulator.githubUrl).host)
  expect(await read()).toEqual([200, 'a\nbé\n', ''])
  expect(await read({ range: 'bytes=2-100' })).toEqual([206, 'bé\n', 'bytes 2-5/6'])
  expect(await read({ range: 'bytes=6-100' })).toEqual([416, '', ''])
})

test('an address is good for a minute, and takes no other credentials', async () => {
  const { read, clock } = await stored({})
  expect((await read())[1]).toMatch(/^\S+Z ##\[group\]Run [\s\S]* ##\[error\]Process completed/)
  expect((await read({ authorization: 'Bearer test-token' }))[0]).toBe(400)
  clock.now += 60_001
  expect((await read())[0]).toBe(403)
})

test.each<[string, Partial<Check>, 'read' | 'none', number]>([
  ['one that is gone', { log: null }, 'read', 410],
  ['one without the permission', {}, 'none', 403],
  ['one of another App', { app: 'netlify' }, 'read', 404],
  ['one of a job that runs', { takesMs: 60_000 }, 'read', 404],
])('no address of %s', async (_, check, actions, status) => {
  expect((await stored(check, actions)).status).toBe(status)
})
