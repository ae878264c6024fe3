import { expect, test } from 'vitest'
import type { NewPullRequest } from '../../emulator/github/new.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { plant } from '../helpers/sweeps.ts'
import { expectOutcome, ownWorld, type World } from '../helpers/world.ts'

const NUMBER = 30
const URL = `https://github.com/octo/app/pull/${NUMBER}`
const MINUTE = 60_000

interface Opened extends Pick<NewPullRequest, 'app' | 'by'> {
  /** In ms since the epoch, on GitHub's clock. */
  readonly at?: number
}

/** A pull request in alice's name, by default through an App, as GitHub tells a workflow of it. */
function opened(emulator: World, { at = emulator.settings.now(), app = 'mintlify', by }: Opened = {}) {
  const repo = { full_name: 'octo/app' }
  const user = { login: 'alice', type: 'User' }
  const files = [{ filename: 'src/retry.ts' }]
  emulator.github.addPullRequest({
    number: NUMBER,
    user: 'alice',
    app,
    files,
    ...(by !== undefined && { by }),
  })
  const pull_request = {
    ...{ number: NUMBER, html_url: URL, title: 'Explain retries', body: '', user },
    created_at: new Date(at).toISOString(),
    ...{
      head: { ref: 'retries', sha: emulator.github.pull(NUMBER).head.sha, repo },
      base: { ref: 'main', repo },
    },
  }
  return {
    name: 'pull_request',
    payload: { action: 'opened', number: NUMBER, pull_request, sender: user },
  }
}

const WORKS: Turn = { ending: 'active-forever' }
const NO_SIGN = { app: null, by: 'alice' } as const
const run = (emulator: World, inputs: Record<string, string> = {}, pull: Opened = {}) =>
  emulator.act(opened(emulator, pull), { inputs: { prompt: 'Document this.', wait: 'false', ...inputs } })

test.each<[string, Opened]>([
  ['through an App', {}],
  ['with the commit of a bot', { app: null, by: 'mintlify[bot]' }],
])(
  '3.5 a pull request that may be a working job’s, %s under a person’s name, is looked up in it once',
  async (_, pull) => {
    const emulator = ownWorld()
    const job = await plant(emulator, { turn: { reads: 3, pr: URL } })
    const first = opened(emulator, pull)
    const inputs = { prompt: 'Document this.', wait: 'false' }
    expectOutcome(await emulator.act(first, { inputs }), 'skipped', 'job-active')
    expect(emulator.calls('service').filter((call) => call.includes(job))).toHaveLength(1)
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await emulator.collect()
    // Its link is known by then.
    expectOutcome(await emulator.act(first, { inputs, attempt: 2 }), 'skipped', 'agent-pull-request')
    expect(emulator.prompts()).toEqual([])
  },
)

test.each(['octo/app/pull/31', `octo/docs/pull/${NUMBER}`])(
  '3.5 one with a sign is followed once the job has ended with another one: %s',
  async (path) => {
    const emulator = ownWorld()
    await plant(emulator, { turn: { reads: 0, pr: `https://github.com/${path}` } })
    expectOutcome(await run(emulator), 'started')
    expect(emulator.prompts()).toHaveLength(1)
  },
)

test.each<[string, Opened, Readonly<Record<string, string>>]>([
  ['of a person', NO_SIGN, {}],
  [
    'with the commit of a bot that is allowed',
    { app: null, by: 'renovate[bot]' },
    { 'allowed-bots': 'renovate[bot]' },
  ],
  ['with a commit of nobody whom GitHub knows', { app: null, by: null }, {}],
  ['of an account that is allowed', {}, { 'allowed-bots': 'alice' }],
])('3.5 a pull request %s is asked for, whatever works', async (_, pull, inputs) => {
  const emulator = ownWorld()
  const job = await plant(emulator, { turn: WORKS })
  expectOutcome(await run(emulator, inputs, pull), 'started')
  expect(emulator.calls('service').filter((call) => call.includes(job))).toEqual([])
})

test('3.5 nor does one that began after the pull request was opened', async () => {
  const emulator = ownWorld()
  await plant(emulator, { turn: WORKS })
  expectOutcome(await run(emulator, {}, { at: emulator.settings.now() - 2 * MINUTE }), 'started')
})

test.each([
  ['works', false],
  ['cannot be read', true],
])('3.5 a job that %s leaves the pull request alone', async (_, isBroken) => {
  const emulator = ownWorld()
  const job = await plant(emulator, { turn: WORKS })
  const fault = { kind: 'status', status: 500 } as const
  if (isBroken)
    emulator.faults.add({ match: { path: new RegExp(job) }, times: Number.POSITIVE_INFINITY, fault })
  const result = await run(emulator)
  expectOutcome(result, 'skipped', 'job-active')
  expect(result.outputs['job-id']).toBe(job)
  expect(result.summary).toContain('This pull request may be the work of that job')
  expect(result.summary).not.toContain('/docs status')
  expect(emulator.prompts()).toEqual([])
})
