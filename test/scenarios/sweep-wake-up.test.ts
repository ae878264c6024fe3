import { expect, test } from 'vitest'
import type { NewPullRequest } from '../../emulator/github/new.ts'
import type { RunResult } from '../../emulator/runner.ts'
import { expectCounts, plant, reads } from '../helpers/sweeps.ts'
import { ISSUE, ownWorld, type World } from '../helpers/world.ts'

const started = ({ requests }: World): number =>
  requests.filter(({ host, method }) => host === 'service' && method === 'POST').length

/** What GitHub sends for a pull request of this repository. */
function pullRequest(
  number: number,
  { author = 'mintlify[bot]', action = 'opened', name = 'pull_request' } = {},
) {
  const user = { login: author, type: author.endsWith('[bot]') ? 'Bot' : 'User' }
  const repo = { full_name: 'octo/app' }
  const html_url = `https://github.com/octo/app/pull/${number}`
  const pull_request = {
    number,
    html_url,
    title: 'Docs',
    user,
    head: { ref: 'x', repo },
    base: { ref: 'main', repo },
  }
  return { name, payload: { action, number, pull_request, sender: user } }
}

const woken = (emulator: World, event: ReturnType<typeof pullRequest>, minutes = '2'): Promise<RunResult> =>
  emulator.collect({ 'wait-minutes': minutes }, { event })

test('8.4 a pull request that a bot opened: the run waits for its job, and reports it', {
  tags: 'bundle',
}, async () => {
  const emulator = ownWorld()
  const job = await plant(emulator, { turn: { reads: 2 } })
  emulator.clearRequests()
  const result = await woken(emulator, pullRequest(ISSUE + 1))
  expectCounts(result, { finished: 1 })
  expect(started(emulator)).toBe(0)
  expect(emulator.bodies()[0]).toMatch(/^\*\*✅ The docs agent opened/)
  expect(JSON.parse(result.outputs.result ?? '')).toMatchObject([{ 'job-id': job, outcome: 'pull-request' }])
})

test.each<[string, Pick<NewPullRequest, 'app' | 'by'>]>([
  ['that came through an App', { app: 'mintlify' }],
  ['with the commit of a bot', { by: 'mintlify[bot]' }],
])(
  '8.4 a pull request in a person’s name %s: the run waits for the job that may have opened it',
  async (_, sign) => {
    const emulator = ownWorld()
    await plant(emulator, { turn: { reads: 3, pr: 'https://github.com/octo/app/pull/30' } })
    emulator.github.addPullRequest({ number: 30, user: 'carol', ...sign })
    const result = await woken(emulator, pullRequest(30, { author: 'carol' }))
    expectCounts(result, { finished: 1 })
    expect(result.log).toContain('Waiting for 1 job that may have opened https://github.com/octo/app/pull/30')
  },
)

test('8.4 with wait-minutes 0 it looks once, and does not wait', async () => {
  const emulator = ownWorld()
  await plant(emulator, { turn: { reads: 2 } })
  emulator.clearRequests()
  expectCounts(await woken(emulator, pullRequest(ISSUE + 1), '0'), { active: 1 })
  expect(reads(emulator)).toHaveLength(1)
})

test.each([
  [2, { finished: 1 }],
  [4, { active: 1 }],
])(
  '8.4 without `wait-minutes`, a job that takes %i more minutes is waited for: %j',
  async (minutes, counts) => {
    const emulator = ownWorld()
    await plant(emulator, { turn: { durationMs: minutes * 60_000 } })
    expectCounts(await woken(emulator, pullRequest(ISSUE + 1), ''), counts)
  },
)

test.each([
  ['a pull request of a person', pullRequest(30, { author: 'carol' })],
  ['another action', pullRequest(30, { action: 'labeled' })],
  [
    'a push to a pull request of a bot that is older than the job',
    pullRequest(30, { action: 'synchronize' }),
  ],
  ['another event', pullRequest(30, { name: 'pull_request_review' })],
])('8.4 %s: an ordinary sweep', async (_, event) => {
  const emulator = ownWorld()
  await plant(emulator, { turn: { reads: 3 } })
  emulator.clearRequests()
  expectCounts(await woken(emulator, event), { active: 1 })
})
