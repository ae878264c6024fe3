import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { runAction } from '../../emulator/runner.ts'
import { CODE, codeWorld, happens, INPUTS, pulled, saidOf } from '../helpers/code-world.ts'
import { expectOutcome, type World, world } from '../helpers/world.ts'

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
  expect(said(result)).toMatch(
    /is a fork.*add an API key of your own as the GitHub secret behind.*disable this workflow/,
  )
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

describe('a pull request from a fork, whose runs get no secrets', () => {
  const forked = () => {
    const emulator = codeWorld({ docsRepository: 'octo/app' })
    emulator.github.addPullRequest({ number: 31, user: 'mona', headRepository: 'mona/app' })
    return emulator
  }
  const saidOf31 = (emulator: World) => saidOf(emulator, emulator.github.pull(31).head.sha)
  const comes = (emulator: World, action: string) =>
    emulator.act(pulled(emulator, action, 'mona', 31), { inputs: { ...INPUTS, ...NONE } })
  const STATUS = { 'commit-status': 'docs' }

  test.each(['opened', 'synchronize', 'labeled', 'closed'])(
    '1.3 4.13 %s is green and sets no status, until a person asks',
    async (action) => {
      const emulator = forked()
      expectOutcome(await comes(emulator, action), 'skipped', 'missing-secret')
      expect(emulator.requests).toEqual([])
      expect(saidOf31(emulator)).toEqual([])
      expectOutcome(await emulator.ask('/docs explain', { on: 31, inputs: STATUS }), 'pull-request')
      expect(saidOf31(emulator)).toEqual(['pending: The docs agent is working', 'success: octo/app#77'])
    },
  )

  test.each<[string, string]>([
    ['/docs skip', 'success: Skipped by alice'],
    ['/docs explain', 'success: octo/app#77'],
  ])('4.13 after the next push to it, %s decides the new head', async (words, says) => {
    const emulator = forked()
    await emulator.ask('/docs explain', { on: 31, inputs: STATUS })
    emulator.github.push(31, { files: [{ filename: 'src/b.ts', patch: '+b' }] })
    await comes(emulator, 'synchronize')
    expect(saidOf31(emulator)).toEqual([])
    await emulator.ask(words, { on: 31, runId: 2, inputs: STATUS })
    expect(saidOf31(emulator).at(-1)).toBe(says)
  })

  test('3.3 a stranger who opened it decides nothing', async () => {
    const emulator = forked()
    expectOutcome(
      await emulator.ask('/docs skip', { on: 31, by: 'mona', inputs: STATUS }),
      'skipped',
      'permission-denied',
    )
    expect(saidOf31(emulator)).toEqual([])
    expectOutcome(await happens(emulator, 'opened'), 'pull-request')
    expect(saidOf(emulator).at(-1)).toBe('success: octo/app#77')
    expect(emulator.written(CODE)).toHaveLength(1)
  })
})
