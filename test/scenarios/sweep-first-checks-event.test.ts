import { expect, test } from 'vitest'
import type { ActionRun } from '../../emulator/runner.ts'
import { checkedWorld, FIX, fixes } from '../helpers/checked-world.ts'
import { MINUTE, PULL, steppedWorld, sweep, workflowRun } from '../helpers/stepped-world.ts'
import { reads, start } from '../helpers/sweeps.ts'
import type { World } from '../helpers/world.ts'

// Contract 8.4: the first event about the checks of a pull request comes before anybody has read its job, which names it only at its end.

const LIST = 'GET /repos/octo/app/issues/comments'
const repo = { full_name: 'octo/app' }
const suite = (number: number): ActionRun['event'] => ({
  name: 'check_suite',
  payload: { check_suite: { pull_requests: [{ number, head: { repo }, base: { repo } }] } },
})
const dispatch = (link: string): ActionRun['event'] => ({
  name: 'repository_dispatch',
  payload: { client_payload: { 'pull-request': link } },
})
const GITHUB = ({ requests }: World) => requests.filter(({ host }) => host === 'github').length

test.each([
  ['the end of a workflow', workflowRun()],
  ['a suite', suite(PULL)],
  ['a dispatch', dispatch(`https://github.com/octo/app/pull/${PULL}`)],
])('8.4 %s has the job reported, and its failures sent back', async (_, event) => {
  const emulator = await steppedWorld()
  const { exitCode, log, outputs } = await sweep(emulator, { event })
  expect(exitCode, log).toBe(0)
  expect(outputs).toMatchObject({ finished: '1', failed: '0' })
  expect(fixes(emulator)).toHaveLength(1)
})

test.each([
  ['the workflow of a fork', workflowRun({ from: 'mallory/app' })],
  ['the workflow of a branch that is gone', workflowRun({ number: null })],
  ['a dispatch without a link', dispatch('')],
])('8.4 %s has no job read', async (_, event) => {
  const emulator = await steppedWorld()
  await sweep(emulator, { event })
  expect(emulator.calls()).toEqual([LIST])
})

test('8.4 an event about checks of another pull request costs a job at work one read, and GitHub none', async () => {
  const emulator = checkedWorld([])
  emulator.service.everyTurn = { durationMs: 30 * MINUTE }
  await start(emulator, { inputs: FIX })
  emulator.clearRequests()
  await sweep(emulator, { event: workflowRun({ number: 30 }) })
  expect([reads(emulator).length, GITHUB(emulator)]).toEqual([1, 1])
})
