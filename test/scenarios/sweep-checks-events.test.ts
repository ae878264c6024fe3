import { describe, expect, test } from 'vitest'
import type { ActionRun } from '../../emulator/runner.ts'
import { fixes } from '../helpers/checked-world.ts'
import { green, MINUTE, PULL, red, steppedWorld, sweep, workflowRun } from '../helpers/stepped-world.ts'
import { ISSUE, type World } from '../helpers/world.ts'

// Contract 8.4: an event about the agent's pull request has a sweep read what it names, and nothing else.

const LIST = 'GET /repos/octo/app/issues/comments'
const repo = { full_name: 'octo/app' }
const BRANCH = (emulator: World): string => emulator.github.pull(PULL).head.ref

const event = (name: string, payload: object): ActionRun['event'] => ({
  name,
  payload: { ...payload, sender: { login: 'mallory', type: 'User' } },
})
const suite = (number: number, from = 'octo/app') =>
  event('check_suite', {
    action: 'completed',
    check_suite: { id: 3, pull_requests: [{ number, head: { repo: { full_name: from } }, base: { repo } }] },
  })
const status = (name: string, at = 'a', sha = 'a') =>
  event('status', { sha, state: 'success', context: 'ci', branches: [{ name, commit: { sha: at } }] })
const dispatch = (link: unknown) =>
  event('repository_dispatch', { action: 'docs-checked', client_payload: { 'pull-request': link } })
const LINK = `https://github.com/octo/app/pull/${PULL}`

/** A sweep has reported the job, and its checks go on. */
async function reportedWorld() {
  const emulator = await steppedWorld({ heads: [red(10 * MINUTE)] })
  await sweep(emulator, { afterMs: 0 })
  await emulator.pass(15 * MINUTE)
  emulator.clearRequests()
  return emulator
}

describe('8.4 an event about checks that names nothing that a record knows ends after the list', () => {
  test.each<[string, ActionRun['event']]>([
    ['the workflow of another pull request', workflowRun({ number: 30 })],
    ['the workflow of a fork', workflowRun({ from: 'mallory/app' })],
    ['the workflow of a branch that is gone', workflowRun({ number: null })],
    ['a workflow that tells nothing', event('workflow_run', { workflow_run: 'x' })],
    ['a suite of another pull request', suite(30)],
    ['a suite of a fork', suite(PULL, 'mallory/app')],
    ['a suite without a pull request', event('check_suite', { check_suite: { pull_requests: [] } })],
    ['a status of another branch', status('main')],
    ['a status that the branch has left behind', status('docs-agent/j_1', 'b')],
    ['a status without branches', event('status', { sha: 'a', branches: 'x' })],
    ['a dispatch for another pull request', dispatch('https://github.com/octo/app/pull/30')],
    ['a dispatch for one of another repository', dispatch(`https://github.com/octo/docs/pull/${PULL}`)],
    ['a dispatch for one on another server', dispatch(`https://evil.example/octo/app/pull/${PULL}`)],
    ['a dispatch with a number', dispatch(PULL)],
    ['a dispatch without one', event('repository_dispatch', {})],
  ])('%s', async (_, event) => {
    const emulator = await reportedWorld()
    const { exitCode, log, outputs } = await sweep(emulator, { event: event })
    expect(exitCode, log).toBe(0)
    expect(emulator.calls()).toEqual([LIST])
    expect(log).toContain('names no pull request of the docs agent that a record here knows.')
    expect(outputs).toMatchObject({ finished: '0', active: '0', failed: '0' })
  })
})

describe('8.4 an event about checks of the pull request has its checks read', () => {
  test.each<[string, (emulator: World) => ActionRun['event']]>([
    ['the end of its workflow', () => workflowRun()],
    ['a suite', () => suite(PULL)],
    ['a status of its branch', (emulator) => status(BRANCH(emulator))],
    ['a dispatch', () => dispatch(LINK)],
    ['a dispatch, in other letters', () => dispatch(LINK.replace('octo', 'OCTO'))],
  ])('%s', async (_, event) => {
    const emulator = await reportedWorld()
    const { exitCode, log } = await sweep(emulator, { afterMs: 0, event: event(emulator) })
    expect(exitCode, log).toBe(0)
    expect(fixes(emulator)).toHaveLength(1)
    expect(emulator.lastWords()).toContain('failures went back to the agent once.')
  })

  test.each([2, 10])('%i at once send one message', async (many) => {
    const emulator = await reportedWorld()
    const all = Array.from({ length: many }, () => sweep(emulator, { afterMs: 0, event: workflowRun() }))
    for (const { exitCode, log } of await Promise.all(all)) expect(exitCode, log).toBe(0)
    expect(fixes(emulator)).toHaveLength(1)
    for (let at = 0; at < 3; at += 1) await sweep(emulator, { afterMs: 5 * MINUTE, event: workflowRun() })
    expect(fixes(emulator)).toHaveLength(1)
    expect(emulator.bodies()).toEqual([expect.stringContaining('Its 2 checks pass')])
  })

  test('one of a workflow that was cancelled leaves what goes on', async () => {
    const emulator = await steppedWorld({ heads: [green(60 * MINUTE)] })
    await sweep(emulator, { afterMs: 0 })
    await sweep(emulator, { event: workflowRun() })
    expect(emulator.lastWords()).toContain('at the next sweep.')
    expect(fixes(emulator)).toEqual([])
  })
})

describe('8.5 an event about checks reads again what ended without a verdict', () => {
  test('a head without checks that gets some', async () => {
    const emulator = await steppedWorld({ heads: [[]] })
    await sweep(emulator, { afterMs: 11 * MINUTE })
    await sweep(emulator, { afterMs: 11 * MINUTE })
    expect(emulator.lastWords()).toContain('It has no checks.')
    await sweep(emulator, { event: workflowRun() })
    expect(emulator.lastWords()).toContain('It has no checks.')
    emulator.github.addChecks(emulator.github.pull(PULL).head.sha, red(3 * MINUTE))
    await sweep(emulator, { afterMs: MINUTE })
    expect(emulator.lastWords(), 'no event about checks').toContain('It has no checks.')
    await sweep(emulator, { afterMs: 0, event: workflowRun() })
    expect(emulator.lastWords()).toContain('at the next sweep.')
    await sweep(emulator, { afterMs: 10 * MINUTE })
    expect(fixes(emulator)).toHaveLength(1)
  })

  test('one whose run saw no end', async () => {
    const emulator = await steppedWorld({
      heads: [green(), [{ name: 'cla', kind: 'status', takesMs: 60 * MINUTE }]],
    })
    const said = emulator.say('/docs explain more', { on: ISSUE, by: 'bob' })
    const waits = { 'fix-attempts': '2', 'timeout-minutes': '30' }
    await emulator.act(said, { runId: 55, inputs: waits })
    expect(emulator.lastWords()).toContain('had not ended')
    await emulator.pass(60 * MINUTE)
    await sweep(emulator, { event: workflowRun() })
    expect(emulator.lastWords()).toContain('Its check passes.')
  })

  test.each([
    ['green', green(), 'Its 2 checks pass.'],
    ['red', red(), 'fails'],
  ])('one that ended %s stays so', async (_, head, says) => {
    const emulator = await steppedWorld({ heads: [head] })
    const inputs = { 'fix-attempts': '0' }
    for (let at = 0; at < 2; at += 1) await sweep(emulator, { inputs })
    expect(emulator.lastWords()).toContain(says)
    emulator.clearRequests()
    await sweep(emulator, { event: workflowRun(), inputs })
    expect(emulator.calls()).toEqual([LIST])
  })
})
