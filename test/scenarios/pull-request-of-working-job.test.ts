import { describe, expect, test } from 'vitest'
import type { NewPullRequest } from '../../emulator/github/new.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { plant } from '../collect/helpers.ts'
import { expectOutcome, IN_BUNDLE, KEY_READ, ownWorld, type World } from '../helpers/world.ts'

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
  emulator.github.addPullRequest({ number: NUMBER, user: 'alice', app, ...(by !== undefined && { by }) })
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

test('3.5 one with a sign is followed once the job has ended with another one', async () => {
  const emulator = ownWorld()
  await plant(emulator, { turn: { reads: 0, pr: 'https://github.com/octo/app/pull/31' } })
  expectOutcome(await run(emulator), 'started')
  expect(emulator.prompts()).toHaveLength(1)
})

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

test('2.2 3.5 the outputs of a re-run name the job that may have opened it, and not that of its first attempt', async () => {
  const emulator = ownWorld()
  const event = opened(emulator, { at: emulator.settings.now() + 10 * MINUTE })
  const inputs = { prompt: 'Document this.', 'timeout-minutes': '1' }
  expectOutcome(await emulator.act(event, { inputs }), 'pull-request')
  const jobId = await plant(emulator, { turn: WORKS })
  const again = await emulator.act(event, { inputs, attempt: 2 })
  expectOutcome(again, 'skipped', 'job-active')
  expect(again.outputs['job-id']).toBe(jobId)
})

test('3.5 where the token may not read the comments of the repository, no job is known', async () => {
  const emulator = ownWorld()
  await plant(emulator, { turn: WORKS })
  const match = { host: 'github', path: /\/repos\/octo\/app\/issues\/comments$/ } as const
  emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: 403 } })
  expectOutcome(await run(emulator), 'started')
})

test.each([403, 404, 500])('3.5 a sign that cannot be read (%i) is none', async (status) => {
  const emulator = ownWorld()
  await plant(emulator, { turn: WORKS })
  const match = { host: 'github', path: new RegExp(`/(issues/${NUMBER}|pulls/${NUMBER}/commits)$`) } as const
  emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status } })
  expectOutcome(await run(emulator), 'started')
})

test.skipIf(IN_BUNDLE)('3.5 a job that the service no longer knows does not count', async () => {
  const emulator = ownWorld()
  emulator.service.forget(await plant(emulator, { turn: WORKS }))
  expectOutcome(await run(emulator), 'started')
})

test('3.5 nor does one that began after the pull request was opened', async () => {
  const emulator = ownWorld()
  await plant(emulator, { turn: WORKS })
  expectOutcome(await run(emulator, {}, { at: emulator.settings.now() - 2 * MINUTE }), 'started')
})

describe.skipIf(IN_BUNDLE).each([-60 * MINUTE, 60 * MINUTE])(
  '3.5 where GitHub’s clock is %i ms ahead of the others',
  (githubClockSkewMs) => {
    test.each([
      [-2000, 'started', ''],
      [2000, 'skipped', 'job-active'],
    ])('a pull request of %i ms after the command ends as %s', async (ms, outcome, reason) => {
      const emulator = ownWorld({ githubClockSkewMs })
      emulator.service.script.push(WORKS)
      const at = emulator.settings.now() + 5000 + githubClockSkewMs
      await emulator.pass(5000)
      await emulator.act(emulator.say('/docs explain'), { inputs: { wait: 'false' } })
      expectOutcome(await run(emulator, {}, { at: at + ms }), outcome, reason)
    })
  },
)

test.skipIf(IN_BUNDLE).each<[string, Turn]>([
  ['tells', WORKS],
  ['does not tell', { ...WORKS, fields: { createdAt: null } }],
])('3.5 a re-run leaves a job as old as it was, whose age the service %s', async (_, turn) => {
  const emulator = ownWorld()
  emulator.service.script.push(turn)
  const said = emulator.say('/docs explain')
  const more = { inputs: { wait: 'false' } }
  await emulator.act(said, more)
  await emulator.pass(1000)
  const at = emulator.settings.now()
  await emulator.act(said, { ...more, attempt: 2 })
  expectOutcome(await run(emulator, {}, { at }), 'skipped', 'job-active')
})

test('3.5 4.4 a key that is good for no read says so', async () => {
  const emulator = ownWorld()
  const job = await plant(emulator, { turn: WORKS })
  const fault = { kind: 'status', status: 401 } as const
  emulator.faults.add({ match: { path: new RegExp(job) }, fault })
  expectOutcome(await run(emulator), 'error', 'unauthorized')
})

test('3.5 a dry run reads no job', async () => {
  const emulator = ownWorld()
  await plant(emulator, { turn: WORKS })
  expectOutcome(await run(emulator, { 'dry-run': 'true' }), 'skipped', 'dry-run')
  expect(emulator.calls('service')).toEqual([KEY_READ])
})

test.skipIf(IN_BUNDLE).each([
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
