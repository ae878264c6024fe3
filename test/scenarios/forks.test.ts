import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runAction } from '../../emulator/runner.ts'
import { expectOutcome, world } from '../helpers/world.ts'

const said = ({ annotations }: { readonly annotations: readonly { readonly message: string }[] }) =>
  annotations.map(({ message }) => message).join('\n')

const FORK = {
  id: 5,
  name: 'app',
  full_name: 'mona/app',
  fork: true,
  default_branch: 'main',
  owner: { login: 'mona' },
}
const mona = { login: 'mona', type: 'User' }
const NONE = { 'api-key': '', 'project-id': '', 'memory-key': '' }
const env = { GITHUB_REPOSITORY: 'mona/app' }
const inFork = (name: string, payload: object) => ({ name, payload: { repository: FORK, ...payload } })
const push = {
  ref: 'refs/heads/main',
  before: 'a'.repeat(40),
  after: 'b'.repeat(40),
  commits: [],
  sender: mona,
}

test.each([
  inFork('push', push),
  inFork('schedule', { schedule: '17 6 * * 1' }),
  inFork('release', { action: 'published', release: { id: 1, tag_name: 'v1' }, sender: mona }),
  inFork('workflow_dispatch', { sender: mona }),
])('1.3 $name in a fork without secrets is green, and says what a fork can do', async (event) => {
  const emulator = world()
  const result = await emulator.act(event, { env, inputs: { ...NONE, prompt: 'Update the docs.' } })
  expectOutcome(result, 'skipped', 'missing-secret')
  expect(result.exitCode).toBe(0)
  expect(said(result)).toMatch(/is a fork.*add the GitHub secret behind.*disable this workflow/)
  expect(emulator.requests).toEqual([])
})

test.each([inFork('schedule', {}), inFork('workflow_dispatch', { sender: mona })])(
  '8 a sweep in a fork without secrets is green ($name)',
  async (event) => {
    const emulator = world()
    const result = await emulator.collect(NONE, { env, event })
    expect(result.exitCode, result.log).toBe(0)
    expect(said(result)).toContain('is a fork')
    expect(emulator.requests).toEqual([])
  },
)

test.each(['visitors', 'insights'] as const)(
  '1.3 %s in a fork without secrets is green',
  { tags: 'bundle' },
  async (name) => {
    const emulator = world()
    const action = fileURLToPath(new URL(`../../${name}/action.yml`, import.meta.url))
    const run = emulator.given(inFork('schedule', {}), { action, env, inputs: NONE })
    const result = await runAction(run)
    expect(result.exitCode, result.log).toBe(0)
    expect(result.outputs.complete).toBe('false')
    expect(said(result)).toContain('is a fork')
    expect(emulator.requests).toEqual([])
  },
)
