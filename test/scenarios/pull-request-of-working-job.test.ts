import { expect, test } from 'vitest'
import type { Turn } from '../../emulator/service/turn.ts'
import { plant } from '../collect/helpers.ts'
import { expectOutcome, IN_BUNDLE, ownWorld, type World } from '../helpers/world.ts'

const NUMBER = 30
const URL = `https://github.com/octo/app/pull/${NUMBER}`
const MINUTE = 60_000

/** A pull request that alice opened, as GitHub tells a workflow of it. */
function opened(openedAt: number) {
  const repo = { full_name: 'octo/app' }
  const user = { login: 'alice', type: 'User' }
  const pull_request = {
    ...{ number: NUMBER, html_url: URL, title: 'Explain retries', body: '', user },
    created_at: new Date(openedAt).toISOString(),
    ...{ head: { ref: 'retries', repo }, base: { ref: 'main', repo } },
  }
  return {
    name: 'pull_request',
    payload: { action: 'opened', number: NUMBER, pull_request, sender: user },
  }
}

const WORKS: Turn = { ending: 'active-forever' }
const run = (emulator: World, inputs: Record<string, string> = {}, at?: number) =>
  emulator.act(opened(at ?? emulator.settings.now()), {
    inputs: { prompt: 'Document this.', wait: 'false', ...inputs },
  })

test('3.5 a pull request that a working job opens under a person’s name starts nothing, once its link is known', async () => {
  const emulator = ownWorld()
  await plant(emulator, { turn: { reads: 3, pr: URL } })
  expectOutcome(await run(emulator), 'skipped', 'agent-pull-request')
  expect(emulator.prompts()).toEqual([])
})

test.each<[string, Turn]>([
  ['names another pull request', { reads: 2, pr: 'https://github.com/octo/app/pull/31' }],
  ['ends without one', { reads: 1, pr: 'none' }],
])('3.5 a person’s pull request is followed once the job that works %s', async (_, turn) => {
  const emulator = ownWorld()
  await plant(emulator, { turn })
  expectOutcome(await run(emulator), 'started')
  expect(emulator.prompts()).toHaveLength(1)
})

test('3.5 a job that the service no longer knows does not count', async () => {
  const emulator = ownWorld()
  emulator.service.forget(await plant(emulator, { turn: WORKS }))
  expectOutcome(await run(emulator), 'started')
})

test.each([
  ['the service', { job: { createdAt: new Date(Date.now() - MINUTE).toISOString() } }],
  ['the record', { requestedAt: Date.now() - MINUTE }],
])('3.5 nor does one that began after the pull request was opened, as %s tells', async (_, began) => {
  const emulator = ownWorld()
  await plant(emulator, { turn: WORKS, ...began })
  expectOutcome(await run(emulator, {}, emulator.settings.now() - 2 * MINUTE), 'started')
})

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
  const openedAt = emulator.settings.now()
  await emulator.act(said, { ...more, attempt: 2 })
  expectOutcome(await run(emulator, {}, openedAt), 'skipped', 'job-active')
})

test('3.5 a dry run does not wait', async () => {
  const emulator = ownWorld()
  await plant(emulator, { turn: WORKS })
  expectOutcome(await run(emulator, { 'dry-run': 'true' }), 'skipped', 'dry-run')
  expect(emulator.calls('service')).toEqual([])
})

test.skipIf(IN_BUNDLE).each([
  ['works', false],
  ['cannot be read', true],
])('3.5 at the deadline, a job that still %s leaves the pull request alone', async (_, isBroken) => {
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
